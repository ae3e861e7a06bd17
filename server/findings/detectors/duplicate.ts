import { type Grouping, groupBy, groupWithNulls, sizesOf } from "../../profile/grouping.ts";
import { filledRows, type ObservedColumn } from "../../profile/observed-column.ts";
import { isWholeKey, type ObservedTable } from "../../profile/observed-table.ts";
import { listed, plural } from "../../text.ts";
import type { Candidate, Detector, ObservedDatabase } from "../candidate.ts";
import { chanceOfAtLeast, expectedAlike, expectedPairs, expectedRepeats, surplus } from "../chance.ts";
import { withRows } from "../doubted.ts";
import { knownFormatOf, knownFormats } from "../known-formats.ts";
import { medianOf } from "../measured.ts";
import { isNamedLikeKey, isNamedLikeMeasure, isNamedLikeProse, wordsOf } from "../names.ts";
import { placeholderOf } from "../placeholders.ts";
import { exactShapeOf } from "../shape.ts";
import { supersededShare } from "../superseded.ts";
import { codeShare } from "../text-looks.ts";

/** Of fewer rows nothing is known to be a key; of more repetitions, it is none. */
const least = { rows: 20, dense: 0.8, told: 0.25 };
/**
 * What is expected may be off by so many times; where it is so many times more, something keeps rows apart; and a key is
 * one where at least so many would be alike by chance.
 */
const limits = { asExpected: 2, apart: 10, exact: 20 };
const most = { repeated: 0.03, repeatedByName: 0.06, keyParts: 8, otherwise: 0.02 };

/** What no two persons or things have in common: an email address, an IBAN. */
const formatsOfOne = knownFormats.filter(({ isOfOne }) => isOfOne);

/** Values that occur twice where each occurs once: in a key, in a combination of columns, in whole rows. */
export const duplicates: Detector = (table, database) => {
  if (table.rowCount < least.rows) return [];
  const keys = isLink(table)
    ? []
    : table.columns.flatMap((column) => repeatedValues(table, column, database));
  const combinations = repeatedCombinations(table);
  return [...keys, ...combinations, ...repeatedRows(table)];
};

/** Nothing but two keys: one of many belongs to many of the other, and neither is alone. */
const isLink = ({ columns }: ObservedTable): boolean =>
  columns.length === 2 && columns.every(({ name }) => isNamedLikeKey(name) && wordsOf(name).length > 1);

function repeatedValues(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): Candidate[] {
  // A part of a key comes again, or the other parts would not be needed.
  if (column.isPrimaryKey || !["integer", "text", "uuid"].includes(column.kind)) return [];
  const filled = filledRows(column);
  const repeats = filled - column.values.length;
  const isKey = isNamedLikeKey(column.name);
  const allowed = isKey ? most.repeatedByName : most.repeated;
  if (filled < least.rows || repeats === 0 || repeats > Math.max(2, filled * allowed)) return [];
  const expected = expectedRepeats(column);
  const isCode = column.kind === "text" ? codeShare(column) : 1;
  const indexes = [...column.values.keys()].filter((index) => (column.counts[index] ?? 0) > 1);
  if (indexes.every((index) => standsForNothing(column, index))) return [];
  return [
    candidate(table, [column], {
      statement: `${plural(indexes.length, "value")} of ${column.name} ${indexes.length === 1 ? "occurs" : "occur"} more than once in ${table.tableName}; the other ${plural(column.values.length - indexes.length, "value")} once each.`,
      rule: { type: "Uniqueness", configuration: { column: column.name } },
      features: {
        repeatRarity: Math.min(1, -Math.log10(repeats / filled) / 4),
        isKey: Number(isKey),
        isCode,
        // Far fewer repetitions than chance would give: something keeps them apart.
        isKeptApart: expected === null ? 0 : Math.min(1, expected / repeats / 20),
        isByChance: expected === null ? 0 : Number(expected < filled * 0.05 && expected > repeats / 5),
        isReference: Number(namesAnother(column, table, database)),
        isFirst: Number(table.columns[0] === column),
        isKeyText: Number(isKey && column.kind !== "integer" && isCode > 0.5),
        isLong: Number(isKey && column.kind === "text" && isCode > 0.9 && isLong(column)),
        isUuid: Number(column.kind === "uuid"),
        isFormed: Number(column.kind === "text" && isFormed(column)),
        isCounted: Number(column.kind === "text" && isCounted(column)),
        isOfOne: Number(column.kind === "text" && knownFormatOf(column, formatsOfOne) !== null),
        isSuperseded: supersededShare(table, repeatedIn(groupBy([column])), [column.name]),
      },
      evidence: { doubted: withRows(column, indexes) },
    }),
  ];
}

/** What says that there is nothing comes again, and nothing is there twice for that. */
const standsForNothing = ({ kind, values }: ObservedColumn, index: number): boolean =>
  kind === "text" && ["sure", "signs", "repeated"].includes(placeholderOf(values[index] ?? "") ?? "");

/** Codes of one form, which somebody gave out: all have as many letters and digits, in the same places. */
function isFormed({ values }: ObservedColumn): boolean {
  const [first = ""] = values;
  const shape = exactShapeOf(first);
  if (first.length < 2 || first.includes(" ") || /a/.test(shape)) return false;
  const others = values.filter((value) => exactShapeOf(value) !== shape).length;
  return others <= values.length * most.otherwise;
}

/** So many digits in a code that two of them are never alike by chance, whoever gives them out and in whatever form. */
const digitsOfLong = 7;
function isLong({ values }: ObservedColumn): boolean {
  const lengths = values.slice(0, 2000).map((value) => value.replace(/[^\da-f]/gi, "").length);
  return medianOf(lengths) >= digitsOfLong;
}

/** Codes that count on: their last numbers hardly leave one out, as `INV-00012` follows `INV-00011`. */
function isCounted({ values }: ObservedColumn): boolean {
  const stems = new Map<string, number[]>();
  for (const value of values) {
    const [, stem, number] = /^(.*?)(\d{1,15})$/.exec(value) ?? [];
    if (stem === undefined || number === undefined) continue;
    const numbers = stems.get(stem) ?? [];
    numbers.push(Number(number));
    stems.set(stem, numbers);
  }
  const dense = [...stems.values()].filter((numbers) => {
    const [low, high] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
    return numbers.length >= least.rows && numbers.length >= (high - low + 1) * least.dense;
  });
  return dense.reduce((sum, { length }) => sum + length, 0) >= values.length * (1 - most.otherwise);
}

/** `customer_id` and `id_client` in orders: one customer may well have two. */
function namesAnother(
  { name, references }: ObservedColumn,
  table: ObservedTable,
  { tables }: ObservedDatabase,
): boolean {
  if (references) return true;
  const words = wordsOf(name);
  const stems = [words.slice(0, -1), ...(isNamedLikeKey(words[0] ?? "") ? [words.slice(1)] : [])].map(
    (stem) => stem.join(""),
  );
  return tables.some(({ tableName }) => {
    const other = wordsOf(tableName).join("");
    const isNamed = (stem: string) =>
      stem !== "" && (other === stem || other === `${stem}s` || other === `${stem}es`);
    return tableName !== table.tableName && stems.some(isNamed);
  });
}

/** Two or three columns that are hardly ever alike in two rows, though each alone often is. */
function repeatedCombinations(table: ObservedTable): Candidate[] {
  const parts = table.columns.filter(isKeyPart(table)).slice(0, most.keyParts);
  const found: Candidate[] = [];
  const isCovered = (columns: readonly ObservedColumn[]) =>
    found.some((each) => each.columns.every((name) => columns.some((column) => column.name === name)));
  const combinations = [...pairsOf(parts), ...triplesOf(parts)].map((columns) => {
    const grouping = groupBy(columns);
    const filled = grouping.groups.reduce((sum, group) => sum + Number(group >= 0), 0);
    return { columns, filled, repeats: surplus(grouping), expected: expectedPairs(columns, filled) };
  });
  const exact = combinations.filter(({ repeats, expected }) => repeats === 0 && expected >= limits.exact);
  for (const { columns, filled, repeats, expected } of combinations) {
    if (isCovered(columns)) continue;
    if (repeats === 0 || filled < least.rows || repeats > Math.max(2, filled * most.repeated)) continue;
    // Columns that go their own ways would be alike in about as many rows.
    if (expected < repeats * 5) continue;
    found.push(
      candidate(table, columns, {
        statement: `${plural(repeats, "row")} of ${table.tableName} ${repeats === 1 ? "repeats" : "repeat"} the ${listed(columns.map(({ name }) => name))} of another row; all others differ.`,
        rule: { type: "UniqueCombination", configuration: { columns: columns.map(({ name }) => name) } },
        features: {
          repeatRarity: Math.min(1, -Math.log10(repeats / filled) / 4),
          isKeptApart: Math.min(1, expected / repeats / 100),
          isCombination: 1,
          isTriple: Number(columns.length === 3),
          isBesideKey: Number(exact.some((key) => isAllButOne(key.columns, columns))),
          isSuperseded: supersededShare(
            table,
            repeatedIn(groupBy(columns)),
            columns.map(({ name }) => name),
          ),
        },
        evidence: {},
      }),
    );
  }
  return found;
}

/**
 * Whether all columns but one of an exact key are in another combination: the attempts at a thing are counted, and so two of
 * them seldom end alike.
 */
const isAllButOne = (key: readonly ObservedColumn[], columns: readonly ObservedColumn[]): boolean =>
  key.length <= columns.length && key.filter((column) => !columns.includes(column)).length === 1;

/** What tells rows apart together with something else: neither unique by itself nor nearly always the same. */
const isKeyPart = (table: ObservedTable) => (column: ObservedColumn) => {
  if (["float", "decimal", "other"].includes(column.kind) || isWholeKey(column, table)) return false;
  // Two rows may well have the same figure, or the same words.
  if (isNamedLikeProse(column.name) || (column.numbers && isNamedLikeMeasure(column.name))) return false;
  const different = column.values.length;
  return different >= 2 && different < table.rowCount * 0.9 && column.nulls < table.rowCount * 0.1;
};

/** A row that was loaded twice, its own number aside. */
function repeatedRows(table: ObservedTable): Candidate[] {
  const others = table.columns.filter((column) => !isSurrogate(column, table));
  if (others.length < 3 || others.every(({ values }) => values.length < 2)) return [];
  const grouping = groupWithNulls(others);
  const repeats = surplus(grouping);
  if (repeats === 0 || repeats > Math.max(2, table.rowCount * 0.1)) return [];
  if (sayLittle(table, others, grouping)) return [];
  return [
    candidate(
      table,
      others,
      {
        statement: `${plural(repeats, "row")} of ${table.tableName} ${repeats === 1 ? "repeats" : "repeat"} another row in everything${others.length < table.columns.length ? " but its number" : ""}.`,
        rule: null,
        features: {
          repeatRarity: Math.min(1, -Math.log10(repeats / table.rowCount) / 4),
          isWholeRow: 1,
          isKeptApart: 0,
          isByChance: chanceOf(repeats, expectedAlike(others, table.rowCount)),
          // Few columns are soon alike.
          isWide: Math.min(1, others.length / 8),
        },
        evidence: {},
      },
      true,
    ),
  ];
}

/**
 * Whether the repeated rows have hardly any of what others have: who answers no question of a survey is soon like somebody
 * else.
 */
function sayLittle(
  { rowCount }: ObservedTable,
  columns: readonly ObservedColumn[],
  grouping: ReturnType<typeof groupWithNulls>,
): boolean {
  const sizes = sizesOf(grouping);
  const usual = columns.map(mostFrequent);
  const told = Array.from({ length: rowCount }, (_, row) =>
    columns.reduce((sum, { rows }, at) => {
      const value = rows[row] ?? -1;
      return sum + Number(value >= 0 && value !== usual[at]);
    }, 0),
  );
  const repeated = told.filter((_, row) => (sizes[grouping.groups[row] ?? -1] ?? 0) > 1);
  return medianOf(repeated) < medianOf(told) * least.told;
}

/** The index of the value that most rows have; -1 where that is none. */
function mostFrequent({ counts, nulls }: ObservedColumn): number {
  const most = counts.reduce((best, count, index) => (count > (counts[best] ?? 0) ? index : best), 0);
  return nulls > (counts[most] ?? 0) ? -1 : most;
}

/**
 * 1 where chance would give about as many; 0 where it would give so many once in ten thousand times, or so many more that
 * something keeps rows apart.
 */
function chanceOf(repeats: number, expected: number): number {
  const few = chanceOfAtLeast(repeats, expected);
  const tooMany = Math.log(Math.max(1, expected / repeats / limits.asExpected));
  const apart = tooMany / Math.log(limits.apart / limits.asExpected);
  return Math.max(0, Math.min(1, 1 - apart, 1 + Math.log10(Math.max(Number.MIN_VALUE, few)) / 4));
}

/** The rows of each group of several. */
function repeatedIn(grouping: Grouping): number[][] {
  const sizes = sizesOf(grouping);
  const rows = new Map<number, number[]>();
  for (const [row, group] of grouping.groups.entries()) {
    if (group < 0 || (sizes[group] ?? 0) < 2) continue;
    const known = rows.get(group);
    if (known) known.push(row);
    else rows.set(group, [row]);
  }
  return [...rows.values()];
}

/** A number, or an identifier, that every row has for itself. */
const isSurrogate = (column: ObservedColumn, table: ObservedTable): boolean =>
  isWholeKey(column, table) ||
  (column.values.length >= table.rowCount * 0.999 && ["integer", "uuid"].includes(column.kind));

function candidate(
  table: ObservedTable,
  columns: readonly ObservedColumn[],
  said: Pick<Candidate, "statement" | "rule" | "features" | "evidence">,
  wholeRows = false,
): Candidate {
  const grouping = (wholeRows ? groupWithNulls : groupBy)(columns);
  const sizes = sizesOf(grouping);
  const rows: number[] = [];
  for (const [row, group] of grouping.groups.entries())
    if (group >= 0 && (sizes[group] ?? 0) > 1) rows.push(row);
  const names = columns.map(({ name }) => name);
  return {
    kind: "Duplicate",
    table,
    columns: names,
    rows: Int32Array.from(rows),
    condition: { is: "repeated", columns: names, ...(wholeRows && { wholeRows }) },
    outOf: table.rowCount,
    ...said,
  };
}

function pairsOf<T>(from: readonly T[]): T[][] {
  return from.flatMap((first, index) => from.slice(index + 1).map((second) => [first, second]));
}

function triplesOf<T>(from: readonly T[]): T[][] {
  return from.flatMap((first, index) => pairsOf(from.slice(index + 1)).map((pair) => [first, ...pair]));
}
