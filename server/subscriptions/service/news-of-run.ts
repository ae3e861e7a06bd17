import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { type KeptRows, withoutMatch } from "../kept-rows.ts";
import { sparkRuns } from "../limits.ts";
import { executionRows, executions } from "../tables.ts";

type Run = { id: number; subscriptionId: number };

/** The row counts of the latest runs, oldest first and this one last; null for one that could not run. */
export async function recentRowCounts(tx: Transaction, run: Run): Promise<(number | null)[]> {
  const rows = await tx
    .select({ rowCount: executions.rowCount })
    .from(executions)
    .where(and(eq(executions.subscriptionId, run.subscriptionId), ne(executions.status, "Created")))
    .orderBy(sql`${executions.executedAt} desc nulls first`, sql`${executions.id} desc nulls first`)
    .limit(sparkRuns);
  return rows.map(({ rowCount }) => rowCount).toReversed();
}

/**
 * The positions of rows that the run before did not return, as far as rows are compared; null if that is not known:
 * for a first run, after a change of columns, or if rows were not kept.
 */
export async function newRowsOf(
  tx: Transaction,
  run: Run,
  kept: KeptRows | null,
): Promise<readonly number[] | null> {
  if (!kept) return null;
  const [before] = await tx
    .select({ rowCount: executions.rowCount, sample: executionRows.sample, hashes: executionRows.hashes })
    .from(executions)
    .leftJoin(executionRows, eq(executionRows.executionId, executions.id))
    .where(
      and(
        eq(executions.subscriptionId, run.subscriptionId),
        isNotNull(executions.rowCount),
        sql`(${executions.executedAt}, ${executions.id}) < (select executed_at, id from executions where id = ${run.id})`,
      ),
    )
    .orderBy(desc(executions.executedAt), desc(executions.id))
    .limit(1);
  if (!before) return null;
  if (before.rowCount === 0) return withoutMatch(kept.hashes, Buffer.alloc(0));
  // Hashes are removed when their key changes.
  if (!before.sample || !before.hashes?.length) return null;
  const names = ({ columns }: KeptRows["sample"]) => JSON.stringify(columns.map(({ name }) => name));
  return names(before.sample) === names(kept.sample) ? withoutMatch(kept.hashes, before.hashes) : null;
}
