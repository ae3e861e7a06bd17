import { and, ne, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import type { Settings } from "../../env.ts";
import { builtInName } from "../models/built-in.ts";
import type { ModelInUse } from "../models/model-in-use.ts";
import { modelCalls } from "../tables.ts";

/** A call that may be made now. `askedAt` distinguishes it from a repeated call of another process. */
export type Turn = { id: number; askedAt: Date };

/**
 * Delays before checking for a free slot again, and for room in the minute; after each, the caller checks whether it
 * still wants the call.
 */
const waits = { placeMs: 250, minuteMs: 2000 };
/** A call that is older than its time limit plus this is abandoned. */
const slackS = 30;

const clock = sql`clock_timestamp()`;

export const isUnanswered = sql`${modelCalls.answeredAt} is null`;

/** A call of a cycle, which makes each step once, or on behalf of a person, outside of any cycle. */
export type CallOf =
  | { actorId: number; executionId: number; step: string }
  | { actorId: null; executionId: null; step: "ask" | "review" };

/**
 * Records that a call is made now, if LLM_CONCURRENCY and LLM_REQUESTS_PER_MINUTE, which apply across all processes,
 * allow it; otherwise says when to check again. The built-in planner contacts nobody, so it neither waits nor counts.
 * Callers take turns until the transaction ends, so call this last in it.
 */
export async function takeTurn(
  tx: Transaction,
  call: CallOf,
  { name, isBuiltIn }: ModelInUse,
  settings: Settings,
): Promise<Turn | { waitMs: number }> {
  const waitMs = isBuiltIn ? 0 : await timeToWait(tx, call, settings);
  if (waitMs > 0) return { waitMs };
  const { executionId, step } = modelCalls;
  const [turn] = await tx
    .insert(modelCalls)
    .values({ ...call, model: name, askedAt: clock as unknown as Date })
    .onConflictDoUpdate({
      target: [executionId, step],
      set: { model: name, askedAt: clock },
      setWhere: isUnanswered,
    })
    .returning({ id: modelCalls.id, askedAt: modelCalls.askedAt });
  // Someone else has just answered it.
  return turn ?? { waitMs: 0 };
}

async function timeToWait(
  tx: Transaction,
  { executionId, step }: CallOf,
  { LLM_CONCURRENCY, LLM_REQUESTS_PER_MINUTE, LLM_TIMEOUT_S }: Settings,
): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('calls of language models', 0))`);
  const longestS = LLM_TIMEOUT_S + slackS;
  const youngerThan = (seconds: number) =>
    sql`${modelCalls.askedAt} > ${clock} - make_interval(secs => ${seconds}::integer)`;
  const [now] = await tx
    .select({
      open: sql`count(*) filter (where ${isUnanswered} and ${youngerThan(longestS)})`.mapWith(Number),
      lastMinute: sql`count(*) filter (where ${youngerThan(60)})`.mapWith(Number),
      roomInMs:
        sql`extract(epoch from min(${modelCalls.askedAt}) filter (where ${youngerThan(60)}) + interval '60 seconds' - ${clock}) * 1000`.mapWith(
          Number,
        ),
    })
    .from(modelCalls)
    .where(
      and(
        youngerThan(Math.max(60, longestS)),
        ne(modelCalls.model, builtInName),
        // A repeated call was first made by a process that is gone.
        executionId === null
          ? undefined
          : sql`(${modelCalls.executionId}, ${modelCalls.step}) is distinct from (${executionId}::integer, ${step}::text)`,
      ),
    );
  if (!now) throw new Error("A count answered no row");
  if (now.open >= LLM_CONCURRENCY) return waits.placeMs;
  if (now.lastMinute >= LLM_REQUESTS_PER_MINUTE) return Math.min(waits.minuteMs, now.roomInMs + 5);
  return 0;
}
