import type { FailingRows } from "../../data-quality/compile.ts";
import { relationIn } from "../../data-sources/dialects/clauses.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { Condition } from "../../findings/condition.ts";
import { conditionFor } from "../../findings/condition-sql.ts";
import { columnsOf, type TableToRead } from "../../profile/service/read-table.ts";
import type { Asked } from "./explain-rows.ts";

/** Failing rows, and the same failure of a column in another table. */
export type RowsAsked = Asked & {
  /** The column that fails, if the failure is about one alone; null otherwise. */
  column: string | null;
  /** Rows of another table that fail in the same way in one of its columns; null if that cannot be said. */
  failingIn(table: TableToRead, column: string, dialect: Dialect): FailingRows | null;
};

/** The rows of a table for which a condition holds. */
export function rowsWith(
  table: TableToRead,
  condition: Condition,
): Pick<RowsAsked, "failing" | "column" | "failingIn"> {
  const column = "column" in condition && condition.is !== "orphan" ? condition.column : null;
  return {
    column,
    failing: (dialect) => failingRows(table, condition, dialect),
    failingIn: (other, otherColumn, dialect) =>
      column === null
        ? null
        : failingRows(other, { ...condition, column: otherColumn } as Condition, dialect),
  };
}

function failingRows(table: TableToRead, condition: Condition, dialect: Dialect): FailingRows {
  const columns = columnsOf(dialect, table);
  const { failing, join } = conditionFor({ ...table, dialect, columns, calledAs: "checked" }, condition);
  const relation = relationIn(dialect, table.schemaName, table.tableName);
  return { table: relation, join, condition: failing, parameters: [], ownSql: true };
}
