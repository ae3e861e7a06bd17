import { filledRows, type ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import type { ObservedDatabase } from "../candidate.ts";
import { isNamedLikeKey, wordsOf } from "../names.ts";
import { codeShare } from "../text-looks.ts";
import { firstValues, LikelyParents } from "./likely-parents.ts";
import { NamedAlike } from "./named-alike.ts";

/** A column of which each value names one row of its table. */
export type Parent = { table: ObservedTable; column: ObservedColumn };

/** Each table asks for the parents among all, and each column for what is known of many: it is gathered once. */
const gathered = {
  parents: new WeakMap<ObservedDatabase, Parent[]>(),
  likely: new WeakMap<ObservedDatabase, ReadonlyMap<string | undefined, LikelyParents<Parent>>>(),
  inPart: new WeakMap<ObservedDatabase, { columns: readonly Parent[]; named: NamedAlike }>(),
  values: new WeakMap<ObservedColumn, ReadonlySet<string>>(),
  isDense: new WeakMap<ObservedColumn, boolean>(),
  rowNumbers: new WeakMap<ObservedDatabase, ReadonlySet<string>>(),
  references: new WeakMap<ObservedDatabase, WeakMap<ObservedColumn, Reference | null>>(),
};

/** A column whose values are those of a parent, or nearly so. */
export type Reference = {
  parent: Parent;
  /** How well the names say so: 0 for not at all, 1 for the parent's table and its key. */
  named: number;
  /** How many of the child's rows with a value have one of the parent. */
  contained: number;
  /** The child's values, by their indexes, that the parent does not have. */
  missing: number[];
};

const least = { unique: 0.98, values: 5, contained: 0.9, codes: 5, named: 50, fractions: 0.1 };

const families: Partial<Record<string, string>> = {
  integer: "number",
  decimal: "number",
  text: "text",
  uuid: "text",
};

/** Every column that others may point to: its values are there and each is there once. Only of tables read whole. */
export function parentsIn(database: ObservedDatabase): Parent[] {
  const before = gathered.parents.get(database);
  if (before) return before;
  const parents = database.tables
    .filter(({ isWhole }) => isWhole)
    .flatMap((table) =>
      table.columns
        .filter(
          (column) =>
            families[column.kind] !== undefined &&
            column.values.length >= least.values &&
            column.nulls <= table.rowCount * 0.02 &&
            !hasFractions(column) &&
            column.values.length >= filledRows(column) * least.unique,
        )
        .map((column) => ({ table, column })),
    );
  gathered.parents.set(database, parents);
  return parents;
}

/** The same by what their values are compared as. */
function likelyIn(database: ObservedDatabase): ReadonlyMap<string | undefined, LikelyParents<Parent>> {
  const before = gathered.likely.get(database);
  if (before) return before;
  const familyOf = (column: ObservedColumn) => families[column.kind];
  const columns = Map.groupBy(
    database.tables.flatMap((table) => table.columns),
    familyOf,
  );
  const parents = Map.groupBy(parentsIn(database), ({ column }) => familyOf(column));
  const likely = new Map(
    [...parents].map(([family, those]) => [
      family,
      new LikelyParents(those, {
        columns: columns.get(family) ?? [],
        isFoundByValues: ({ column }) => !isCounted(column),
      }),
    ]),
  );
  gathered.likely.set(database, likely);
  return likely;
}

/** The columns of tables that were read in part: which of their values are keys is not known. */
function inPartIn(database: ObservedDatabase): { columns: readonly Parent[]; named: NamedAlike } {
  const before = gathered.inPart.get(database);
  if (before) return before;
  const columns = database.tables.flatMap((table) =>
    table.isWhole ? [] : table.columns.map((column) => ({ table, column })),
  );
  const inPart = { columns, named: new NamedAlike(columns) };
  gathered.inPart.set(database, inPart);
  return inPart;
}

/** Amounts name nothing, however seldom two are alike. One fraction among many keys is a slip. */
function hasFractions({ numbers }: ObservedColumn): boolean {
  if (!numbers) return false;
  const fractions = numbers.filter((number) => !Number.isInteger(number) && !Number.isNaN(number)).length;
  return fractions > numbers.length * least.fractions;
}

export function valuesOf(column: ObservedColumn): ReadonlySet<string> {
  const values = gathered.values.get(column) ?? new Set(column.values);
  gathered.values.set(column, values);
  return values;
}

/**
 * The best of the database's parents that a column may point to; null when there is none, or when the best cannot be
 * judged.
 */
export function referenceOf(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): Reference | null {
  const known = gathered.references.get(database) ?? new WeakMap<ObservedColumn, Reference | null>();
  gathered.references.set(database, known);
  const before = known.get(column);
  if (before !== undefined) return before;
  const reference = bestReference(table, column, database);
  known.set(column, reference);
  return reference;
}

function bestReference(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): Reference | null {
  const family = families[column.kind];
  if (family === undefined || column.values.length === 0) return null;
  if (isOwnKey(table, column)) return null;
  const child = { table, column, isFirst: isUniqueFirst(table, column) };
  if (child.isFirst && rowNumbersIn(database).has(wordsOf(column.name).join())) return null;
  const isNear = ({ parent }: Reference) => Number(parent.table.schemaName === table.schemaName);
  const candidates = (likelyIn(database).get(family)?.of(table, column) ?? [])
    .flatMap((parent) => (parent.column === column ? [] : (referenceTo(child, parent) ?? [])))
    .toSorted(
      (a, b) => b.named - a.named || isNear(b) - isNear(a) || b.contained - a.contained || size(a) - size(b),
    );
  const [best] = candidates;
  // A table that was read in part may be the one that is meant.
  const inPart = inPartIn(database);
  const isUnclear = [...inPart.named.of(table, column)]
    .flatMap((place) => inPart.columns[place] ?? [])
    .some((key) => nameMatch(table, column, key) > (best?.named ?? 0));
  return best && !isUnclear ? best : null;
}

/**
 * Whether the column that this one points to has a value as well, which is then written as it should be; by the value's
 * index. Looks for that column only when asked.
 */
export function writtenAsPointedTo(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): (index: number) => boolean {
  let known: ReadonlySet<string> | undefined;
  return (index) => {
    known ??= valuesPointedTo(table, column, database);
    return known.has(column.values[index] ?? "");
  };
}

/** Whether or not the database declares that it points there; none where it points nowhere. */
function valuesPointedTo(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): ReadonlySet<string> {
  const { references } = column;
  const declared =
    references &&
    database.tables
      .find(
        ({ schemaName, tableName, isWhole }) =>
          isWhole && schemaName === references.schemaName && tableName === references.tableName,
      )
      ?.columns.find(({ name }) => name === references.columnName);
  if (declared) return valuesOf(declared);
  const found = referenceOf(table, column, database);
  return found && found.contained >= least.contained ? valuesOf(found.parent.column) : new Set();
}

const size = ({ parent }: Reference) => parent.column.values.length;

/** What identifies the rows of its own table points nowhere. */
function isOwnKey(table: ObservedTable, column: ObservedColumn): boolean {
  const isUnique = column.values.length >= filledRows(column) * least.unique;
  if (!isUnique || column.references) return false;
  const words = wordsOf(column.name);
  const stem = words.slice(0, -1);
  return (
    words.join() === "id" ||
    (stem.length > 0 && isSameThing(stem, wordsOf(table.tableName))) ||
    isTableWithKeyWord(words, table)
  );
}

/** `emailaddressid` in `emailaddress`: all in one word, as databases that fold names leave them. */
const isTableWithKeyWord = (words: readonly string[], { tableName }: ObservedTable): boolean => {
  const [name, table] = [words.join(""), wordsOf(tableName).join("")];
  return name.startsWith(table) && /^(id|key|code|no|nr|nummer)$/.test(name.slice(table.length));
};

/** So many tables whose rows are counted in a column of one name count them each for itself. */
const leastNumbered = 3;

/** The names of columns that count the rows of several tables: the same number in two of them says nothing. */
function rowNumbersIn(database: ObservedDatabase): ReadonlySet<string> {
  const before = gathered.rowNumbers.get(database);
  if (before) return before;
  const counters = parentsIn(database).filter((parent) => isFirst(parent) && isDense(parent.column));
  const byName = Map.groupBy(counters, ({ column }) => wordsOf(column.name).join());
  const names = new Set([...byName].flatMap(([name, those]) => (those.length < leastNumbered ? [] : name)));
  gathered.rowNumbers.set(database, names);
  return names;
}

const isFirst = ({ table, column }: Parent) => column.isPrimaryKey || table.columns[0] === column;
const isUniqueFirst = (table: ObservedTable, column: ObservedColumn) =>
  !column.references &&
  isFirst({ table, column }) &&
  column.values.length >= filledRows(column) * least.unique;

/** A column that may point somewhere; `isFirst` if it names the rows of its own table. */
type Child = { table: ObservedTable; column: ObservedColumn; isFirst: boolean };

function referenceTo({ table, column, ...child }: Child, parent: Parent): Reference | null {
  // A table of the same name in another schema is a copy, or a stage of loading.
  if (parent.table !== table && parent.table.tableName === table.tableName) return null;
  // What names the rows of its own table is pointed to by what stands somewhere in another, and not the other way round.
  if (child.isFirst && !isFirst(parent)) return null;
  // Of two columns of one table, the one with fewer values points to the other.
  if (parent.table === table && column.values.length >= parent.column.values.length) return null;
  const named = nameMatch(table, column, parent);
  const isNumber = families[column.kind] === "number";
  if (
    named === 0 &&
    (isCounted(parent.column) || !(isNumber ? namesRows(parent) : isCodeOf(table, column, parent)))
  )
    return null;
  const known = valuesOf(parent.column);
  if (!firstValues(column).some((value) => known.has(value))) return null;
  const missing: number[] = [];
  let rows = 0;
  for (const [index, value] of column.values.entries()) {
    if (known.has(value)) rows += column.counts[index] ?? 0;
    else missing.push(index);
  }
  const filled = filledRows(column);
  if (column.values.length - missing.length < (named > 0 ? 2 : least.codes)) return null;
  return { parent, named, contained: rows / filled, missing };
}

/** Texts that stand for rows elsewhere: repeated, or a key of the other table. */
function isCodeOf(table: ObservedTable, column: ObservedColumn, parent: Parent): boolean {
  const isRepeated = column.values.length < filledRows(column) * 0.9;
  return table !== parent.table && namesRows(parent) && (isRepeated || parent.column.isPrimaryKey);
}

/** Whether the parent's column is what its rows are called by, and not just different in each. */
export const namesRows = ({ table, column }: Parent): boolean =>
  column.isPrimaryKey || isNamedLikeKey(column.name) || table.columns[0] === column;

/** Numbers that are kept as texts are numbers. */
const isCounted = (column: ObservedColumn): boolean =>
  (families[column.kind] === "number" || column.numbers !== null) && isDense(column);

/** So much of the numbers, at either end, may be far from the others: one wrong key makes no others rare. */
const farOff = 0.02;
/** From one number to the next, in the middle. */
const mostBetween = 3;

/**
 * Counted from somewhere with few numbers left out, maybe in several stretches: any number of theirs is among them by
 * chance.
 */
function isDense(column: ObservedColumn): boolean {
  const before = gathered.isDense.get(column);
  if (before !== undefined) return before;
  const sorted = (column.numbers ?? new Float64Array()).filter((number) => !Number.isNaN(number)).sort();
  const left = Math.floor(sorted.length * farOff);
  const middle = sorted.slice(left, sorted.length - left);
  const gaps = middle
    .slice(1)
    .map((number, index) => number - (middle[index] ?? 0))
    .sort();
  const isDense =
    middle.length > ((middle.at(-1) ?? 0) - (middle[0] ?? 0)) * 0.1 ||
    (gaps[gaps.length >> 1] ?? 0) <= mostBetween;
  gathered.isDense.set(column, isDense);
  return isDense;
}

/**
 * How well names say that a column points to another: `customer_id` to `customers.id` or `customer` fully,
 * `billing_address_id` to `addresses.id` by its end, `customer_id` to `customer_id`, and `parent_id` or `manager_id` to
 * the key of the same table a little.
 */
export function nameMatch(
  table: ObservedTable,
  column: ObservedColumn,
  { table: other, column: key }: Parent,
): number {
  const [child, target, place] = [wordsOf(column.name), wordsOf(key.name), wordsOf(other.tableName)];
  const endsAlike = child.length > target.length && child.slice(-target.length).join() === target.join();
  if (table === other) {
    const isOwn = key.isPrimaryKey || target.join() === "id" || (target.length > 1 && endsAlike);
    return isNamedLikeKey(column.name) && isOwn ? 0.3 : 0;
  }
  const isPlain = target.length === 1;
  // What follows the thing's name, or stands before it, is how its key is called there.
  const stem =
    isPlain && child.at(-1) === target[0]
      ? child.slice(0, -1)
      : isPlain && child.length > 1 && child[0] === target[0]
        ? child.slice(1)
        : child;
  const isKey = namesRows({ table: other, column: key });
  if (isSameThing(stem, place) && isKey) return 1;
  // Two things may both have a size, or a place in line.
  if (child.join() === target.join() && !isPlain && (isKey || key.kind === "text"))
    return isSameThing(target.slice(0, -1), place) ? 1 : 0.6;
  if (child.join("") === target.join("") && target.join("") !== "id" && isNamedLikeKey(key.name))
    return isSameThing([(target[0] ?? "").replace(/(id|key|code|no|nr|nummer)$/, "")], place) ? 1 : 0.6;
  const end = stem.slice(-place.length);
  if (stem.length > place.length && isSameThing(end, place) && isKey) return 0.8;
  // `ailment_id` to `move_ailments.id`: tables are called by more words where they need them.
  if (stem.length > 1 && isSameThing(stem, place.slice(-stem.length)) && isKey && isPlain) return 0.7;
  if (!isPlain && endsAlike) return 0.7;
  if (isKey && isNamedLikeKey(key.name) && endsWithKey(child, target)) return 0.6;
  return child.join() === target.join() && areCodes(column) && areCodes(key) ? 0.5 : 0;
}

/** Where names are one word, `pipersid` ends with `persid`; a shorter end may be any word's. */
const endsWithKey = (
  [child = "", ...more]: readonly string[],
  [key = "", ...others]: readonly string[],
): boolean => more.length + others.length === 0 && key.length >= 5 && child !== key && child.endsWith(key);

/** `msisdn` here and there: texts that name things, and are no words. */
const areCodes = (column: ObservedColumn) =>
  column.kind === "text" && column.values.length >= least.named && codeShare(column) > 0.9;

/** `customer` and `customers`, `address` and `addresses`, `kunde` and `kunden`, `category` and `categories`. */
function isSameThing(left: readonly string[], right: readonly string[]): boolean {
  const [a, b] = [left.join(""), right.join("")];
  const common = Math.min(a.length, b.length);
  if (common < 3) return a === b && a !== "";
  let shared = 0;
  while (shared < common && a[shared] === b[shared]) shared++;
  return (
    shared >= common - 1 &&
    shared >= 3 &&
    Math.abs(a.length - b.length) <= (shared === common ? 2 : 3) &&
    (shared === common || /(y|ies)$/.test(a) || /(y|ies)$/.test(b))
  );
}
