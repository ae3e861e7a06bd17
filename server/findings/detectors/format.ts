import { filledRows, type ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { withArticle } from "../../text.ts";
import { isBoundedNumber } from "../bounded-number.ts";
import type { Candidate, Detector, ObservedDatabase } from "../candidate.ts";
import { codesAmongNumbers } from "../codes-among-numbers.ts";
import { patternOfForm } from "../date-writing.ts";
import { dayOrderOf, rarerOfTwoForms } from "../day-order.ts";
import { have, quoted, rowsOf } from "../doubted.ts";
import { durationsLike } from "../durations.ts";
import { troubles } from "../garbled.ts";
import { knownFormatOf, knownFormats } from "../known-formats.ts";
import { editDistance } from "../near-texts.ts";
import { oddWordsOf } from "../odd-words.ts";
import { otherLettersIn } from "../other-letters.ts";
import { placeholderOf } from "../placeholders.ts";
import { failingAlone, mostDoubted, rowsOfValues, valuesAgainst } from "../rare-values.ts";
import { areForNothing, rowsForNothing } from "../rows-for-nothing.ts";
import { exactShapeOf, patternOf, shapeOf } from "../shape.ts";
import { shapesBeside } from "../shapes-shown.ts";
import { writtenElsewhere } from "../usual-elsewhere.ts";
import { type UsualShapes, usualShapesOf } from "../usual-shapes.ts";
import { writtenAsPointedTo } from "./parents.ts";

const least = { rows: 20 };
/** Where more rows are against it, it was not meant. */
const mostShare = 0.05;
/** A word that more rows have is a name, whatever it is made of. */
const mostOfOneWord = 0.005;

/** Values that are not written as the others of their column are. */
export const formats: Detector = (table, database) => {
  const forNothing = rowsForNothing(table);
  return table.columns
    .filter((column) => filledRows(column) >= least.rows)
    .flatMap((column) => {
      if (column.kind === "integer") return [inCheckedNumbers(table, column)];
      if (column.kind !== "text") return [];
      return [...inOtherLetters(table, column), ...inText(table, column, database)];
    })
    .filter((found) => found !== null)
    .filter(({ rows }) => !areForNothing(rows, forNothing));
};

function inText(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): (Candidate | null)[] {
  const dates = inDates(table, column);
  if (dates !== undefined) return [dates];
  const known = inKnownFormat(table, column);
  if (known !== undefined) return [known];
  const shapes = usualShapesOf(column.values, column.counts);
  if (!shapes) return inWords(table, column);
  const isThere = writtenAsPointedTo(table, column, database);
  const isCode = codesAmongNumbers(table, column, database);
  const isWrittenSo = writtenElsewhere(table, column, database);
  const isRight = (index: number) => isThere(index) || isCode(index) || isWrittenSo(index);
  return [inShapes(table, column, shapes, isRight)];
}

/** What is said of it does not depend on how the rest is written. */
const inOtherLetters = (table: ObservedTable, column: ObservedColumn): (Candidate | null)[] =>
  otherLettersIn(column).map(({ against, says, usualRows }) =>
    candidateOf(table, column, against, {
      says: (values) => `${withArticle(column.name)} ${says}: ${values}`,
      features: { isKnown: 1, certainty: Math.min(1, Math.log10(usualRows) / 3) },
    }),
  );

/** Barcodes and card numbers are kept as numbers, too. */
function inCheckedNumbers(table: ObservedTable, column: ObservedColumn): Candidate | null {
  return (
    inKnownFormat(
      table,
      column,
      knownFormats.filter(({ checks }) => checks),
    ) ?? null
  );
}

/** undefined where the column is in no format that is known; null where all of it is. */
function inKnownFormat(
  table: ObservedTable,
  column: ObservedColumn,
  formats = knownFormats,
): Candidate | null | undefined {
  const found = knownFormatOf(column, formats);
  if (!found) return undefined;
  const { format, certainty } = found;
  const looksUsual = lookOf(column, found.against);
  const isRare = rareIn(column);
  const against = found.against.filter(
    (index) => (!format.isListed || isRare(index)) && !(format.isByShape && looksUsual(index)),
  );
  const fails = format.checks && against.every(looksUsual);
  const not = fails ? `whose check digit is wrong for ${format.one}` : `that is not ${format.one}`;
  return candidateOf(table, column, against, {
    says: (values) => `${withArticle(column.name)} ${not}: ${values}`,
    features: {
      isKnown: 1,
      checks: Number(format.checks ?? 0),
      isListed: Number(format.isListed ?? 0),
      certainty,
    },
  });
}

/** Whether a value looks as some of those besides the doubted ones do, digit for digit. */
function lookOf({ values }: ObservedColumn, doubted: readonly number[]): (index: number) => boolean {
  const besides = new Set(doubted);
  const others = values.filter((_, index) => !besides.has(index)).slice(0, 2000);
  const usual = new Set(others.map(exactShapeOf));
  return (index) => usual.has(exactShapeOf(values[index] ?? ""));
}

/** A code that is there about as often as others is one of them. */
function rareIn({ counts }: ObservedColumn): (index: number) => boolean {
  const usual = counts.toSorted()[counts.length >> 1] ?? 0;
  return (index) => (counts[index] ?? 0) <= Math.max(2, usual * 0.2);
}

/** undefined where the column has no dates. */
function inDates(table: ObservedTable, column: ObservedColumn): Candidate | null | undefined {
  const indexes = [...column.values.keys()].filter((index) => {
    const value = column.values[index] ?? "";
    return value.trim() !== "" && placeholderOf(value) === null;
  });
  const order = dayOrderOf(column.values, indexes);
  if (!order) return inTwoForms(table, column, indexes);
  // What is no date at all among ISO dates is of another type, which is said there.
  const against = column.moments ? order.against : [...order.against, ...order.others];
  return candidateOf(table, column, against, {
    says: (values) => `${withArticle(column.name)} that is not a date written ${order.writing}: ${values}`,
    features: { isKnown: 1, isDate: 1, certainty: Math.min(1, indexes.length / 200) },
  });
}

function inTwoForms(
  table: ObservedTable,
  column: ObservedColumn,
  indexes: readonly number[],
): Candidate | undefined {
  const found = rarerOfTwoForms(column.values, column.counts, indexes);
  if (!found) return undefined;
  const said = candidateOf(table, column, found.rarer, {
    says: (values) =>
      `${withArticle(column.name)} written like ${values}, where the others are like ${quoted(found.example)}`,
    features: { isKnown: 1, isDate: 1, isOfTwoForms: 1, certainty: Math.min(1, indexes.length / 200) },
    patterns: [patternOfForm(found.usualForm)],
    shown: 1,
    mostShare: 1,
  });
  return said ?? undefined;
}

/** A number with a sign, thousands, a fraction or a currency, where each digit is a 9. */
const figures = /^[-+(]?[$€£¥]?[-+]? ?9+([,.' ]9+)*\)?[%€]?$/;

function inShapes(
  table: ObservedTable,
  column: ObservedColumn,
  usual: UsualShapes,
  isRight: (index: number) => boolean,
): Candidate | null {
  const { level, shapes, holding } = usual;
  // Among numbers, a sign, a fraction or more thousands are no other way of writing: how large they are is judged elsewhere.
  const ofNumbers = shapes.every((shape) => figures.test(shape.replaceAll("A", "x").trim()));
  const isOtherNumber = (index: number) => {
    const value = column.values[index] ?? "";
    // Numbers of several lengths are sizes, and have a tail.
    if (column.numbers && shapes.length > 1 && /^\d+$/.test(value)) return true;
    if (column.numbers && isBoundedNumber(value)) return true;
    return ofNumbers && figures.test(value.replace(/\d/g, "9").trim()) && !/^\d+$/.test(value);
  };
  const inDoubt = new Set(usual.against);
  const isDuration = durationsLike(column.values.filter((_, index) => !inDoubt.has(index)));
  const against = usual.against.filter(
    (index) => !isOtherNumber(index) && !isRight(index) && !isDuration(column.values[index] ?? ""),
  );
  const isExact = level === "exact";
  const values = against.map((index) => column.values[index] ?? "");
  const lower = new Set(shapes.map((shape) => shape.toLowerCase()));
  const loose = new Set(shapes.map((shape) => (isExact ? shapeOf(shape) : shape)));
  const example = column.values.find((value, index) => !against.includes(index) && value.trim() !== "") ?? "";
  return candidateOf(table, column, against, {
    says: (doubted) =>
      `${withArticle(column.name)} that is not written like the others, such as ${quoted(example)}: ${doubted}`,
    patterns: level === "mixed" ? [] : [patternOf(shapes, isExact)],
    level,
    features: {
      certainty: Math.min(1, Math.log10(holding) / 4),
      isExact: Number(isExact),
      oneShape: 1 / shapes.length,
      onlyCase:
        values.filter((value) => lower.has(exactShapeOf(value).toLowerCase())).length / values.length || 0,
      onlyLength: values.filter((value) => loose.has(shapeOf(value))).length / values.length || 0,
      isOtherwise:
        values.filter((value) => !isOneSlipFrom(usualLooks(column, against), value)).length / values.length ||
        0,
    },
  });
}

/** So many ways of writing are compared; more of them say that any is fine. */
const mostLooks = 40;

/** How the values besides the doubted ones are written, letter for letter, the most frequent ways first. */
function usualLooks({ values }: ObservedColumn, doubted: readonly number[]): string[] {
  const besides = new Set(doubted);
  const looks = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    if (besides.has(index) || value.length > 200) continue;
    const look = exactShapeOf(value);
    looks.set(look, (looks.get(look) ?? 0) + 1);
  }
  return [...looks]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostLooks)
    .map(([look]) => look);
}

/** What is farther from every way of writing is no slip, and may be a code of another kind. */
const isOneSlipFrom = (looks: readonly string[], value: string) =>
  looks.some((look) => editDistance(look, exactShapeOf(value.slice(0, 200)), 1) <= 1);

function inWords(table: ObservedTable, column: ObservedColumn): (Candidate | null)[] {
  const odd = oddWordsOf(column.values, column.counts);
  if (!odd) return [];
  // What went through a wrong encoding is said there.
  const few = filledRows(column) * mostOfOneWord;
  const isRare = rareIn(column);
  const isFew = (index: number) => (column.counts[index] ?? 0) <= few && isRare(index);
  const signs = odd.signs.filter((index) => !troubles.some(({ has }) => has(column.values[index] ?? "")));
  return [
    candidateOf(table, column, odd.digits.filter(isFew), {
      says: (values) => `a digit inside a word of ${column.name}: ${values}`,
      features: { isWord: 1 },
    }),
    candidateOf(table, column, signs.filter(isFew), {
      says: (values) => `a sign in ${column.name} that nearly no other has: ${values}`,
      features: { isWord: 1, isSign: 1 },
    }),
  ];
}

function candidateOf(
  table: ObservedTable,
  column: ObservedColumn,
  doubted: readonly number[],
  parts: {
    says: (values: string) => string;
    features: Readonly<Record<string, number>>;
    patterns?: readonly string[];
    /** How exactly the values are compared by their shapes. */
    level?: UsualShapes["level"];
    /** How many of the values the sentence shows. */
    shown?: number;
    /** Of how many of the rows it may be said. */
    mostShare?: number;
  },
): Candidate | null {
  const count = rowsOfValues(column, doubted);
  const isTooMuch = count > filledRows(column) * (parts.mostShare ?? mostShare);
  if (count === 0 || isTooMuch || doubted.length > mostDoubted) return null;
  const { features, ...against } = valuesAgainst(table, column, doubted);
  const shown = doubted.slice(0, parts.shown ?? 3).map((index) => quoted(column.values[index] ?? ""));
  const pattern = failingAlone(column, doubted, parts.patterns ?? []);
  const shapes = shapesBeside(column, doubted, parts.level ?? "collapsed");
  return {
    kind: "Format",
    ...against,
    statement: `${rowsOf(count, against.outOf)} of ${table.tableName} ${have(count)} ${parts.says(shown.join(", "))}${parts.shown === undefined && doubted.length > shown.length ? " and more" : ""}.`,
    rule: pattern === null ? null : { type: "Pattern", configuration: { column: column.name, pattern } },
    features: { ...features, ...parts.features },
    ...(shapes && { evidence: { ...against.evidence, shapes } }),
  };
}
