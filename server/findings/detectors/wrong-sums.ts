import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { withArticle } from "../../text.ts";
import type { Candidate, ObservedDatabase } from "../candidate.ts";
import { type Condition, columnOf, lookupIn, rowsAgainst, sumOf, type Term } from "../condition.ts";
import { have, rowsOf } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import { isIdentifier, type Measured, measuredColumns, medianOf, rarityOf } from "../measured.ts";
import { equationsIn, hasFractions, isWithin, noiseOf, unitOf } from "./equations.ts";
import { referenceOf } from "./parents.ts";
import { formula } from "./wrong-totals.ts";

/**
 * How many columns are tried with each other, and what a sum needs to be believed: rows that have parts, rows with
 * several parts, and different totals; hardly any row against it, and few that would hold with another row's parts.
 */
const limits = {
  columns: 8,
  ...{ filled: 30, several: 20, totals: 8, counts: 3 },
  ...{ against: 0.03, byChance: 0.25 },
  /** Numbers of rows are small, and alike by chance. */
  ofCounts: { against: 0.01, byChance: 0.7, filled: 100 },
  sample: 200,
};

/** Rows whose total is not the sum of their parts in another table, which it is in nearly all rows. */
export function wrongSumsIn(table: ObservedTable, database: ObservedDatabase): Candidate[] {
  const totals = totalsIn(table);
  if (totals.length === 0) return [];
  const found = pointingTo(table, database)
    .filter(({ parts }) => parts !== table)
    .flatMap(({ key, reference, parts }) => sumsOver(table, totals, { key, reference, parts }, database));
  // One wrong total is said once, by what fewest rows are against, in the fewest words.
  const best = new Map<string, Candidate>();
  for (const each of found.toSorted(
    (a, b) => a.rows.length - b.rows.length || a.statement.length - b.statement.length,
  )) {
    const name = each.columns.join();
    if (!best.has(name)) best.set(name, each);
  }
  return [...best.values()];
}

/** What can be reckoned with; texts of numbers are left out, which other tables' statements cannot read. */
const numbersOf = (table: ObservedTable) =>
  measuredColumns(table)
    .filter((each) => !each.isMoment && each.column.kind !== "text" && !isIdentifier(each))
    .slice(0, limits.columns);

const known = new WeakMap<ObservedTable, Measured[]>();
function totalsIn(table: ObservedTable): Measured[] {
  const found =
    known.get(table) ??
    (table.isWhole && table.rowCount >= limits.filled
      ? numbersOf(table).filter(({ column }) => column.values.length >= limits.counts)
      : []);
  known.set(table, found);
  return found;
}

/** Which rows of the parts belong to which row of the table. */
type Belonging = { key: ObservedColumn; reference: ObservedColumn; parts: ObservedTable; byRow: Int32Array };

function sumsOver(
  table: ObservedTable,
  totals: readonly Measured[],
  { key, reference, parts }: Pointing,
  database: ObservedDatabase,
): Candidate[] {
  const belonging = belongingTo(key, reference, parts);
  if (!belonging) return [];
  return formsOf(numbersOf(parts)).flatMap((terms) => {
    const made = madeOf(belonging, sumOf(parts, terms), table.rowCount);
    return wholesOf(totals, terms).flatMap(
      (whole) => wrongIn(table, { ...belonging, whole, terms, made }, database) ?? [],
    );
  });
}

/** A column of a table, of its parts, that points to a key of another. */
type Pointing = Pick<Belonging, "key" | "reference" | "parts">;

/** Each table asks for what points to it: that is gathered once. */
const gathered = new WeakMap<ObservedDatabase, ReadonlyMap<ObservedTable, readonly Pointing[]>>();

/** What points to a table, of those with enough rows, in the order of the database's tables and their columns. */
function pointingTo(table: ObservedTable, database: ObservedDatabase): readonly Pointing[] {
  const before = gathered.get(database);
  const pointing = before ?? pointingIn(database);
  if (!before) gathered.set(database, pointing);
  return pointing.get(table) ?? [];
}

function pointingIn(database: ObservedDatabase): ReadonlyMap<ObservedTable, readonly Pointing[]> {
  const byName = Map.groupBy(database.tables, nameOf);
  const pointing = new Map<ObservedTable, Pointing[]>();
  for (const parts of database.tables) {
    if (!parts.isWhole || parts.rowCount < limits.filled) continue;
    for (const reference of parts.columns)
      for (const { table, key } of keysFor(parts, reference, database, byName)) {
        const own = pointing.get(table) ?? [];
        own.push({ key, reference, parts });
        pointing.set(table, own);
      }
  }
  return pointing;
}

const nameOf = ({ schemaName, tableName }: { schemaName: string; tableName: string }): string =>
  JSON.stringify([schemaName, tableName]);

/** By what the database declares, else by what was found. */
function keysFor(
  parts: ObservedTable,
  reference: ObservedColumn,
  database: ObservedDatabase,
  byName: ReadonlyMap<string, readonly ObservedTable[]>,
): { table: ObservedTable; key: ObservedColumn }[] {
  const to = reference.references;
  if (to)
    return (byName.get(nameOf(to)) ?? []).flatMap((table) => {
      const key = table.columns.find(({ name }) => name === to.columnName);
      return key ? { table, key } : [];
    });
  const found = referenceOf(parts, reference, database);
  return found && found.named > 0 ? [{ table: found.parent.table, key: found.parent.column }] : [];
}

/** null where hardly any row has several parts. */
function belongingTo(key: ObservedColumn, reference: ObservedColumn, parts: ObservedTable): Belonging | null {
  const rowByValue = new Map<string, number>();
  for (const [row, index] of key.rows.entries()) if (index >= 0) rowByValue.set(key.values[index] ?? "", row);
  const rowByIndex = Int32Array.from(reference.values, (value) => rowByValue.get(value) ?? -1);
  const several = [...reference.counts.entries()].filter(
    ([index, count]) => count > 1 && (rowByIndex[index] ?? -1) >= 0,
  );
  if (several.length < limits.several) return null;
  return { key, reference, parts, byRow: reference.rows.map((index) => rowByIndex[index] ?? -1) };
}

/** What may be added up: a column, a product of two, the same less a share, and how many parts there are. */
function formsOf(numbers: readonly Measured[]): Term[][] {
  const names = numbers.map(({ column }) => column.name);
  const shares = numbers.filter((each) => isWithin(each, 0, 1) && hasFractions(each));
  const products = names.flatMap((a, index) => [[a], ...names.slice(index + 1).map((b) => [a, b])]);
  return [
    [],
    ...products,
    ...products.flatMap((factors) =>
      shares
        .filter(({ column }) => !factors.includes(column.name))
        .map(({ column }) => [...factors, { column: column.name, times: -1, plus: 1 }]),
    ),
  ].map((factors) => [{ sign: 1, factors }]);
}

/** A total alone, or beside one other: what was paid for shipping is no part of the lines. */
function wholesOf(totals: readonly Measured[], terms: readonly Term[]): { total: Measured; terms: Term[] }[] {
  const isCount = terms[0]?.factors.length === 0;
  const one = (total: Measured): Term => ({ sign: 1, factors: [total.column.name] });
  return totals.flatMap((total) =>
    isCount
      ? [{ total, terms: [one(total)] }]
      : [
          { total, terms: [one(total)] },
          ...totals
            .filter((other) => other !== total)
            .flatMap((other) =>
              ([1, -1] as const).map((sign) => ({
                total,
                terms: [one(total), { sign, factors: [other.column.name] }],
              })),
            ),
        ],
  );
}

/** What the parts of each row add up to; NaN where it has none of which anything is known. */
function madeOf(
  { byRow }: Belonging,
  part: (row: number) => number,
  rowCount: number,
): { sums: Float64Array; counts: Int32Array } {
  const sums = new Float64Array(rowCount);
  const counts = new Int32Array(rowCount);
  for (const [row, whole] of byRow.entries()) {
    const value = part(row);
    if (whole < 0 || Number.isNaN(value)) continue;
    sums[whole] = (sums[whole] ?? 0) + value;
    counts[whole] = (counts[whole] ?? 0) + 1;
  }
  return { sums: sums.map((sum, row) => ((counts[row] ?? 0) === 0 ? Number.NaN : sum)), counts };
}

type Sum = Belonging & {
  whole: { total: Measured; terms: readonly Term[] };
  terms: readonly Term[];
  made: ReturnType<typeof madeOf>;
};

function wrongIn(table: ObservedTable, sum: Sum, database: ObservedDatabase): Candidate | null {
  const { whole, made, terms } = sum;
  const isCount = terms[0]?.factors.length === 0;
  const of = sumOf(table, whole.terms);
  const unit = unitOf(whole.total);
  const tolerance = unit * 0.5 + noiseOf(whole.total);
  const step = Math.max(1, Math.floor(table.rowCount / limits.sample));
  let [checked, wrong] = [0, 0];
  for (let row = 0; row < table.rowCount; row += step) {
    const difference = Math.abs(of(row) - (made.sums[row] ?? Number.NaN));
    if (Number.isNaN(difference)) continue;
    checked++;
    if (difference > tolerance && ++wrong > 4 + checked * 0.08) return null;
  }
  let [filled, several, tried, byChance] = [0, 0, 0, 0];
  const [against, totals] = [[] as number[], new Set<number>()];
  for (let row = 0; row < table.rowCount; row++) {
    const measure = of(row);
    const difference = Math.abs(measure - (made.sums[row] ?? Number.NaN));
    if (Number.isNaN(difference)) continue;
    filled++;
    if (difference > tolerance) against.push(row);
    else {
      totals.add(measure);
      if ((made.counts[row] ?? 0) > 1 && measure !== 0) several++;
    }
    if (measure === 0) continue;
    tried++;
    const other = made.sums[(row * 7919 + 13) % table.rowCount] ?? Number.NaN;
    if (Math.abs(measure - other) <= tolerance) byChance++;
  }
  const chance = tried === 0 ? 1 : byChance / tried;
  const isBelieved =
    filled >= (isCount ? limits.ofCounts.filled : limits.filled) &&
    several >= limits.several &&
    totals.size >= (isCount ? limits.counts : limits.totals) &&
    against.length > 0 &&
    against.length <= Math.max(1, filled * (isCount ? limits.ofCounts.against : limits.against)) &&
    chance <= (isCount ? limits.ofCounts.byChance : limits.byChance);
  return isBelieved ? described(table, sum, { against, filled, several, chance, tolerance }, database) : null;
}

/**
 * Rows of which a part is wrong by itself, there twice, or lost, because it refers to nothing: that is said of the part.
 * Wrong totals among them are few beside what would be said twice.
 */
function withoutWrongParts(
  table: ObservedTable,
  against: readonly number[],
  { parts, byRow, terms, whole, made }: Sum,
  tolerance: number,
): number[] {
  const factors = terms.flatMap((term) =>
    term.factors.map((each) => (typeof each === "string" ? each : each.column)),
  );
  const columns = factors.map((name) => columnOf(parts, name));
  const wholes = new Set<number>();
  for (const { columns: used, against: wrong } of equationsIn(parts))
    if (used.some(({ column }) => columns.includes(column)))
      for (const row of wrong) wholes.add(byRow[row] ?? -1);
  const seen = new Set<string>();
  const withEmpty = new Set<number>();
  for (const [row, whole] of byRow.entries()) {
    if (whole < 0) continue;
    if (columns.some((column) => (column.rows[row] ?? -1) < 0)) withEmpty.add(whole);
    // The rest of the row may have a number of its own.
    const line = parts.columns
      .filter((column) => column.values.length < parts.rowCount * 0.99)
      .map((column) => column.rows[row])
      .join();
    if (seen.has(line)) wholes.add(whole);
    seen.add(line);
  }
  if (!areMeantEmpty(withEmpty, new Set(against))) for (const each of withEmpty) wholes.add(each);
  const part = sumOf(parts, terms);
  const lost = [...byRow.keys()].filter((row) => byRow[row] === -1).map(part);
  const of = sumOf(table, whole.terms);
  const hasLost = (row: number) => {
    const missing = of(row) - (made.sums[row] ?? 0);
    return lost.some((value) => Math.abs(missing - value) <= tolerance);
  };
  return against.filter((row) => !wholes.has(row) && !hasLost(row));
}

/** Of so many rows with an empty part, nearly all totals are right without it: an option that nobody took has no amount. */
const meantEmpty = { rows: 20, share: 0.9 };

function areMeantEmpty(withEmpty: ReadonlySet<number>, against: ReadonlySet<number>): boolean {
  const right = [...withEmpty].filter((row) => !against.has(row)).length;
  return right >= meantEmpty.rows && right >= withEmpty.size * meantEmpty.share;
}

function described(
  table: ObservedTable,
  sum: Sum,
  found: { against: readonly number[]; filled: number; several: number; chance: number; tolerance: number },
  database: ObservedDatabase,
): Candidate | null {
  const { whole, parts, key, reference, terms } = sum;
  const own = withoutWrongParts(table, found.against, sum, found.tolerance);
  if (own.length === 0) return null;
  const { schemaName, tableName } = parts;
  const unequal: Condition = {
    ...{ is: "unequalParts", key: key.name, terms: whole.terms },
    parts: { schemaName, tableName, columnName: reference.name, terms },
    tolerance: found.tolerance,
  };
  const keyOf = (row: number) => key.values[key.rows[row] ?? -1] ?? "";
  const condition: Condition =
    own.length === found.against.length
      ? unequal
      : { is: "all", of: [unequal, { is: "oneOf", column: key.name, values: [...new Set(own.map(keyOf))] }] };
  const rows = rowsAgainst(condition, table, lookupIn(database.tables));
  if (rows.length === 0) return null;
  const { total } = whole;
  const isCount = terms[0]?.factors.length === 0;
  const made = isCount
    ? `the number of its rows in ${tableName}`
    : `the sum of ${formula(terms)} in ${tableName}`;
  const said = whole.terms.length > 1 ? `${formula(whole.terms)}` : withArticle(total.column.name);
  const names = [
    ...new Set([total.column.name, ...whole.terms.flatMap(({ factors }) => factors.map(String))]),
  ];
  return {
    kind: "Impossible",
    table,
    columns: [total.column.name],
    rows,
    condition,
    outOf: found.filled,
    statement: `${rowsOf(rows.length, found.filled)} of ${table.tableName} ${have(rows.length)} ${said} that is not ${made}; in all others it is.`,
    rule: null,
    features: {
      rarity: rarityOf(rows.length, found.filled),
      few: 1 / rows.length,
      byChance: found.chance,
      telling: found.several / found.filled,
      far: farness(total, rows, found.tolerance),
      explained: explainedBy(table, rows, names)?.share ?? 0,
      isAtEnd: Number(isAtTheEnd(table, rows)),
    },
    evidence: {},
  };
}

/** How large the totals are beside what rounding makes. */
function farness(total: Measured, rows: Int32Array, tolerance: number): number {
  const size = medianOf([...rows].map((row) => Math.abs(total.rows[row] ?? 0)));
  return Number.isNaN(size) ? 0 : Math.min(1, Math.log10(1 + size / tolerance) / 4);
}
