import type { SignedIn } from "../../auth/principal.ts";
import { Problem } from "../../errors.ts";
import { columnsIn, namesColumnsOf } from "../../findings/condition.ts";
import { getFindingWithCondition } from "../../findings/service/list-findings.ts";
import { findTable } from "../../profile/service/find-table.ts";
import type { ReadCauses } from "../schema.ts";
import { explainRows } from "./explain-rows.ts";
import { type RowsAsked, rowsWith } from "./rows-asked.ts";

/**
 * What the rows of a finding have in common, as they are now. Throws not_found, rejected for a finding that is not about
 * rows or whose columns are gone, and what a data source that does not respond throws.
 */
export async function explainFinding(ctx: SignedIn, id: number): Promise<ReadCauses> {
  return explainRows(ctx, await rowsOfFinding(ctx, id));
}

/** The rows of a finding. Throws like `explainFinding`. */
export async function rowsOfFinding(ctx: SignedIn, id: number): Promise<RowsAsked> {
  const { dataSourceId, columns, condition, ...finding } = await getFindingWithCondition(ctx, id);
  if (!condition) throw new Problem("rejected", "This finding is not about rows that are there");
  const table = await findTable(ctx, dataSourceId, finding);
  if (!namesColumnsOf(table, condition))
    throw new Problem("rejected", "The table no longer has the columns of this finding");
  return {
    ...{ dataSourceId, table, mode: "Masked" },
    about: [...new Set([...columns, ...columnsIn(condition)])],
    ...rowsWith(table, condition),
  };
}
