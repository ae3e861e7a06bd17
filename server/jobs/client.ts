import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { Inngest } from "inngest";
import { type Connection, db } from "../db/client.ts";
import { log } from "../log.ts";
import { jobEvents } from "./tables.ts";

/**
 * The jobs path: every background job is an Inngest function, defined once in its domain's `jobs.ts`.
 *
 * A domain declares its events in `events.ts`, with a Zod schema (no transforms, no defaults), and its
 * functions in `jobs.ts`; server/job-functions.ts lists them, and the schedules beside them:
 *
 *     // data-quality/events.ts
 *     export const contractDue = eventType("data-quality/contract.due", {
 *       schema: z.object({ contractId: z.int(), scheduledFor: z.iso.datetime() }),
 *     });
 *
 *     // data-quality/jobs.ts
 *     export const contractSchedule = defineSchedule({
 *       kind: "contract",
 *       table: contracts, // has id, cronExpression, timezone, nextRunAt
 *       event: ({ objectId, scheduledFor }) =>
 *         contractDue.create({ contractId: objectId, scheduledFor: scheduledFor.toISOString() }),
 *     });
 *
 *     export const runEvaluation = inngest.createFunction(
 *       { id: "run-evaluation", triggers: contractDue, retries: mostRetries },
 *       async ({ event, step, runId }) => {
 *         const occurrence = { kind: "contract", objectId: event.data.contractId, scheduledFor: … };
 *         if (!(await step.run("claim", () => claimOccurrence(db, occurrence, runId)))) return;
 *         const evaluation = await step.run("evaluate", () => evaluateContract(…));
 *         await step.run("alert", () => alertIfDue(evaluation.id));
 *       },
 *     );
 *
 *     // a service, in its own transaction
 *     await sendEvents(tx, evaluationRequested.create({ contractId }, { id: `evaluation/${id}` }));
 *
 * What a function may ask for: event and cron triggers, `step.run`, `step.sendEvent`, `step.sleep` and `sleepUntil`
 * (alone, not beside other steps), `retries` (3 unless
 * said; counted anew for every step), NonRetriableError, RetryAfterError, `onFailure`, and a limit for runs whose
 * events have the same value in a property, as `concurrency: { key: "event.data.dataSourceId", limit: 2 }`, or for
 * which it runs once in a day, as `idempotency: "event.data.orderId"`. The embedded engine refuses anything else at
 * start-up. A step returns JSON (a Date comes back as text). Its work may happen
 * twice when the process dies inside it; once it has returned it never runs again. A step that sends events
 * gives them ids, or a retry sends them a second time.
 */
export const appId = "plumbline";

/**
 * Whether jobs run on the embedded engine, in this process and its PostgreSQL, rather than on Inngest. The
 * settings are read unchecked, because a build loads this file too; the process has checked them at its start.
 */
export function isEmbedded(): boolean {
  return !process.env.INNGEST_SIGNING_KEY;
}

/** What `eventType(…).create(…)` makes. */
export type Event = {
  name: string;
  data: Record<string, unknown>;
  /** Sent twice with one id, an event happens once. */
  id?: string;
  /** When it happened, in milliseconds since 1970; now, unless said. */
  ts?: number;
  validate?(): Promise<void>;
};

/** Workers listen on this channel of the database; its payload is empty. */
export const wakeUpChannel = "plumbline_jobs";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** `isDev` is always said: left out, an INNGEST_DEV in the environment would switch signature checks off. */
function inngestOptions() {
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = process.env;
  return {
    isDev: false,
    logger: log,
    ...(INNGEST_BASE_URL && { baseUrl: INNGEST_BASE_URL }),
    ...(INNGEST_EVENT_KEY && { eventKey: INNGEST_EVENT_KEY }),
    ...(INNGEST_SIGNING_KEY && { signingKey: INNGEST_SIGNING_KEY }),
  };
}

/** Sends nothing over the network: events go into the database. The engine writes the log. */
const embeddedOptions = {
  isDev: true,
  logger: silent,
  baseUrl: "http://embedded.invalid",
  fetch: catchEvents,
};

export const inngest = new Inngest({
  id: appId,
  aiMetadata: false,
  ...(isEmbedded() ? embeddedOptions : inngestOptions()),
});

/** Stands in for Inngest's event API, for `inngest.send` and `step.sendEvent`. */
async function catchEvents(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  if (!new URL(request.url).pathname.startsWith("/e/"))
    throw new Error(`The embedded engine only takes events; ${request.method} ${request.url} needs Inngest`);
  const events = (await request.json()) as Event[];
  // The SDK repeats a call that failed with the same seed, so that its events are stored once.
  const seed = request.headers.get("x-inngest-event-id-seed") ?? randomUUID();
  const ids = await insertEvents(
    db,
    events.map((event, index) => ({ ...event, id: event.id ?? `${seed}/${index}` })),
  );
  return Response.json({ ids, status: 200 });
}

/**
 * Sends events from a service, after checking them against their schemas. On the embedded engine they are
 * part of the caller's transaction. Inngest gets them at once, so send last; and give them ids, so that a
 * caller who tries again sends them once. Returns their ids.
 */
export async function sendEvents(connection: Connection, events: Event | Event[]): Promise<string[]> {
  const list = [events].flat();
  if (list.length === 0) return [];
  if (!isEmbedded()) return (await inngest.send(list)).ids;
  for (const event of list) await event.validate?.();
  return insertEvents(connection, list);
}

/** Stores events and wakes the workers when the transaction commits. A key that is there already is left. */
export async function insertEvents(connection: Connection, events: Event[]): Promise<string[]> {
  const rows = events.map(({ name, data, id, ts }) => ({
    key: id ?? randomUUID(),
    name,
    data,
    ...(ts !== undefined && { occurredAt: new Date(ts) }),
  }));
  await connection.insert(jobEvents).values(rows).onConflictDoNothing({ target: jobEvents.key });
  await wakeWorkers(connection);
  return rows.map((row) => row.key);
}

export async function wakeWorkers(connection: Connection): Promise<void> {
  await connection.execute(sql`select pg_notify(${wakeUpChannel}, '')`);
}
