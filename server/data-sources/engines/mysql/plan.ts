import type { ResultSet } from "../engine.ts";

/**
 * Whether a plan (EXPLAIN) finds its answer at the end of an index: MySQL then says that it needs no table for the
 * query itself; what its subqueries look up does not count. Anything else reads a table.
 */
export function isAnsweredByIndex({ columns, rows }: Pick<ResultSet, "columns" | "rows">): boolean {
  const column = (name: string) => columns.findIndex((each) => each.name.toLowerCase() === name);
  const [selectType, extra] = [column("select_type"), column("extra")];
  const own = rows.filter((row) => ["PRIMARY", "SIMPLE"].includes(String(row[selectType])));
  return own.length > 0 && own.every((row) => String(row[extra]).startsWith("Select tables optimized away"));
}
