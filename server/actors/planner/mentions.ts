import { keyOf, type Table } from "./check.ts";
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
  const index = indexOf(tables);
  const found = new Set<string>();
  for (const table of index.wordless) if (text.includes(table.tableName.trim())) found.add(keyOf(table));
  for (const quoted of quotedIn(text))
    for (const table of index.byName.get(quoted) ?? []) found.add(keyOf(table));
  const taken = new Array<boolean>(stems.length).fill(false);
  // `orders` is rather the table of that name than `stg_orders`.
  for (const names of [index.names, index.entities]) {
    const spans = spansOf(names, stems, taken);
    for (const { from, to, table } of spans) {
      taken.fill(true, from, to);
      found.add(keyOf(table));
    }
    narrowToSchemas(found, spans, stems);
  }
  if (precision === "parts of names")
    for (const [at, word] of stems.entries())
      if (!taken[at] && !ordinary.has(word) && word.length > 1)
        for (const table of index.byPart.get(word) ?? []) found.add(keyOf(table));
  return { tables: found, columns: columnsIn(text, stems, index, found) };
}

type Name<Of> = { stems: readonly string[]; of: Of };
/** By the first of its stems. */
type Names<Of> = ReadonlyMap<string, readonly Name<Of>[]>;
type Column = { table: Table; name: string };
type Index = {
  names: Names<Table>;
  entities: Names<Table>;
  columns: Names<Column>;
  byPart: ReadonlyMap<string, readonly Table[]>;
  byName: ReadonlyMap<string, readonly Table[]>;
  columnsByName: ReadonlyMap<string, readonly Column[]>;
  /** Of other signs than letters and figures. */
  wordless: readonly Table[];
};

/** A text has many clauses, and a source many columns. */
const indexes = new WeakMap<readonly Table[], Index>();

function indexOf(tables: readonly Table[]): Index {
  const known = indexes.get(tables);
  if (known) return known;
  const columns = tables.flatMap((table) => table.columns.map(({ name }) => ({ table, name })));
  const parts = tables.flatMap((table) =>
    [...new Set([...stemsOf(table.tableName), ...stemsOf(table.schemaName)])].map((part) => ({
      part,
      table,
    })),
  );
  const index: Index = {
    names: named(tables, ({ tableName }) => stemsOf(tableName)),
    entities: named(tables, ({ tableName }) => entityOf(tableName)),
    columns: named(columns, ({ name }) => stemsOf(name)),
    byPart: new Map(
      [...Map.groupBy(parts, ({ part }) => part)].map(([part, all]) => [part, all.map(({ table }) => table)]),
    ),
    byName: Map.groupBy(tables, ({ tableName }) => tableName.toLowerCase()),
    columnsByName: Map.groupBy(columns, ({ name }) => name.toLowerCase()),
    wordless: tables.filter(({ tableName }) => wordsOf(tableName).length === 0 && tableName.trim() !== ""),
  };
  indexes.set(tables, index);
  return index;
}

/** Names of ordinary words alone are in every sentence; they have to be quoted. */
function named<Of>(all: readonly Of[], stemsIn: (each: Of) => readonly string[]): Names<Of> {
  const names = all
    .map((of): Name<Of> => ({ stems: stemsIn(of), of }))
    .filter(({ stems }) => !stems.every((word) => ordinary.has(word)));
  return Map.groupBy(names, ({ stems }) => stems[0] ?? "");
}

const isAt = (name: readonly string[], stems: readonly string[], from: number) =>
  name.every((word, index) => stems[from + index] === word);

type Span = { from: number; to: number; table: Table };

/** Where names stand that no longer one covers, and no earlier. */
function spansOf(names: Names<Table>, stems: readonly string[], taken: readonly boolean[]): Span[] {
  const all = stems.flatMap((word, from) =>
    (names.get(word) ?? []).flatMap(({ stems: name, of }): Span[] => {
      const to = from + name.length;
      return isAt(name, stems, from) && !taken.slice(from, to).some(Boolean) ? [{ from, to, table: of }] : [];
    }),
  );
  return all.filter(
    (span) =>
      !all.some(
        (other) =>
          other.to - other.from > span.to - span.from && other.from < span.to && span.from < other.to,
      ),
  );
}

/** With its schema before it, a table is that of the schema alone. */
function narrowToSchemas(found: Set<string>, spans: readonly Span[], stems: readonly string[]): void {
  for (const { from, to } of spans) {
    const here = spans.filter((span) => span.from === from && span.to === to).map(({ table }) => table);
    const qualified = here.filter(({ schemaName }) => {
      const schema = stemsOf(schemaName);
      return schema.length > 0 && from >= schema.length && isAt(schema, stems, from - schema.length);
    });
    if (qualified.length === 0) continue;
    for (const other of here) if (!qualified.includes(other)) found.delete(keyOf(other));
  }
}

const quotedIn = (text: string) =>
  [...text.matchAll(/"([^"]+)"|`([^`]+)`|\[([^[\]]+)\]/g)].map(([, double, back, bracket]) =>
    (double ?? back ?? bracket ?? "").toLowerCase(),
  );

/** A column of one word is meant only beside its table. */
function columnsIn(
  text: string,
  stems: readonly string[],
  index: Index,
  mentioned: ReadonlySet<string>,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = ({ table, name }: Column) => {
    const names = found.get(keyOf(table)) ?? new Set();
    found.set(keyOf(table), names.add(name));
  };
  for (const quoted of quotedIn(text)) index.columnsByName.get(quoted)?.forEach(add);
  for (const [from, word] of stems.entries())
    for (const { stems: name, of } of index.columns.get(word) ?? []) {
      const isOwnName = stemsOf(of.table.tableName).includes(name[0] ?? "");
      const isMeant = name.length > 1 || (mentioned.has(keyOf(of.table)) && !isOwnName);
      if (isMeant && isAt(name, stems, from)) add(of);
    }
  return found;
}
