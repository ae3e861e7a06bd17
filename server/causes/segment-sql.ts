import { relationIn } from "../data-sources/dialects/clauses.ts";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { Condition } from "../findings/condition.ts";
import { conditionSql } from "../findings/condition-sql.ts";
import type { ColumnFacts } from "../profile/observed-column.ts";
import type { ParentColumn } from "./parents.ts";
import type { Part, Segment } from "./segment.ts";

/** A table with its columns, and those of tables that it refers to, by the names that segments use. */
export type SegmentTable = {
  dialect: Dialect;
  schemaName: string;
  tableName: string;
  columns: readonly ColumnFacts[];
  parentColumns: ReadonlyMap<string, ParentColumn>;
};

/** Whether a row of the table, called `checked`, is in a segment. Values are literals. */
export const segmentSql = (table: SegmentTable, { parts }: Segment): string =>
  parts.map((part) => `(${partSql(table, part)})`).join(" and ");

function partSql(table: SegmentTable, part: Part): string {
  const { dialect } = table;
  const parent = table.parentColumns.get(part.column);
  if (!parent) return conditionSql({ ...table, calledAs: "checked" }, conditionOf(part, part.column));
  const { via, key, of, column } = parent;
  const value = `checked.${dialect.quote(via)}`;
  const found = (condition: Condition) => `exists (
    select 1 from ${relationIn(dialect, of.schemaName, of.tableName)} as parent
    where parent.${dialect.quote(key)} = ${value}
      and ${conditionSql({ ...of, dialect, calledAs: "parent" }, condition)})`;
  // A row whose parent does not exist has no value either.
  if (part.is === "Missing") return `not ${found({ is: "not", condition: { is: "null", column } })}`;
  return found(conditionOf(part, column));
}

function conditionOf(part: Part, column: string): Condition {
  switch (part.is) {
    case "Missing":
      return { is: "null", column };
    case "Value":
      return { is: "oneOf", column, values: [part.value] };
    case "Between": {
      const bounds: Condition[] = [];
      if (part.from !== null) bounds.push({ is: "above", column, bound: moved(part.from, -1) });
      if (part.to !== null) bounds.push({ is: "below", column, bound: moved(part.to, 1) });
      return { is: "all", of: bounds };
    }
  }
}

/** Bounds belong to a segment and not to a condition: a millisecond, or a whole number, further out. */
function moved(bound: string, by: number): string {
  if (/^-?\d+$/.test(bound)) return String(Number(bound) + by);
  return new Date(Date.parse(bound) + by).toISOString().slice(0, -1);
}
