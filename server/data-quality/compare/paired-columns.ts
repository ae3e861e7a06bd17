import type { Comparable } from "../../data-sources/dialects/comparison.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { TableColumn } from "../rules/table-columns.ts";
import { type Both, CannotCompare } from "./sides.ts";

/** Which columns of two tables are held against each other, and as what. Pure. */

export type Pair = {
  /** As the contract's table has it. */
  name: string;
  /** The column of each table. */
  columns: Both<TableColumn>;
  held: Comparable;
  /** Whether NULL may occur on either side. */
  nullable: boolean;
};

type Table = { name: string; dialect: Pick<Dialect, "comparison">; columns: readonly TableColumn[] };

/** The pair of a column's name. Throws CannotCompare if a table lacks it or the two cannot be compared. */
export function pairOf(name: string, tables: Readonly<Both<Table>>): Pair {
  const columns = tables.map((table) => {
    const found = columnOf(table, name);
    if (!found) throw new CannotCompare(`${table.name} has no column ${name}`);
    return found;
  }) as Both<TableColumn>;
  const held = heldIn(tables, columns);
  if (typeof held === "string") throw new CannotCompare(`${name} cannot be compared: ${held}`);
  return { name, columns, held, nullable: columns.some(({ nullable }) => nullable) };
}

/** Every column that both tables have, except some; and in words those whose types cannot be compared. */
export function sharedPairs(
  tables: Readonly<Both<Table>>,
  except: readonly string[],
): { pairs: Pair[]; left: string[] } {
  const [{ columns }, other] = tables;
  const left: string[] = [];
  const pairs = columns.flatMap((column) => {
    const found = columnOf(other, column.name);
    if (!found || except.includes(column.name)) return [];
    const both: Both<TableColumn> = [column, found];
    const held = heldIn(tables, both);
    if (typeof held !== "string")
      return { name: column.name, columns: both, held, nullable: column.nullable || found.nullable };
    left.push(`${column.name} (${held})`);
    return [];
  });
  return { pairs, left };
}

/** By name; engines differ in the case of names that were not quoted, so another case counts if it is the only one. */
function columnOf({ columns }: Table, name: string): TableColumn | undefined {
  const exact = columns.find((column) => column.name === name);
  if (exact) return exact;
  const alike = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

/** What both hold, or why they cannot be compared. */
function heldIn(tables: Readonly<Both<Table>>, columns: Both<TableColumn>): Comparable | string {
  const [one, other] = columns.map(
    ({ type }, place) => tables[place]?.dialect.comparison.holds(type) ?? null,
  );
  const [typeOfOne, typeOfOther] = columns.map(({ type }) => type);
  if (!one || !other) return `${one ? typeOfOther : typeOfOne} is not supported`;
  const differ = `${typeOfOne} here, ${typeOfOther} there`;
  if (one.kind === "number" && other.kind === "number")
    return {
      kind: "number",
      places: one.places === other.places ? one.places : null,
      ...(one.isInteger && other.isInteger && { isInteger: true }),
    };
  if (one.kind === "time" && other.kind === "time")
    return { kind: "time", places: commonPlaces(Math.min(one.places, other.places)) };
  if (one.kind === "float" && other.kind === "float")
    return one.form === other.form ? one : `the engines write floats differently`;
  return one.kind === other.kind ? one : differ;
}

/** Seconds, milliseconds, or microseconds. */
const commonPlaces = (places: number) => (places >= 6 ? 6 : places >= 3 ? 3 : 0);
