import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { Session } from "../../data-sources/engines/engine.ts";
import type { Sample, SampleMode } from "../../data-sources/sample.ts";
import { trimSample } from "../../data-sources/trim-sample.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { rowsSql, type SqlTable } from "../condition-sql.ts";
import type { Doubted } from "../count-together-sql.ts";
import { keptFrom, limits } from "../limits.ts";
import type { Merged } from "../merge.ts";
import type { ReviewedFinding } from "../review.ts";
import { countDoubted } from "./count-doubted.ts";

/** A finding with what the data source says of it. */
export type Verified = {
  found: ReviewedFinding;
  /** Exactly, in the whole table; null when the data source could not say, so that nothing is known. */
  failingRows: number | null;
  rowsSql: string | null;
  sample: Sample | null;
};

/**
 * Counts the rows of each finding where the data is, and fetches some of them. Of a table that was read whole the
 * count must be that of the rows that were read: otherwise the two do not mean the same rows, or these have changed,
 * and the finding is dropped. Without `samples` no rows are fetched. Throws SourceError when the data source cannot be
 * reached.
 */
export async function verifyFindings(
  session: Session,
  dialect: Dialect,
  table: ObservedTable,
  found: readonly ReviewedFinding[],
  { countMs, samples = "Masked" }: { countMs?: number; samples?: SampleMode } = {},
): Promise<Verified[]> {
  const sqlTable: SqlTable = { ...table, dialect };
  // What answers have lowered is kept as well: they may change.
  const isSure = ({ confidence, unlearned = confidence, taught }: Merged) =>
    Math.max(confidence, unlearned, taught?.untaught ?? 0) >= keptFrom;
  const sure = found.filter(isSure).slice(0, limits.findingsPerTable);
  const counted = sure.flatMap((each) => {
    const { condition } = each.candidate;
    // Neither the text of SQL nor the product's database can hold it.
    const isUnsayable = condition !== null && JSON.stringify(condition).includes("\\u0000");
    return isUnsayable ? [] : { found: each, condition };
  });
  const conditions = counted.flatMap(({ condition }) => condition ?? []);
  const answers = await countDoubted(session, sqlTable, conditions, { countMs, withRows: samples !== "Off" });
  const verified: Verified[] = [];
  let next = 0;
  for (const { found: each, condition } of counted) {
    if (condition === null) {
      verified.push({ found: each, failingRows: 0, rowsSql: null, sample: null });
      continue;
    }
    const answer = answers[next++] ?? null;
    const failingRows = answer?.count ?? null;
    const { rows, columns } = each.candidate;
    if (failingRows !== null && !isSound(table, rows.length, failingRows)) continue;
    verified.push({
      found: each,
      failingRows,
      rowsSql: rowsSql(sqlTable, condition),
      sample: samples === "Off" || !answer?.rows ? null : sampleOf(answer.rows, table, columns, samples),
    });
  }
  return verified;
}

/** An exception in the rows that were read is none if in the whole table it is as common as this. */
const tooCommon = 0.5;

function isSound(table: ObservedTable, readRows: number, countedRows: number): boolean {
  if (table.isWhole) return countedRows === readRows;
  return countedRows > 0 && countedRows < table.totalRows * tooCommon;
}

/** null where there are no rows. */
function sampleOf(
  rows: Doubted["rows"],
  table: ObservedTable,
  columns: readonly string[],
  mode: Exclude<SampleMode, "Off">,
): Sample | null {
  const keyColumns = table.columns.flatMap(({ name, isPrimaryKey }) => (isPrimaryKey ? name : []));
  const sample = trimSample(rows, { keyColumns: [...keyColumns, ...columns], column: null, mode });
  return sample.rows.length > 0 ? sample : null;
}
