import { wordsOf } from "./names.ts";

/** A table as the schema shows it. */
type Known = {
  schemaName: string;
  tableName: string;
  kind: string;
  rowEstimate: number | null;
  columns: readonly {
    name: string;
    references?: { schemaName: string; tableName: string } | undefined;
  }[];
};

/**
 * The tables that say what is wrong with some others: those that they refer to, by a declared key or by the names of
 * their columns, then those of the same schema, which may be loaded like them. Of each kind, the smallest first. Pure.
 */
export function companionsOf<Table extends Known>(asked: readonly Table[], all: readonly Table[]): Table[] {
  const keyOf = ({ schemaName, tableName }: { schemaName: string; tableName: string }) =>
    JSON.stringify([schemaName, tableName]);
  const own = new Set(asked.map(keyOf));
  const columns = asked.flatMap((table) => table.columns);
  const declared = new Set(columns.flatMap(({ references }) => (references ? keyOf(references) : [])));
  const words = new Set(columns.flatMap(({ name }) => wordsOf(name)).filter((word) => word.length > 2));
  const schemas = new Set(asked.map(({ schemaName }) => schemaName));
  const isNamed = ({ tableName }: Table) =>
    wordsOf(tableName).some((word) => [...words].some((each) => isNearly(each, word)));
  const rank = (table: Table) =>
    declared.has(keyOf(table)) ? 0 : isNamed(table) ? 1 : schemas.has(table.schemaName) ? 2 : 3;
  return all
    .filter((table) => table.kind === "Table" && !own.has(keyOf(table)))
    .map((table) => ({ table, rank: rank(table), rows: table.rowEstimate ?? 0 }))
    .filter((each) => each.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.rows - b.rows)
    .map(({ table }) => table);
}

/** `customer` and `customers`, `category` and `categories`. */
function isNearly(one: string, other: string): boolean {
  const length = Math.max(3, Math.min(one.length, other.length) - 1);
  return Math.abs(one.length - other.length) <= 3 && one.slice(0, length) === other.slice(0, length);
}
