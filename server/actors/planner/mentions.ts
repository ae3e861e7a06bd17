import type { Table, TableName } from "./check.ts";
import { keyOf } from "./check.ts";
import { entityOf, stem, stemsOf, wordsOf } from "./name-words.ts";

/** Which tables and columns a text of people speaks of. */
export type Mentions = {
  /** By `keyOf`. */
  tables: ReadonlySet<string>;
  /** By table, as they are called there; only what cannot be an ordinary word. */
  columns: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Words that are in too many sentences to be a part of a name. */
const ordinary = new Set(
  `a all an and any are as at be but by check checks column columns daily data database day do each every everything
  fact field for from has have hour hourly if in is it its keep list look make me month more my name new not of on or
  our out over please query queries row rows see so some source sure table tables tell test that the their them there
  these they this time to type up us use value values very want warehouse watch we week when where which will with
  without you your monitor add also run schedule`
    .split(/\s+/)
    .map(stem),
);

type Precision = "whole names" | "parts of names";

/**
 * Tables by their whole name, in singular or plural and with or without what separates its words; the longest name
 * wins. With parts, also those that one word of the text is a part of ("staging", "logs"), by table or schema.
 */
export function mentionsIn(text: string, tables: readonly Table[], precision: Precision): Mentions {
  const stems = wordsOf(text).map(stem);
  const found = new Set<string>();
  const taken = new Array<boolean>(stems.length).fill(false);
  const byLength = [...tables].sort((a, b) => stemsOf(b.tableName).length - stemsOf(a.tableName).length);
  const spans: { from: number; to: number; table: Table }[] = [];
  for (const table of byLength) if (isQuotedWhole(text, table.tableName)) found.add(keyOf(table));
  // `orders` is rather the table of that name than `stg_orders`.
  for (const nameOf of [stemsOf, entityOf]) {
    const isTaken = [...taken];
    for (const table of byLength) {
      const name = nameOf(table.tableName);
      for (const from of placesOf(name, stems)) {
        const to = from + name.length;
        const isSame = spans.some((span) => span.from === from && span.to === to);
        const isFree =
          !taken.slice(from, to).some(Boolean) || (isSame && !isTaken.slice(from, to).some(Boolean));
        if (!isFree) continue;
        taken.fill(true, from, to);
        spans.push({ from, to, table });
        found.add(keyOf(table));
      }
    }
  }
  narrowToSchemas(found, spans, stems);
  if (precision === "parts of names")
    for (const [at, word] of stems.entries()) {
      if (taken[at] || ordinary.has(word) || word.length < 2) continue;
      for (const table of tables)
        if (stemsOf(table.tableName).includes(word) || stemsOf(table.schemaName).includes(word))
          found.add(keyOf(table));
    }
  return { tables: found, columns: columnsIn(text, stems, tables, found) };
}

/** With its schema before it, a table is that of the schema alone. */
function narrowToSchemas(
  found: Set<string>,
  spans: readonly { from: number; to: number; table: Table }[],
  stems: readonly string[],
): void {
  for (const { from, to } of spans) {
    const here = spans.filter((span) => span.from === from && span.to === to).map(({ table }) => table);
    const qualified = here.filter(({ schemaName }) => {
      const schema = stemsOf(schemaName);
      return schema.length > 0 && schema.every((part, index) => stems[from - schema.length + index] === part);
    });
    if (qualified.length === 0) continue;
    for (const other of here) if (!qualified.includes(other)) found.delete(keyOf(other));
  }
}

function placesOf(name: readonly string[], stems: readonly string[]): number[] {
  if (name.length === 0) return [];
  const isOrdinary = name.every((word) => ordinary.has(word));
  return isOrdinary
    ? []
    : stems.flatMap((_, from) => (name.every((word, index) => stems[from + index] === word) ? [from] : []));
}

/** A name of no words (an emoji), or of ordinary ones, has to stand there as it is. */
function isQuotedWhole(text: string, name: string): boolean {
  if (wordsOf(name).length === 0) return name.trim() !== "" && text.includes(name.trim());
  return [`"${name}"`, `\`${name}\``, `[${name}]`].some((quoted) =>
    text.toLowerCase().includes(quoted.toLowerCase()),
  );
}

function columnsIn(
  text: string,
  stems: readonly string[],
  tables: readonly Table[],
  mentioned: ReadonlySet<string>,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const table of tables) {
    const own = stemsOf(table.tableName);
    const named = table.columns.filter(({ name }) => {
      if (isQuotedWhole(text, name)) return true;
      const column = stemsOf(name);
      if (placesOf(column, stems).length > 0 && (column.length > 1 || mentioned.has(keyOf(table))))
        return column.length > 1 || !own.includes(column[0] ?? "");
      return column.length > 0 && placesOf([...own, ...column], stems).length > 0;
    });
    if (named.length > 0) found.set(keyOf(table), new Set(named.map(({ name }) => name)));
  }
  return found;
}

export const isMentioned = ({ tables }: Mentions, table: TableName) => tables.has(keyOf(table));
