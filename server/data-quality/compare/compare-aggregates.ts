import type { Cell, ResultSet } from "../../data-sources/engines/engine.ts";
import { Decimal } from "../decimal.ts";
import type { AggregateFunction } from "../rules/compare.ts";
import type { SqlScope } from "../rules/rule-sql.ts";
import type { Pair } from "./paired-columns.ts";
import { textOf, typedValue } from "./row-hash.ts";
import { type Both, CannotCompare, type Reader } from "./sides.ts";

/** Two tables by the aggregates of columns, in all or by group. */

export type Aggregates = {
  columns: readonly Pair[];
  functions: readonly AggregateFunction[];
  groupBy: readonly Pair[];
  /** How far a figure may be off, in percent of this table's. */
  tolerancePercent: number | undefined;
};

/** One figure of one group that differs: the group's values, what it is of, and both sides. */
export type DifferingFigure = { group: Cell[]; figure: string; here: string | null; there: string | null };

export type AggregatesCompared = { groups: number; differing: number; figures: DifferingFigure[] };

export const maxAggregatedGroups = 10_000;
const maxBytes = 32 * 1024 * 1024;

/** What one function of one column gives, and how two of them are told apart. */
type Figure = { name: string; of: AggregateFunction | "Rows"; pair: Pair | null };

/** Throws SideFailed, and CannotCompare for a function that a column does not have, or for too many groups. */
export async function compareAggregates(reader: Reader, asked: Aggregates): Promise<AggregatesCompared> {
  const figures = figuresOf(asked);
  const found = await reader.read((sql, _, place) => statementOf(sql, place, asked, figures), {
    maxRows: maxAggregatedGroups + 1,
    maxBytes,
  });
  const [here, there] = found.map((result, place) => {
    if (result.rows.length > maxAggregatedGroups || result.truncated)
      throw new CannotCompare(`${reader.sides[place]?.name} has more than 10,000 groups`);
    return groupsOf(result, asked.groupBy.length);
  }) as Both<Map<string, Group>>;
  const all = new Map([...here, ...there]);
  const result: AggregatesCompared = { groups: all.size, differing: 0, figures: [] };
  for (const [name, { key }] of all) {
    const one = here.get(name)?.cells ?? null;
    const other = there.get(name)?.cells ?? null;
    const own = figures.flatMap((figure, at) => {
      const [a, b] = [one, other].map((cells) => valueIn(figure, cells, 2 * at)) as Both<string | null>;
      return isSame(figure, a, b, asked.tolerancePercent)
        ? []
        : { group: key, figure: figure.name, here: a, there: b };
    });
    // A group that is only on one side is told by its number of rows.
    const told = one === null || other === null ? own.slice(0, 1) : own;
    if (told.length > 0) result.differing++;
    result.figures.push(...told);
  }
  return result;
}

function figuresOf({ columns, functions, groupBy }: Aggregates): Figure[] {
  const rows: Figure[] = groupBy.length > 0 ? [{ name: "rows", of: "Rows", pair: null }] : [];
  return [
    ...rows,
    ...columns.flatMap((pair) =>
      functions.map((of) => {
        const { kind } = pair.held;
        const isNumber = kind === "number" || kind === "float";
        const isOrdered = isNumber || kind === "date" || kind === "time";
        if (of !== "Count" && !(of === "Min" || of === "Max" ? isOrdered : isNumber))
          throw new CannotCompare(`${pair.name} is ${pair.columns[0].type} and has no ${words[of]}`);
        return { name: `${words[of]} of ${pair.name}`, of, pair };
      }),
    ),
  ];
}

const words: Record<AggregateFunction, string> = {
  Sum: "sum",
  Average: "average",
  Min: "smallest value",
  Max: "largest value",
  Count: "number of values",
};

/** Two columns for each figure: the second is the number of values, for an average. */
function statementOf(
  sql: SqlScope,
  place: 0 | 1,
  { groupBy }: Aggregates,
  figures: readonly Figure[],
): string {
  const groups = groupBy.map((pair) => textOf(sql, pair, place));
  const selected = [
    // All texts of a group are the same, to the byte.
    ...groups.map((text, at) => `min(${text}) as g${at}`),
    ...figures.flatMap((figure, at) => {
      const [first, second] = expressionsOf(sql, figure, place);
      return [`${first} as a${at}`, `${second} as b${at}`];
    }),
  ];
  const by = groups.length === 0 ? "" : `\ngroup by ${groups.map(sql.exactly).join(", ")}`;
  return `select ${selected.join(", ")}\nfrom ${sql.table} as checked${by}`;
}

function expressionsOf(sql: SqlScope, { of, pair }: Figure, place: 0 | 1): [string, string] {
  if (!pair) return [sql.count(), "null"];
  const value = typedValue(sql, pair, place);
  const counted = sql.count(value.value);
  if (of === "Count" || of === "Rows") return [counted, "null"];
  if (of === "Sum" || of === "Average") {
    const sum = `sum(${sql.comparison.number(value)})`;
    return [pair.held.kind === "float" ? sql.exactText(sum, "float") : sql.exactNumber(sum), counted];
  }
  const end = `${of === "Min" ? "min" : "max"}(${sql.comparison.number(value)})`;
  // A truth value has become a number.
  const isNumber = pair.held.kind === "number";
  return [isNumber ? sql.exactNumber(end) : sql.comparison.text({ ...value, value: end }, pair.held), "null"];
}

type Group = { key: Cell[]; cells: Cell[] };

function groupsOf({ rows }: ResultSet, keys: number): Map<string, Group> {
  return new Map(
    rows.map((row) => {
      const key = row.slice(0, keys);
      return [JSON.stringify(key), { key, cells: row.slice(keys) }] as const;
    }),
  );
}

function valueIn({ of }: Figure, cells: readonly Cell[] | null, at: number): string | null {
  if (cells === null) return of === "Rows" ? "0" : null;
  const [value, count] = [cells[at] ?? null, cells[at + 1] ?? null];
  if (value === null) return null;
  if (of !== "Average") return String(value);
  const number = decimalIn(String(value));
  return number ? number.div(String(count)).toDecimalPlaces(12).toString() : String(value);
}

const plain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const decimalIn = (text: string) => (plain.test(text) ? new Decimal(text) : null);

function isSame({ of, pair }: Figure, a: string | null, b: string | null, percent: number | undefined) {
  if (a === null || b === null) return a === b;
  if (of !== "Rows" && (pair?.held.kind === "date" || pair?.held.kind === "time")) return a === b;
  const [one, other] = [decimalIn(a), decimalIn(b)];
  if (!one || !other) return a === b;
  const allowed = percent === undefined ? new Decimal(0) : one.abs().times(percent).div(100);
  return one.minus(other).abs().lessThanOrEqualTo(allowed);
}
