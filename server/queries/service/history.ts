import { performance } from "node:perf_hooks";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { paged } from "../../db/paged.ts";
import { type ProblemCode, problemIn } from "../../errors.ts";
import type { historyInput, Preview, PreviewInput } from "../schema.ts";
import { queryHistory } from "../tables.ts";

/** How much of it is kept for each user. */
export const historyLimits = { entries: 200, days: 30 };

/**
 * Runs something for a person and keeps what it was: the SQL, when, how long, and how many rows or what kind of problem.
 * Never parameters, results, or messages, which may repeat values. Keys and requests to REST APIs leave no history.
 */
export async function keepingHistory(
  { principal }: SignedIn,
  input: PreviewInput,
  run: () => Promise<Preview>,
): Promise<Preview> {
  const text = principal.kind === "User" ? textOf(input) : null;
  if (text === null) return run();
  const [ranAt, startedAt] = [new Date(), performance.now()];
  const keep = (outcome: { rowCount: number } | { problem: ProblemCode }) =>
    store(principal.userId, {
      ...{ sql: text, dataSourceId: sourceOf(input), ranAt },
      tookMs: Math.round(performance.now() - startedAt),
      ...outcome,
    });
  let preview: Preview;
  try {
    preview = await run();
  } catch (error) {
    const problem = problemIn(error);
    // What never ran is no history: wrong parameters, or a data source that is not there.
    if (problem && problem.code !== "invalid" && problem.code !== "not_found")
      await keep({ problem: problem.code });
    throw error;
  }
  await keep({ rowCount: preview.rowCount });
  return preview;
}

/** What ran: the SQL of one step, or of several with their names. null for a request. */
function textOf({ sql: only, steps, stepOrder }: PreviewInput): string | null {
  if (!steps) return only ?? null;
  const own = stepOrder === undefined ? undefined : steps[stepOrder - 1];
  if (own || steps.length === 1) return (own ?? steps[0])?.sql ?? null;
  const texts = steps.flatMap(({ name, sql: text }, index) =>
    text === undefined ? [] : [`-- ${lineOf(name ?? `Step ${index + 1}`)}\n${text}`],
  );
  return texts.length === 0 ? null : texts.join("\n\n");
}

const lineOf = (name: string) => name.replace(/\s+/g, " ");

function sourceOf({ dataSourceId, steps, stepOrder }: PreviewInput): number | null {
  if (!steps) return dataSourceId ?? null;
  const own = stepOrder === undefined ? undefined : steps[stepOrder - 1];
  return (own ?? (steps.length === 1 ? steps[0] : undefined))?.dataSourceId ?? null;
}

/** Stores an entry, and removes those beyond the count. */
async function store(
  userId: number,
  entry: Omit<typeof queryHistory.$inferInsert, "userId" | "id">,
): Promise<void> {
  await db.insert(queryHistory).values({ userId, ...entry });
  await db.execute(sql`
    delete from ${queryHistory} where ${queryHistory.id} = any(array(
      select ${queryHistory.id} from ${queryHistory} where ${queryHistory.userId} = ${userId}
      order by ${queryHistory.id} desc offset ${historyLimits.entries}))`);
}

/** A page of what the caller ran, newest first. */
export async function listHistory(
  ctx: SignedIn,
  { search, ...paging }: ReturnType<typeof historyInput.parse>,
) {
  const which: SQL | undefined = and(
    eq(queryHistory.userId, ctx.principal.userId),
    sql`${queryHistory.ranAt} > now() - make_interval(days => ${historyLimits.days})`,
    // Not LIKE: the search text is literal.
    search ? sql`strpos(lower(${queryHistory.sql}), lower(${search})) > 0` : undefined,
  );
  return paged(
    paging,
    () => db.$count(queryHistory, which),
    async ({ limit, offset }) => {
      const { items: sources } = await listDataSources(ctx);
      const nameOf = new Map(sources.map(({ id, name }) => [id, name]));
      const rows = await db
        .select()
        .from(queryHistory)
        .where(which)
        .orderBy(desc(queryHistory.id))
        .limit(limit)
        .offset(offset);
      return rows.map(({ dataSourceId, userId: _, ...entry }) => {
        const name = dataSourceId === null ? undefined : nameOf.get(dataSourceId);
        return {
          ...entry,
          dataSource: dataSourceId === null || name === undefined ? null : { id: dataSourceId, name },
        };
      });
    },
  );
}

/** Removes all that the caller ran from their history. */
export async function clearHistory({ principal }: SignedIn): Promise<void> {
  await db.delete(queryHistory).where(eq(queryHistory.userId, principal.userId));
}

/** Removes up to `limit` entries that are too old. Returns how many. */
export async function removeOldHistory(limit: number): Promise<number> {
  const gone = await db.execute(sql`
    delete from ${queryHistory} where ${queryHistory.id} = any(array(
      select ${queryHistory.id} from ${queryHistory}
      where ${queryHistory.ranAt} < now() - make_interval(days => ${historyLimits.days})
      order by ${queryHistory.ranAt} limit ${limit} for update skip locked))
    returning 1`);
  return gone.length;
}
