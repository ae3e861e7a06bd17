import type { SqlScope } from "./rule.ts";

/**
 * Of which sort a column of the contract's table is, by its number in `sorts`, as an expression for MySQL. It is
 * asked of the catalogue once and not for every row; a type of no sort is the number after the last.
 */
export function sortOfColumn(
  { schemaName, tableName, bind }: SqlScope,
  column: string,
  sorts: readonly (readonly string[])[],
): string {
  const cases = sorts.map((types, number) => {
    const names = types.map((type) => `'${type}'`).join(", ");
    return `when data_type in (${names}) then ${number}`;
  });
  return `(select case ${cases.join(" ")} else ${sorts.length} end from information_schema.columns
    where table_schema = ${bind(schemaName)} and table_name = ${bind(tableName)}
      and column_name = ${bind(column)} limit 1)`;
}
