import { sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { idsOf } from "../../db/gathered.ts";
import { type KeptRows, withoutMatch } from "../kept-rows.ts";
import { sparkRuns } from "../limits.ts";
import { executionRows, executions } from "../tables.ts";

/** Of each subscription the row counts of its latest runs, oldest first; null for one that could not run. */
export async function recentRowCounts(
  tx: Transaction,
  subscriptionIds: readonly number[],
): Promise<ReadonlyMap<number, (number | null)[]>> {
  if (subscriptionIds.length === 0) return new Map();
  const found = await tx.execute<{ id: number; counts: (number | null)[] }>(sql`
    select asked.id, json_agg(row_count order by executed_at, latest.id) as counts
    from unnest(${idsOf(subscriptionIds).ids}::integer[]) as asked (id) cross join lateral (
      select id, row_count, executed_at from ${executions}
      where subscription_id = asked.id and status <> 'Created'
      order by executed_at desc, id desc limit ${sparkRuns}) as latest
    group by asked.id`);
  return new Map(found.map(({ id, counts }) => [id, counts]));
}

type Run = { id: number; kept: KeptRows | null };

/**
 * Of each execution the positions of rows that the run before did not return, as far as rows are compared; without those of
 * which that is not known: a first run, one after a change of columns, or one of which rows were not kept.
 */
export async function newRowsOf(
  tx: Transaction,
  runs: readonly Run[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const keptOf = new Map(runs.flatMap(({ id, kept }) => (kept ? [[id, kept] as const] : [])));
  if (keptOf.size === 0) return new Map();
  const found = await tx.execute<Before>(sql`
    select this.id, before.row_count as "rowCount", rows.sample, encode(rows.hashes, 'hex') as hashes
    from ${executions} as this cross join lateral (
      select id, row_count from ${executions}
      where subscription_id = this.subscription_id and row_count is not null
        and (executed_at, id) < (this.executed_at, this.id)
      order by executed_at desc, id desc limit 1) as before
    left join ${executionRows} as rows on rows.execution_id = before.id
    where this.id = any(${idsOf([...keptOf.keys()]).ids}::integer[])`);
  return new Map(
    found.flatMap((before) => {
      const kept = keptOf.get(before.id);
      const isNew = kept && newRowsSince(before, kept);
      return isNew ? [[before.id, isNew] as const] : [];
    }),
  );
}

type Before = { id: number; rowCount: number; sample: KeptRows["sample"] | null; hashes: string | null };

function newRowsSince(before: Before, kept: KeptRows): readonly number[] | null {
  if (before.rowCount === 0) return withoutMatch(kept.hashes, Buffer.alloc(0));
  // Hashes are removed when their key changes.
  if (!before.sample || !before.hashes) return null;
  const names = ({ columns }: KeptRows["sample"]) => JSON.stringify(columns.map(({ name }) => name));
  if (names(before.sample) !== names(kept.sample)) return null;
  return withoutMatch(kept.hashes, Buffer.from(before.hashes, "hex"));
}
