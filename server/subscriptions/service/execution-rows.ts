import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { hashedRows, withoutMatch } from "../kept-rows.ts";
import { comparedRows } from "../limits.ts";
import { executionRows, executions } from "../tables.ts";
import { getSubscriptionRow } from "./load-subscriptions.ts";

const ran = {
  id: executions.id,
  executedAt: executions.executedAt,
  rowCount: executions.rowCount,
  queryVersion: executions.queryVersion,
  sample: executionRows.sample,
  hashes: executionRows.hashes,
};

const runs = () =>
  db
    .select(ran)
    .from(executions)
    .leftJoin(executionRows, eq(executionRows.executionId, executions.id))
    .$dynamic();

type Ran = Awaited<ReturnType<typeof runs>>[number];

/** Rows of a run that returned a result: none, or those that were kept; null if they were not kept. */
function rowsOf({ rowCount, sample, hashes }: Ran) {
  if (rowCount === 0) return noRows;
  return sample && hashes ? { sample, hashes } : null;
}

/** Hashes are removed when their key changes. */
const isComparable = ({ sample, hashes }: Rows) => sample.rows.length === 0 || hashes.length > 0;

const noRows = { sample: { columns: [], rows: [], maskedColumns: [] }, hashes: Buffer.alloc(0) };

/**
 * The first rows of an execution, and what is new or gone since the one before. Throws not_found if the execution is
 * not one of this subscription's, has no result, or has rows that were not kept or have expired.
 */
export async function getExecutionRows(
  ctx: SignedIn,
  { id: subscriptionId, executionId }: { id: number; executionId: number },
) {
  await getSubscriptionRow(ctx, subscriptionId);
  const isOfIt = eq(executions.subscriptionId, subscriptionId);
  const [run] = await runs().where(and(isOfIt, eq(executions.id, executionId)));
  if (!run) throw new Problem("not_found", "Execution not found");
  const { rowCount } = run;
  const now = rowsOf(run);
  if (rowCount === null || !now) throw new Problem("not_found", "This execution has no rows");
  const [before] = await runs()
    .where(
      and(
        isOfIt,
        isNotNull(executions.rowCount),
        sql`(${executions.executedAt}, ${executions.id}) < (
          select executed_at, id from executions where id = ${executionId})`,
      ),
    )
    .orderBy(desc(executions.executedAt), desc(executions.id))
    .limit(1);
  const previous = before && {
    id: before.id,
    executedAt: before.executedAt,
    rowCount: before.rowCount ?? 0,
    queryVersion: before.queryVersion,
  };
  return {
    executionId,
    rowCount,
    ...now.sample,
    previous: previous ?? null,
    ...compared({ ...now, rowCount }, before),
  };
}

type Rows = NonNullable<ReturnType<typeof rowsOf>>;

function compared(now: Rows & { rowCount: number }, run: Ran | undefined) {
  const not = (uncompared: "FirstRun" | "RowsNotKept" | "ColumnsChanged") => ({
    comparison: null,
    uncompared,
  });
  if (!run) return not("FirstRun");
  const before = rowsOf(run);
  if (!before || !isComparable(now) || !isComparable(before)) return not("RowsNotKept");
  if (now.rowCount > 0 && before.hashes.length > 0 && namesOf(now) !== namesOf(before))
    return not("ColumnsChanged");
  const isNew = withoutMatch(now.hashes, before.hashes);
  const isGone = withoutMatch(before.hashes, now.hashes);
  const isWhole = hashedRows(now.hashes) >= now.rowCount && hashedRows(before.hashes) >= (run.rowCount ?? 0);
  return {
    // A run without rows has no columns of its own for the rows that are gone.
    ...(now.sample.columns.length === 0 && { columns: before.sample.columns }),
    maskedColumns: [...new Set([...now.sample.maskedColumns, ...before.sample.maskedColumns])],
    comparison: {
      newRows: isNew.filter((position) => position < now.sample.rows.length),
      newCount: isNew.length,
      goneRows: isGone.flatMap((position) => {
        const row = before.sample.rows[position];
        return row ? [row] : [];
      }),
      goneCount: isGone.length,
      comparedRows: isWhole ? null : comparedRows,
    },
    uncompared: null,
  };
}

const namesOf = ({ sample: { columns } }: Rows) => JSON.stringify(columns.map(({ name }) => name));
