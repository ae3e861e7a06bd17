import type { SignedIn } from "../../auth/principal.ts";
import { relationIn } from "../../data-sources/dialects/clauses.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { Problem } from "../../errors.ts";
import { columnsIn, namesColumnsOf } from "../../findings/condition.ts";
import { conditionFor } from "../../findings/condition-sql.ts";
import { getFindingWithCondition } from "../../findings/service/list-findings.ts";
import { findTable } from "../../profile/service/find-table.ts";
import { columnsOf } from "../../profile/service/read-table.ts";
import type { ReadCauses } from "../schema.ts";
import { explainRows } from "./explain-rows.ts";

/**
 * What the rows of a finding have in common, as they are now. Throws not_found, rejected for a finding that is not about
 * rows or whose columns are gone, and what a data source that does not respond throws.
 */
export async function explainFinding(ctx: SignedIn, id: number): Promise<ReadCauses> {
  const { dataSourceId, columns, condition, ...finding } = await getFindingWithCondition(ctx, id);
  if (!condition) throw new Problem("rejected", "This finding is not about rows that are there");
  const table = await findTable(ctx, dataSourceId, finding);
  if (!namesColumnsOf(table, condition))
    throw new Problem("rejected", "The table no longer has the columns of this finding");
  return explainRows(ctx, {
    ...{ dataSourceId, table, mode: "Masked" },
    about: [...new Set([...columns, ...columnsIn(condition)])],
    failing(dialect: Dialect) {
      const columns = columnsOf(dialect, table);
      const { failing, join } = conditionFor({ ...table, dialect, columns, calledAs: "checked" }, condition);
      const relation = relationIn(dialect, table.schemaName, table.tableName);
      return { table: relation, join, condition: failing, parameters: [], ownSql: true };
    },
  });
}
