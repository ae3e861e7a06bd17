import { filledRows, type ObservedColumn, rowsWith } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { shortened } from "../../text.ts";
import { placeholderOf } from "../placeholders.ts";
import { rowsOfValues } from "../rare-values.ts";
import { shapeOf } from "../shape.ts";
import type { Reason } from "./reason.ts";
import { valuesCondition } from "./values-condition.ts";

/** So many ways of writing are a reason each, if enough rows have them; the others are one together. */
const most = { ways: 8, length: 200, shown: 60, shareOfOthers: 0.2 };
const least = { rows: 3, share: 0.002 };
/** What most rows look like is hardly ever wrong, and neither is a text of nothing but words. */
const priors = { usual: 0.015, frequent: 0.06, rare: 0.25 };
/** By the share of the column's rows that are written so. */
const upTo = { rare: 0.05, frequent: 0.4 };

/** How texts are written: each way of writing in a column may be wrong, rare ones more likely than others. Pure. */
export const writtenReasons = (table: ObservedTable): Reason[] =>
  table.columns.flatMap((column) => (column.kind === "text" ? reasonsOf(column) : []));

function reasonsOf(column: ObservedColumn): Reason[] {
  const filled = filledRows(column);
  const values = [...column.values.keys()].filter((index) => {
    const value = column.values[index] ?? "";
    return value.trim() !== "" && placeholderOf(value) === null;
  });
  const ways = [...Map.groupBy(values, (index) => writingOf(column.values[index] ?? ""))]
    .map(([writing, indexes]) => ({ writing, indexes, rows: rowsOfValues(column, indexes) }))
    .toSorted((a, b) => b.rows - a.rows);
  const isOwn = ({ rows }: { rows: number }, place: number) =>
    place < most.ways && rows >= least.rows && rows >= filled * least.share;
  const own = ways.filter(isOwn);
  const others = ways.filter((way, place) => !isOwn(way, place)).flatMap(({ indexes }) => indexes);
  const rest = rowsOfValues(column, others);
  const isFreeText = own.length === 0 || rest > filled * most.shareOfOthers;
  return [
    ...own.map(({ writing, indexes, rows }) => ({
      ...reasonOf(column, writing, indexes),
      families: [bandOf(column, rows / filled), ...(isWords(writing) ? [] : [`Written ${writing}`])],
      because: `is written as ${shortened(writing, most.shown)} (9 for digits, A for capitals, a for small letters)`,
      prior: priorOf(writing, rows / filled),
    })),
    ...(rest === 0 || isFreeText
      ? []
      : [
          {
            ...reasonOf(column, "", others),
            families: [bandOf(column, rest / filled)],
            because: `is written like hardly any other in ${column.name}`,
            prior: rest <= filled * upTo.rare ? priors.rare : priors.frequent,
          },
        ]),
  ];
}

const reasonOf = (column: ObservedColumn, writing: string, indexes: readonly number[]) => ({
  key: `Written ${column.name} ${writing}`,
  kind: "Format" as const,
  column: column.name,
  rows: rowsWith(column, indexes),
  condition: valuesCondition(column, indexes),
});

/** The shape of a text, in which words of the same case count as one, however many follow each other. */
export const writingOf = (text: string): string =>
  shapeOf(text.slice(0, most.length)).replace(/(aA|Aa|A|a)( \1(?![aA]))+/g, "$1+");

const isWords = (writing: string) => !/[^aA+ ]/.test(writing);

function priorOf(writing: string, share: number): number {
  if (share >= upTo.frequent || (isWords(writing) && share > upTo.rare)) return priors.usual;
  return share > upTo.rare ? priors.frequent : priors.rare;
}

/** One rare way of writing tells about the other rare ones of its column, and nothing about what is usual there. */
const bandOf = ({ name }: ObservedColumn, share: number) =>
  `${share > upTo.rare ? "Frequent" : "Rare"} writing in ${name}`;
