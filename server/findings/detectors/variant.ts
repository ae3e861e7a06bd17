import { filledRows, type ObservedColumn, rowsWith } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { numberOf } from "../../profile/plain-values.ts";
import { plural } from "../../text.ts";
import type { Candidate, Detector } from "../candidate.ts";
import { quoted, withRows } from "../doubted.ts";
import { folded, lookOf, NearTexts } from "../near-texts.ts";
import { placeholderOf } from "../placeholders.ts";
import { RowSupport, type Support } from "../row-support.ts";
import { saidInGeneral } from "../said-in-general.ts";
import { wordsPerValue } from "../text-looks.ts";
import { writtenAsPointedTo } from "./parents.ts";

/** What is spelled in many ways has no usual one; of fewer rows nothing is usual. */
const least = { rows: 20, usual: 3, times: 5 };
/** Of more different values, none is a misspelling of another, and only spaces around them are looked for. */
const most = { words: 8, values: 20_000, share: 0.05, frequent: 4000 };

/** Rare spellings of frequent values: in case, space, accents and punctuation, or by a slip of the pen. */
export const variants: Detector = (table, database) =>
  table.columns.flatMap((column) => {
    const isText = column.kind === "text" && column.numbers === null && column.moments === null;
    if (!isText || filledRows(column) < least.rows) return [];
    if (wordsPerValue(column) > most.words && isHardlyRepeating(column)) return [];
    const isRight = writtenAsPointedTo(table, column, database);
    const support = column.values.length > most.values ? null : new RowSupport(table, column);
    const alike = support ? sameLetters(column).filter(({ rare }) => !isRight(rare)) : [];
    const besides = new Set(alike.map(({ rare }) => rare));
    const spaced = surroundedBySpace(column, besides).filter((index) => !isRight(index));
    const slips = support ? slipsOfThePen(column, support, besides).filter(({ rare }) => !isRight(rare)) : [];
    return [
      ...(support && alike.length > 0 ? [spellings(table, column, alike, support)] : []),
      ...(spaced.length > 0 ? [spaces(table, column, spaced)] : []),
      ...(slips.length > 0 ? [typos(table, column, slips)] : []),
    ].filter((found) => found.rows.length <= filledRows(column) * most.share);
  });

/** Prose: long texts, each its own. */
const isHardlyRepeating = (column: ObservedColumn) => column.values.length > filledRows(column) * 0.5;

/** Two values of a column by their indexes: the rare spelling, and what it should be. */
type Pair = { rare: number; usual: number };

/** The same letters, or letters that look the same. */
function sameLetters(column: ObservedColumn): Pair[] {
  const isMeant = ({ rare, usual }: Pair) =>
    areNumbers(column, rare, usual) ||
    numbersIn(column.values[rare]) !== numbersIn(column.values[usual]) ||
    tellingSigns(column.values[rare]) !== tellingSigns(column.values[usual]);
  const pairs = rareBeside(column, folded).filter((pair) => !isMeant(pair));
  const found = new Set(pairs.map(({ rare }) => rare));
  const alike = rareBeside(column, lookOf).filter(
    ({ rare, usual }) => !found.has(rare) && !found.has(usual) && areWords(column, rare, usual),
  );
  return [...pairs, ...alike];
}

/** Signs that are no punctuation: `A+` and `A-` are two grades, `C` and `C#` two languages. */
const tellingSigns = (text = ""): string => (text.trim().match(/[+#*%<>=]|-$/g) ?? []).join("");

/** `1-2` is not `12`, and `0.5 mg` is not `5 mg`. Blanks between digits, and the length of a dash, mean nothing. */
const numbersIn = (text = ""): string =>
  (
    text
      .replace(/(?<=\d)\s+(?=\d)/g, "")
      .replace(/[‐-―−]/g, "-")
      .match(/(?<!\p{L})\d+([.,\-/]\d+)*/gu) ?? []
  ).join(" ");

/** So few of a column's values are cased like one that is wrong. */
const mostCasedAlike = 0.02;

function isOddlyCased({ values }: ObservedColumn, { rare, usual }: Pair): boolean {
  const [value = "", other = ""] = [values[rare], values[usual]];
  if (value === other || value.toLowerCase() !== other.toLowerCase()) return false;
  const caseOf = (text: string) =>
    text === text.toLowerCase() ? "small" : text === text.toUpperCase() ? "capitals" : "mixed";
  const own = caseOf(value);
  if (own === "mixed" || caseOf(other) === own) return false;
  const alike = values.filter((each) => /\p{L}/u.test(each) && caseOf(each) === own).length;
  return alike - 1 <= values.length * mostCasedAlike;
}

/** -1 and 1 have the same digits, and are not the same number. */
function areNumbers({ values }: ObservedColumn, rare: number, usual: number): boolean {
  const [one, other] = [numberOf(values[rare] ?? ""), numberOf(values[usual] ?? "")];
  return !Number.isNaN(one) && !Number.isNaN(other) && one !== other;
}

/** Of two numbers, or of codes with digits elsewhere, each is its own. */
const areWords = ({ values }: ObservedColumn, rare: number, usual: number) =>
  !/\d/.test(values[usual] ?? "") && [...(values[rare] ?? "")].length > 1;

function rareBeside({ values, counts }: ObservedColumn, sameness: (text: string) => string): Pair[] {
  const byLetters = Map.groupBy(values.keys(), (index) => sameness(values[index] ?? ""));
  return [...byLetters].flatMap(([letters, indexes]) => {
    if (indexes.length < 2 || letters === "") return [];
    const [usual = -1, ...others] = indexes.toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
    const often = counts[usual] ?? 0;
    return others
      .filter((rare) => often >= least.usual && often >= (counts[rare] ?? 0) * least.times)
      .map((rare) => ({ rare, usual }));
  });
}

/** A blank before or after, where others have none. */
const surroundedBySpace = ({ values }: ObservedColumn, besides: ReadonlySet<number>): number[] =>
  [...values.keys()].filter((index) => {
    const value = values[index] ?? "";
    return !besides.has(index) && value.trim() !== "" && /^\s|\s$/u.test(value);
  });

type Slip = Pair & { distance: number; support: Support };

function slipsOfThePen(column: ObservedColumn, support: RowSupport, besides: ReadonlySet<number>): Slip[] {
  const { values, counts } = column;
  const byFrequency = [...values.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  const frequent = byFrequency
    .filter((index) => (counts[index] ?? 0) >= least.usual && !besides.has(index))
    .slice(0, most.frequent);
  const near = new NearTexts(frequent.map((index) => spelled(values[index] ?? "")));
  const mostFrequent = counts[frequent[0] ?? -1] ?? 0;
  return byFrequency.flatMap((rare): Slip[] => {
    const wanted = Math.max(least.usual, (counts[rare] ?? 0) * least.times);
    if (besides.has(rare) || mostFrequent < wanted) return [];
    const text = spelled(values[rare] ?? "");
    const pairs = near
      .near(text, (index) => (counts[frequent[index] ?? -1] ?? 0) >= wanted)
      .map(({ index, distance }) => ({ rare, usual: frequent[index] ?? -1, distance }))
      .filter(({ usual }) => isSlip(text, spelled(values[usual] ?? "")))
      .map((pair) => ({ ...pair, support: support.of(rare, pair.usual) }))
      .filter((pair) => pair.support !== "contradicts")
      .sort((a, b) => a.distance - b.distance || (counts[b.usual] ?? 0) - (counts[a.usual] ?? 0));
    return pairs.slice(0, 1);
  });
}

/** Case and space are another matter than letters. */
const spelled = (text: string) => text.trim().toLowerCase();

/** Numbers that differ are other numbers, and short words that differ (`type a`, `type b`, `part ii`) are other words. */
function isSlip(rare: string, usual: string): boolean {
  if (isNegation(rare, usual) || isNegation(usual, rare) || areOpposites(rare, usual)) return false;
  if (tellingSigns(rare) !== tellingSigns(usual) || numbersIn(rare) !== numbersIn(usual)) return false;
  if (rare.replace(/\p{N}/gu, "") === usual.replace(/\p{N}/gu, "")) return false;
  const [words, others] = [rare.split(/[^\p{L}\p{N}]+/u), usual.split(/[^\p{L}\p{N}]+/u)];
  if (words.length !== others.length) return true;
  return words.every((word, index) => {
    const other = others[index] ?? "";
    if (word === other) return true;
    // Of two codes as long, as NETR5 and NETRS, each is its own.
    const areCodes = /\d/.test(word + other) && word.length === other.length;
    return Math.max(word.length, other.length) >= 4 && !areCodes;
  });
}

/** `microcytes` and `macrocytes` are two things. */
const opposites = [
  "micro macro",
  "hyper hypo",
  "inter intra",
  "over under",
  "pre pro",
  "ante anti",
  "ab ad",
  "ex in",
  "endo exo",
];

function areOpposites(one: string, other: string): boolean {
  return opposites.some((pair) => {
    const [a = "", b = ""] = pair.split(" ");
    const isSo = (left: string, right: string) =>
      left.split(/(?<=^|[^\p{L}])/u).some((part, at, parts) => {
        if (!part.startsWith(a)) return false;
        const swapped = [...parts];
        swapped[at] = b + part.slice(a.length);
        return swapped.join("") === right;
      });
    return isSo(one, other) || isSo(other, one);
  });
}

const negations = ["un", "in", "im", "il", "ir", "dis", "non"];
/** "somewhat unimportant" says the opposite of "somewhat important". */
function isNegation(longer: string, shorter: string): boolean {
  const [words, others] = [longer.split(" "), shorter.split(" ")];
  if (words.length !== others.length) return false;
  const changed = words.flatMap((word, at) =>
    word === others[at] ? [] : [[word, others[at] ?? ""] as const],
  );
  return (
    changed.length === 1 &&
    changed.every(([word, other]) => other.length >= 4 && negations.some((prefix) => word === prefix + other))
  );
}

function spellings(
  table: ObservedTable,
  column: ObservedColumn,
  pairs: readonly Pair[],
  support: RowSupport,
): Candidate {
  const told = pairs.map(({ rare, usual }) => support.of(rare, usual));
  const share = (of: Support) => told.filter((each) => each === of).length / told.length;
  return {
    ...said(
      table,
      column,
      pairs.map(({ rare }) => rare),
    ),
    statement: `${some(pairs.length)} of ${table.tableName}.${column.name} ${isOrAre(pairs.length)} written otherwise than usual: ${examples(column, pairs)}.`,
    features: {
      ...common(column, pairs),
      isSameLetters: 1,
      // All in small letters, or in capitals, as hardly any other value is.
      isOddCase: pairs.filter((pair) => isOddlyCased(column, pair)).length / pairs.length,
      // A blank around it makes no other value.
      isSpace:
        pairs.filter(({ rare, usual }) => column.values[rare]?.trim() === column.values[usual]).length /
        pairs.length,
      agrees: share("agrees"),
      contradicts: share("contradicts"),
    },
    evidence: evidenceOf(column, pairs),
  };
}

function typos(table: ObservedTable, column: ObservedColumn, slips: readonly Slip[]): Candidate {
  const agreeing = slips.filter(({ support }) => support === "agrees");
  // Where the rest of the row speaks for some of them, the others have less to say for themselves.
  const shown = agreeing.length >= slips.length / 2 ? slips : agreeing.length > 0 ? agreeing : slips;
  return {
    ...said(
      table,
      column,
      shown.map(({ rare }) => rare),
    ),
    statement: `${some(shown.length)} of ${table.tableName}.${column.name} ${shown.length === 1 ? "looks" : "look"} misspelled: ${examples(column, shown)}.`,
    features: {
      ...common(column, shown),
      agrees: agreeing.length / slips.length,
      isOneLetter: shown.filter(({ distance }) => distance === 1).length / shown.length,
      isLong: shown.filter(({ usual }) => (column.values[usual]?.length ?? 0) >= 8).length / shown.length,
    },
    evidence: evidenceOf(column, shown),
  };
}

function spaces(table: ObservedTable, column: ObservedColumn, indexes: readonly number[]): Candidate {
  return {
    ...said(table, column, indexes),
    condition: saidInGeneral(table, column, indexes, "spaces"),
    statement: `${some(indexes.length)} of ${table.tableName}.${column.name} ${indexes.length === 1 ? "begins or ends" : "begin or end"} with a blank; all others do not.`,
    features: { rarity: rarityOf(rowsWith(column, indexes).length, column), isSameLetters: 1, isSpace: 1 },
    evidence: { doubted: withRows(column, indexes) },
  };
}

function said(table: ObservedTable, column: ObservedColumn, indexes: readonly number[]) {
  return {
    kind: "Variant" as const,
    table,
    columns: [column.name],
    rows: rowsWith(column, indexes),
    condition: {
      is: "oneOf" as const,
      column: column.name,
      values: indexes.map((index) => column.values[index] ?? ""),
    },
    outOf: filledRows(column),
    rule: null,
  };
}

const rarityOf = (rows: number, column: ObservedColumn) =>
  Math.min(1, -Math.log10(Math.max(1, rows) / filledRows(column)) / 4);

/**
 * What speaks for and against: rare values that are no variants of anything, nor stand for nothing, are natural in their
 * column.
 */
function common(column: ObservedColumn, pairs: readonly Pair[]): Record<string, number> {
  const { counts, values } = column;
  const rare = new Set(pairs.map((pair) => pair.rare));
  const often = Math.max(...pairs.map((pair) => counts[pair.rare] ?? 0));
  let others = 0;
  for (const [index, count] of counts.entries())
    if (count <= often && !rare.has(index) && placeholderOf(values[index] ?? "") === null) others++;
  const usual = pairs.reduce((sum, pair) => sum + (counts[pair.usual] ?? 0), 0) / pairs.length;
  const rows = pairs.reduce((sum, pair) => sum + (counts[pair.rare] ?? 0), 0);
  return {
    rarity: rarityOf(rows, column),
    othersRare: others / Math.max(1, others + rare.size),
    isRepeating: 1 - values.length / filledRows(column),
    contrast: Math.min(1, Math.log10(usual / (rows / pairs.length)) / 3),
  };
}

const evidenceOf = (column: ObservedColumn, pairs: readonly Pair[]) => ({
  doubted: withRows(
    column,
    pairs.map(({ rare }) => rare),
  ),
  usual: withRows(column, new Set(pairs.map(({ usual }) => usual))),
});

const some = (count: number) => plural(count, "value");
const isOrAre = (count: number) => (count === 1 ? "is" : "are");

function examples({ values }: ObservedColumn, pairs: readonly Pair[]): string {
  const shown = pairs
    .slice(0, 3)
    .map(({ rare, usual }) => `${quoted(values[rare] ?? "")} for ${quoted(values[usual] ?? "")}`);
  return `${shown.join(", ")}${pairs.length > shown.length ? ", …" : ""}`;
}
