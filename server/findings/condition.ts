import { groupBy, groupWithNulls, sizesOf } from "../profile/grouping.ts";
import { type ObservedColumn, valueAt } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { momentOf } from "../profile/plain-values.ts";

/**
 * Which rows are doubted, said so that it can be asked of the rows that were read (`rowsAgainst`) and of the whole
 * table in the database's own SQL. Both must give the same answer. Values are exact texts.
 */
export type Condition =
  | { is: "null"; column: string }
  /** A text of nothing but blanks, or of nothing at all. */
  | { is: "blank"; column: string }
  | { is: "oneOf"; column: string; values: readonly string[] }
  /** The text contains one of some others. */
  | { is: "has"; column: string; texts: readonly string[] }
  /** A space is before or after the text. */
  | { is: "padded"; column: string }
  /** A finite number, or a moment, beyond a bound: plain decimals, or ISO 8601 in UTC. */
  | { is: "below" | "above"; column: string; bound: string }
  /** The combination of values occurs in more than one row. With a NULL among them it does not, of `wholeRows` it does. */
  | { is: "repeated"; columns: readonly string[]; wholeRows?: boolean }
  /** The value is there, and not in the other table. */
  | { is: "orphan"; column: string; parent: { schemaName: string; tableName: string; columnName: string } }
  /** Both are there, and the left one is greater: what should not be. Two texts are numbers unless `areMoments`. */
  | { is: "greater"; left: string; right: string; areMoments?: boolean }
  /** All are there, and `total` is further than `tolerance` from what the others make. */
  | { is: "unequal"; total: string; terms: readonly Term[]; tolerance: number }
  /** What the terms make is further than `tolerance` from what the parts add up to: the rows of another table with its key. */
  | { is: "unequalParts"; key: string; terms: readonly Term[]; parts: Parts; tolerance: number }
  | { is: "not"; condition: Condition }
  | { is: "all" | "any"; of: readonly Condition[] };

/** The rows of another table that belong to one of this, by the column that refers to it, and what is added up of them. */
export type Parts = { schemaName: string; tableName: string; columnName: string; terms: readonly Term[] };

/** A product, added or taken away: `{ sign: -1, factors: ["price", "quantity"] }`. */
export type Term = { sign: 1 | -1; factors: readonly Factor[] };

/** A column, or `plus + times · column`: a discount of 0.2 is `{ column: "discount", times: -1, plus: 1 }`. */
export type Factor = string | { column: string; times: number; plus: number };

/** Which values a table of parents has, for orphans. */
export type Lookup = (parent: {
  schemaName: string;
  tableName: string;
  columnName: string;
}) => ObservedColumn | null;

/** Looks up parents among tables that were read whole: of others it is not known which values they have. */
export const lookupIn =
  (tables: readonly ObservedTable[]): Lookup =>
  ({ schemaName, tableName, columnName }) =>
    tables
      .find((table) => table.isWhole && table.tableName === tableName && table.schemaName === schemaName)
      ?.columns.find((column) => column.name === columnName) ?? null;

/** The rows of those that were read for which the condition holds, in order. Pure. */
export function rowsAgainst(
  condition: Condition,
  table: ObservedTable,
  lookup: Lookup = () => null,
): Int32Array {
  const holds = test(condition, table, lookup);
  const found: number[] = [];
  for (let row = 0; row < table.rowCount; row++) if (holds(row)) found.push(row);
  return Int32Array.from(found);
}

/** What is said of the values of one column, as a list or in general. */
export type OfValues = Extract<Condition, { is: "oneOf" | "has" | "padded" }>;

/** Whether it holds for a value. Pure. */
export function holdsFor(condition: OfValues): (value: string) => boolean {
  switch (condition.is) {
    case "oneOf": {
      const wanted = new Set(condition.values);
      return (value) => wanted.has(value);
    }
    case "has":
      return (value) => condition.texts.some((text) => value.includes(text));
    case "padded":
      return (value) => /^ | $/.test(value);
  }
}

/** Every column of the doubted table that the condition reads. */
export function columnsIn(condition: Condition): string[] {
  switch (condition.is) {
    case "repeated":
      return [...condition.columns];
    case "greater":
      return [condition.left, condition.right];
    case "unequal":
      return [condition.total, ...namesIn(condition.terms)];
    case "unequalParts":
      return [condition.key, ...namesIn(condition.terms)];
    case "not":
      return columnsIn(condition.condition);
    case "all":
    case "any":
      return [...new Set(condition.of.flatMap(columnsIn))];
    default:
      return [condition.column];
  }
}

/** The columns that terms are made of. */
export const namesIn = (terms: readonly Term[]): string[] =>
  terms.flatMap(({ factors }) =>
    factors.map((factor) => (typeof factor === "string" ? factor : factor.column)),
  );

type Test = (row: number) => boolean;

function test(condition: Condition, table: ObservedTable, lookup: Lookup): Test {
  const column = (name: string) => columnOf(table, name);
  switch (condition.is) {
    case "null": {
      const { rows } = column(condition.column);
      return (row) => (rows[row] ?? -1) < 0;
    }
    case "blank":
      return byValue(column(condition.column), (value) => /^ *$/.test(value));
    case "oneOf":
    case "has":
    case "padded":
      return byValue(column(condition.column), holdsFor(condition));
    case "below":
    case "above": {
      const measured = column(condition.column);
      const bound = measured.numbers ? Number(condition.bound) : momentOf(condition.bound);
      return byMeasure(measured, (value) => (condition.is === "above" ? value > bound : value < bound));
    }
    case "repeated": {
      const grouping = (condition.wholeRows ? groupWithNulls : groupBy)(condition.columns.map(column));
      const sizes = sizesOf(grouping);
      return (row) => {
        const group = grouping.groups[row] ?? -1;
        return group >= 0 && (sizes[group] ?? 0) > 1;
      };
    }
    case "orphan": {
      const parent = lookup(condition.parent);
      if (!parent) return () => false;
      const known = new Set(parent.values);
      return byValue(column(condition.column), (value) => !known.has(value));
    }
    case "greater": {
      const [left, right] = [measureOf(column(condition.left)), measureOf(column(condition.right))];
      // NaN is greater than nothing.
      return (row) => left(row) > right(row);
    }
    case "unequal": {
      const total = measureOf(column(condition.total));
      const made = sumOf(table, condition.terms);
      return (row) => Math.abs(total(row) - made(row)) > condition.tolerance;
    }
    case "unequalParts": {
      const made = madeOfParts(condition.parts, lookup);
      const key = column(condition.key);
      const whole = sumOf(table, condition.terms);
      const wrong = new Set<number>();
      for (const [row, index] of key.rows.entries()) {
        const sum = made?.get(key.values[index] ?? "") ?? Number.NaN;
        if (index >= 0 && Math.abs(whole(row) - sum) > condition.tolerance) wrong.add(index);
      }
      return (row) => wrong.has(key.rows[row] ?? -1);
    }
    case "not": {
      const inner = test(condition.condition, table, lookup);
      return (row) => !inner(row);
    }
    case "all":
    case "any": {
      const parts = condition.of.map((part) => test(part, table, lookup));
      return condition.is === "all"
        ? (row) => parts.every((part) => part(row))
        : (row) => parts.some((part) => part(row));
    }
  }
}

type SomeColumns = Pick<ObservedTable, "tableName" | "columns">;

/** What the parts of each row add up to, by its key; parts of which nothing is known are left out, as SUM does. */
function madeOfParts(parts: Parts, lookup: Lookup): Map<string, number> | null {
  const named = (columnName: string) => lookup({ ...parts, columnName });
  const reference = named(parts.columnName);
  const columns = namesIn(parts.terms).map(named);
  if (!reference || columns.some((column) => column === null)) return null;
  const part = sumOf(
    { tableName: parts.tableName, columns: columns.filter((column) => column !== null) },
    parts.terms,
  );
  const made = new Map<string, number>();
  for (const [row, index] of reference.rows.entries()) {
    const value = part(row);
    if (index < 0 || Number.isNaN(value)) continue;
    const key = reference.values[index] ?? "";
    made.set(key, (made.get(key) ?? 0) + value);
  }
  return made;
}

/** Throws Error for a column that the table does not have. */
export function columnOf(table: SomeColumns, name: string): ObservedColumn {
  const found = table.columns.find((column) => column.name === name);
  if (!found) throw new Error(`${table.tableName} has no column ${name}`);
  return found;
}

/** Whether a table has the columns that a stored condition names: they may have been dropped since. */
export function namesColumnsOf(table: { columns: readonly { name: string }[] }, condition: unknown): boolean {
  const known = new Set(table.columns.map(({ name }) => name));
  const named = (value: unknown, key = ""): boolean => {
    if (typeof value === "string")
      return !["column", "left", "right", "total", "key"].includes(key) || known.has(value);
    if (Array.isArray(value))
      return value.every((each) =>
        key === "columns" || key === "factors" ? typeof each !== "string" || known.has(each) : named(each),
      );
    // Parts have columns of another table.
    if (typeof value !== "object" || value === null || key === "parts") return true;
    return Object.entries(value).every(([name, each]) => named(each, name));
  };
  return named(condition);
}

function byValue({ values, rows }: ObservedColumn, holds: (value: string) => boolean): Test {
  const answers = Uint8Array.from(values, (value) => Number(holds(value)));
  return (row) => answers[rows[row] ?? -1] === 1;
}

function byMeasure(column: ObservedColumn, holds: (value: number) => boolean): Test {
  const measures = column.numbers ?? column.moments;
  const answers = Uint8Array.from(measures ?? [], (value) => Number(holds(value)));
  return (row) => answers[column.rows[row] ?? -1] === 1;
}

/** The value of a row as a number or a moment; NaN where it has none. */
export function measureOf(column: ObservedColumn): (row: number) => number {
  const measures = column.numbers ?? column.moments;
  return (row) => measures?.[column.rows[row] ?? -1] ?? Number.NaN;
}

/** What the terms make of each row; NaN where one of them is missing. */
export function sumOf(table: SomeColumns, terms: readonly Term[]): (row: number) => number {
  const parts = terms.map(({ sign, factors }) => ({
    sign,
    factors: factors.map((factor) => factorOf(table, factor)),
  }));
  return (row) => {
    let sum = 0;
    for (const { sign, factors } of parts) {
      let product = sign as number;
      for (const factor of factors) product *= factor(row);
      sum += product;
    }
    return sum;
  };
}

function factorOf(table: SomeColumns, factor: Factor): (row: number) => number {
  if (typeof factor === "string") return measureOf(columnOf(table, factor));
  const measure = measureOf(columnOf(table, factor.column));
  return (row) => factor.plus + factor.times * measure(row);
}

/** For tests and texts: what a row says in a column. */
export const cellOf = (table: ObservedTable, name: string, row: number) =>
  valueAt(columnOf(table, name), row);
