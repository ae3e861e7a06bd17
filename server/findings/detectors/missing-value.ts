import { filledRows, type ObservedColumn, rowsWith, rowsWithout } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import type { Candidate, Detector, ObservedDatabase } from "../candidate.ts";
import { have, rowsOf, usualIn } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import { loadColumnOf } from "../load-column.ts";
import { isNamedLikeKey, isNamedLikeOptional } from "../names.ts";
import { areForNothing, rowsForNothing } from "../rows-for-nothing.ts";
import { referenceOf } from "./parents.ts";

/** A column that is filled in fewer rows than these, or in a smaller share of them, promises nothing. */
const least = { rows: 20, filledShare: 0.9 };

/** A few NULLs, or blank texts, in a column that is otherwise filled. */
export const missingValues: Detector = (table, database) => {
  const loads = loadColumnOf(table)?.column ?? null;
  const forNothing = rowsForNothing(table);
  const nulls = table.columns.flatMap((column) => nullsIn(table, column, loads, database) ?? []);
  const blanks = table.columns.flatMap((column) => blanksIn(table, column, database) ?? []);
  // The rest of a table that was read in part may lack one of them only.
  const told = table.isWhole ? together(nulls) : nulls;
  return [...told, ...blanks].map((found) => ({
    ...found,
    features: { ...found.features, isForNothing: Number(areForNothing(found.rows, forNothing)) },
  }));
};

/** Rows that lack several columns at once lack them for one reason, and are told once. */
function together(found: readonly Candidate[]): Candidate[] {
  return [...Map.groupBy(found, ({ rows }) => rows.join()).values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    const columns = same.flatMap((each) => each.columns);
    const names = Object.keys(first.features);
    const mean = (name: string) =>
      same.reduce((sum, { features }) => sum + (features[name] ?? 0), 0) / same.length;
    return {
      ...first,
      columns,
      condition: { is: "any" as const, of: columns.map((column) => ({ is: "null" as const, column })) },
      statement: `${rowsOf(first.rows.length, first.outOf)} of ${first.table.tableName} ${have(first.rows.length)} no ${namesOf(columns)}; all others do.`,
      // No kind of rule speaks of several columns.
      rule: null,
      features: Object.fromEntries(names.map((name) => [name, mean(name)])),
      evidence: {},
    };
  });
}

const mostNamed = 4;
/** `born, no died, and no place`, or the first ones and how many more there are. */
function namesOf(columns: readonly string[]): string {
  const rest = columns.length > mostNamed ? columns.length - mostNamed + 1 : 0;
  const named = columns.slice(0, columns.length - rest);
  const last = rest > 0 ? `none of ${rest} more columns` : `no ${named.pop()}`;
  return `${named.join(", no ")}${named.length > 1 ? "," : ""} and ${last}`;
}

function nullsIn(
  table: ObservedTable,
  column: ObservedColumn,
  loads: ObservedColumn | null,
  database: ObservedDatabase,
): Candidate | null {
  const filled = filledRows(column);
  if (column.nulls === 0 || filled < least.rows || filled < table.rowCount * least.filledShare) return null;
  const rows = rowsWithout(column);
  const found = described(table, column, rows, database);
  return {
    ...found,
    // Every row came at some time.
    features: { ...found.features, comesWithRows: Number(column === loads) },
    condition: { is: "null", column: column.name },
    statement: `${rowsOf(rows.length, table.rowCount)} of ${table.tableName} ${have(rows.length)} no ${column.name}; all others do.`,
    rule: { type: "NullRate", configuration: { column: column.name, maxNullPercent: 0 } },
  };
}

function blanksIn(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): Candidate | null {
  if (column.kind !== "text") return null;
  const blank = [...column.values.keys()].filter((index) => /^ *$/.test(column.values[index] ?? ""));
  const rows = rowsWith(column, blank);
  const filled = filledRows(column) - rows.length;
  if (rows.length === 0 || filled < least.rows || filled < table.rowCount * least.filledShare) return null;
  const { name } = column;
  return {
    ...described(table, column, rows, database),
    condition: { is: "blank", column: name },
    statement: `${rowsOf(rows.length, table.rowCount)} of ${table.tableName} ${have(rows.length)} an empty text as ${name}.`,
    rule: { type: "Pattern", configuration: { column: name, pattern: "[^[:space:]]" } },
  };
}

function described(
  table: ObservedTable,
  column: ObservedColumn,
  rows: Int32Array,
  database: ObservedDatabase,
) {
  const share = rows.length / table.rowCount;
  return {
    kind: "MissingValue" as const,
    table,
    columns: [column.name],
    rows,
    outOf: table.rowCount,
    features: {
      rarity: Math.min(1, -Math.log10(share) / 4),
      few: 1 / rows.length,
      isKey: Number(isNamedLikeKey(column.name)),
      isOfTree: Number(isOfTree(table, column) && !refersElsewhere(table, column, database)),
      isOptional: Number(isNamedLikeOptional(column.name)),
      isMoment: Number(column.kind === "date" || column.kind === "time"),
      explained: explainedBy(table, rows, [column.name])?.share ?? 0,
      isAtEnd: Number(isAtTheEnd(table, rows) || isInProgress(table, column, rows)),
      // What is reckoned from the row before, or from a year before, is not there at the beginning of a series.
      isAtStart: Number(rows.every((row, at) => row === at)),
    },
    evidence: { usual: usualIn(column, new Set()) },
  };
}

/** A machine among downtimes: the numbers of machines are among those of anything that is counted. */
function refersElsewhere(table: ObservedTable, column: ObservedColumn, database: ObservedDatabase): boolean {
  if (column.references) return column.references.tableName !== table.tableName;
  const found = referenceOf(table, column, database);
  return found !== null && found.parent.table !== table && found.named > 0.3;
}

/** The newest rows are so few of all, and more than those without the moment. */
const newest = { share: 0.05, done: 1.2, chance: 1e-4 };

/**
 * What some of the newest rows do not have yet, in whatever order these stand: when a ticket was closed, or who works on
 * it.
 */
function isInProgress(table: ObservedTable, column: ObservedColumn, rows: Int32Array): boolean {
  if (rows.length < 2) return false;
  return table.columns.some((other) => {
    const { moments } = other;
    if (other === column || !moments || other.nulls > table.rowCount * newest.share) return false;
    const at = (row: number) => moments[other.rows[row] ?? -1] ?? Number.NaN;
    const since = rows.reduce((first, row) => Math.min(first, at(row)), Number.POSITIVE_INFINITY);
    if (!Number.isFinite(since)) return false;
    let tail = 0;
    for (const [index, moment] of moments.entries()) if (moment >= since) tail += other.counts[index] ?? 0;
    const share = tail / table.rowCount;
    return (
      share <= newest.share && tail >= rows.length * newest.done && share ** rows.length <= newest.chance
    );
  });
}

/** Some of the references may be wrong. */
const mostUnknown = 0.05;

/** `manager_id` among staff refers to the same table: whoever is at the top has none. */
function isOfTree(table: ObservedTable, column: ObservedColumn): boolean {
  if (column.values.length >= filledRows(column)) return false;
  // Small numbers are among counted ones whatever they count.
  const isTelling = column.kind === "text" || (column.numbers?.every((number) => number >= 100) ?? false);
  if (!isNamedLikeKey(column.name) && !isTelling) return false;
  return table.columns.some((other) => {
    const isUnique = other.nulls === 0 && other.values.length === table.rowCount;
    if (other === column || !isUnique || other.kind !== column.kind) return false;
    const known = new Set(other.values);
    const unknown = column.values.filter((value) => !known.has(value)).length;
    return unknown <= column.values.length * mostUnknown;
  });
}
