import type { SignedIn } from "../../auth/principal.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { Problem, problemIn } from "../../errors.ts";
import { columnsSize } from "../compile.ts";
import type { ReadColumns } from "../dry-run-schema.ts";
import { limits } from "../limits.ts";
import { sqlScope } from "../rules/rule-sql.ts";
import { allColumnsOf } from "../rules/rules-sql.ts";
import type { TableColumn } from "../rules/table-columns.ts";
import { resolveTarget } from "./contracts.ts";

/**
 * A table's columns as a Schema rule sees them at this moment, for a person to approve. Throws not_found for a data
 * source that the caller cannot access and a table that it does not have, rejected for one that is not a database,
 * source_unreachable, and source_timeout.
 */
export async function readColumns(ctx: SignedIn, table: ReadColumns): Promise<{ items: TableColumn[] }> {
  const { target } = await resolveTarget(ctx, { ...table, rules: [] });
  let items: TableColumn[];
  try {
    const found = await useDatabase(target.dataSourceId, (dialect, source) => {
      const { sql, parameters } = sqlScope(dialect, target);
      const statement = { sql: sql.tableColumns(sql.target), parameters, ownSql: true };
      return source.session((session) =>
        session.read(statement, { timeoutMs: limits.ruleTimeoutMs, ...columnsSize }),
      );
    });
    items = allColumnsOf(found);
  } catch (error) {
    throw problemIn(asProblem(error)) ?? error;
  }
  if (items.length === 0)
    throw new Problem(
      "not_found",
      "The table does not exist, or the data source's login cannot read any of its columns",
    );
  return { items };
}
