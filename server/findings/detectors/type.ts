import { filledRows, type ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { withArticle } from "../../text.ts";
import { isBoundedNumber } from "../bounded-number.ts";
import type { Candidate, Detector, ObservedDatabase } from "../candidate.ts";
import { codesAmongNumbers } from "../codes-among-numbers.ts";
import { isDateLike } from "../date-writing.ts";
import { have, quoted, rowsOf } from "../doubted.ts";
import { durationsLike } from "../durations.ts";
import { editDistance } from "../near-texts.ts";
import { placeholderOf } from "../placeholders.ts";
import { failingAlone, mostDoubted, rowsOfValues, valuesAgainst } from "../rare-values.ts";

/** Of fewer rows nothing is said, and where more than this share is against it, it was not meant. */
const leastRows = 20;
const mostShare = 0.03;
/** Answers are no more than so many. */
const few = 50;

/** A few words in a text column of numbers, of dates, or of yes and no. */
export const types: Detector = (table, database) =>
  table.columns
    .filter((column) => column.kind === "text" && filledRows(column) >= leastRows)
    .flatMap((column) => {
      const meant = meantIn(column);
      return meant ? candidatesOf(table, column, meant, database) : [];
    });

/** Telephones of other countries, among those that are written as numbers. */
const isAbroad = /^\+\d{1,3}[ -]\d{6,}$/;

type Meant = {
  /** `a number`, `a date`. */
  one: string;
  is: (index: number) => boolean;
  /** Regular expressions of which the first that fits all others is the rule. */
  patterns: readonly string[];
};

function meantIn(column: ObservedColumn): Meant | null {
  const { numbers, moments } = column;
  if (numbers)
    return {
      one: "a number",
      is: (index) =>
        !Number.isNaN(numbers[index]) ||
        isBoundedNumber(column.values[index] ?? "") ||
        isAbroad.test(column.values[index] ?? ""),
      patterns: [
        "^[0-9]+$",
        "^-?[0-9]+$",
        "^-?[0-9]+([.][0-9]+)?$",
        "^[ ]*[+-]?[0-9]*[.]?[0-9]*(e[+-]?[0-9]+)?[ ]*$",
      ],
    };
  if (moments)
    return {
      one: "a date",
      is: (index) => !Number.isNaN(moments[index]) || isDateOrPart(column.values[index] ?? ""),
      patterns: ["^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}"],
    };
  return flagsIn(column);
}

/** Of some days, only the month is known, or the year. */
const isDateOrPart = (text: string): boolean =>
  isDateLike(text) || /^(1[5-9]|20)\d\d(-(0[1-9]|1[0-2]))?$/.test(text.trim());

const flags = [
  ["true", "false"],
  ["yes", "no"],
  ["y", "n"],
  ["t", "f"],
  ["on", "off"],
];

function flagsIn(column: ObservedColumn): Meant | null {
  if (column.values.length > few) return null;
  const all = filledRows(column);
  const plain = column.values.map((value) => value.trim().toLowerCase());
  for (const pair of flags) {
    const indexes = [...plain.keys()].filter((index) => pair.includes(plain[index] ?? ""));
    if (!pair.every((flag) => plain.includes(flag)) || rowsOfValues(column, indexes) < all * (1 - mostShare))
      continue;
    const patterns = [`^(${indexes.map((index) => column.values[index]).join("|")})$`];
    return { one: `${pair[0]} or ${pair[1]}`, is: (index) => indexes.includes(index), patterns };
  }
  return null;
}

/** `nx` is near `no`. Of single letters, each is near every other. */
function isNearOneOf(meant: readonly number[], { values }: ObservedColumn, index: number): boolean {
  const plain = (at: number) => (values[at] ?? "").trim().toLowerCase();
  return plain(index).length > 1 && meant.some((at) => editDistance(plain(at), plain(index), 1) <= 1);
}

/** "No answer" is an answer, beside yes and no, where other columns have it, too. */
const isAnswerElsewhere = ({ columns }: ObservedTable, column: ObservedColumn, value: string): boolean =>
  columns.filter(
    (other) =>
      other !== column && other.kind === "text" && other.values.length <= few && other.values.includes(value),
  ).length >= 2;

function candidatesOf(
  table: ObservedTable,
  column: ObservedColumn,
  { one, is, patterns }: Meant,
  database: ObservedDatabase,
): Candidate[] {
  const all = filledRows(column);
  const meant = [...column.values.keys()].filter(is);
  const usual = meant.map((index) => column.counts[index] ?? 0).toSorted((a, b) => a - b);
  const middle = usual[usual.length >> 1] ?? 0;
  // What stands for nothing, or is nothing, is another fault.
  const words = [...column.values.keys()].filter(
    (index) =>
      !is(index) && column.values[index]?.trim() !== "" && placeholderOf(column.values[index] ?? "") === null,
  );
  // `K` among the grades 1 to 12 is a grade: a word that is as frequent as the numbers is one of the categories.
  const isCategory = (index: number) => {
    const own = column.counts[index] ?? 0;
    if (own > 2 && isAnswerElsewhere(table, column, column.values[index] ?? "")) return true;
    // Of two answers each is frequent, and a third one need not be, unless it is one of them misspelled.
    const isThird = !column.numbers && !column.moments && !isNearOneOf(meant, column, index);
    const usualShare = isThird ? 0 : middle * 0.2;
    return own > 2 && meant.length <= 100 && own >= Math.max(usualShare, all * 0.01);
  };
  const isDuration = column.numbers
    ? durationsLike(meant.map((index) => column.values[index] ?? ""))
    : () => false;
  const isCode = codesAmongNumbers(table, column, database);
  const doubted = words.filter(
    (index) => !isCategory(index) && !isCode(index) && !isDuration(column.values[index] ?? ""),
  );
  const rows = rowsOfValues(column, doubted);
  if (rows === 0 || rows > all * mostShare || doubted.length > mostDoubted) return [];
  // Where some words are categories, the rest may be more of them.
  if (doubted.length < words.length && rowsOfValues(column, words) > all * mostShare) return [];

  const { features, ...against } = valuesAgainst(table, column, doubted);
  const pattern = failingAlone(column, doubted, patterns);
  const withDigits = doubted.filter((index) => /\d/.test(column.values[index] ?? "")).length;
  const most = Math.max(...doubted.map((index) => column.counts[index] ?? 0));
  return [
    {
      kind: "Type",
      ...against,
      statement: `${rowsOf(against.rows.length, against.outOf)} of ${table.tableName} ${have(against.rows.length)} ${withArticle(column.name)} that is not ${one}: ${quoted(column.values[doubted[0] ?? -1] ?? "")}; all others are.`,
      rule: pattern === null ? null : { type: "Pattern", configuration: { column: column.name, pattern } },
      features: {
        ...features,
        // `12a` among house numbers is one.
        hasDigits: withDigits / doubted.length,
        repeats: 1 - 1 / most,
        distinct: Math.min(1, meant.length / 100),
        isFlag: Number(!column.numbers && !column.moments),
      },
    },
  ];
}
