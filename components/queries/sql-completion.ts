import type { DatabaseSchema } from "@/server/data-sources/database-schema.ts";
import { quotedIfNeeded, reservedWords } from "@/server/data-sources/dialects/clauses.ts";
import type { Dialect } from "@/server/data-sources/dialects/dialect.ts";
import { lexemesOf } from "@/server/data-sources/dialects/scan.ts";
import { type Group, type Relation, type Scope, scopeAt, type Token, tokensOf } from "./sql-scope.ts";

/** What can follow at a position in SQL: after a dot only what belongs there, and elsewhere names before keywords. */

export type CompletionKind = "column" | "table" | "schema" | "parameter" | "keyword";

export type SqlOffer = {
  kind: CompletionKind;
  /** What is shown, and compared with what was typed. */
  label: string;
  /** What is written. */
  apply: string;
  /** The plain name, for one whose quote has already been typed; absent if more than a name is written. */
  name?: string;
  detail?: string;
  /** A comment from the database. */
  info?: string;
};

export type SqlOffers = {
  from: number;
  to: number;
  offers: SqlOffer[];
  /** Whether a keyword that has been typed in full is complete: then Enter begins a line and replaces nothing. */
  endsAtKeyword: boolean;
};

export type Known = {
  dialect: Dialect;
  items: DatabaseSchema["items"];
  /** Tables of this schema need no qualification. */
  schemaName: string;
  /** Columns of this table are offered without a FROM. */
  tableName: string;
  /** The results of earlier steps, as tables. */
  results: readonly KnownTable[];
  /** Names of parameters. */
  parameters: readonly string[];
  keywords: readonly string[];
};

type KnownColumn = { name: string; type: string; comment?: string | null };
export type KnownTable = { tableName: string; columns: readonly KnownColumn[]; comment?: string | null };

const parameterBefore = /\{\{\s*\w*$/;
const resultBefore = /@@?\w*$/;

/** null inside strings and comments, and where nothing is known. `explicit`: asked for by a key, not by typing. */
export function offersAt(sql: string, position: number, explicit: boolean, known: Known): SqlOffers | null {
  const before = sql.slice(0, position);
  const parameter = parameterBefore.exec(before);
  if (parameter) return parametersAt(sql, parameter.index, position, known);
  const { dialect } = known;
  const place = placeIn(sql, position, dialect);
  if (place === null) return null;
  const result = known.results.length > 0 ? resultBefore.exec(before) : null;
  const tokens = tokensOf(sql, dialect.lexis);
  const from = result?.index ?? place.from;
  const path = result ? [] : pathBefore(tokens, place.opened ?? from);
  if (path === null) return null;
  const typed = sql.slice(from, position);
  const scope = scopeAt(tokens, position);
  const isPlain = path.length === 0 && place.opened === null;
  const endsAtKeyword = isPlain && !scope.at.expectsTable;
  if (isPlain && !explicit && typed === "") return null;
  if (endsAtKeyword && !explicit && reservedWords.has(typed.toLowerCase())) return null;
  const found =
    path.length > 0 ? membersOf(path, scope, known) : namesAt(scope, known, place.opened !== null);
  if (found.length === 0) return null;
  if (place.opened === null) return { from, to: position, offers: found, endsAtKeyword };
  const { closing } = place;
  const to = sql.startsWith(closing, position) ? position + closing.length : position;
  const offers = found.flatMap((offer) =>
    offer.name === undefined ? [] : [{ ...offer, apply: dialect.quote(offer.name).slice(1) }],
  );
  return { from, to, offers, endsAtKeyword };
}

function parametersAt(sql: string, from: number, position: number, { parameters }: Known): SqlOffers | null {
  if (parameters.length === 0) return null;
  // Also replace the auto-closed brackets.
  const to = sql.startsWith("}}", position) ? position + 2 : position;
  const offers = parameters.map(
    (name): SqlOffer => ({ kind: "parameter", label: `{{${name}}}`, apply: `{{${name}}}` }),
  );
  return { from, to, offers, endsAtKeyword: false };
}

type Place = { from: number; opened: number | null; closing: string };

/** Where the name at a position begins; `opened` is the place of its opening quote. null in strings and comments. */
function placeIn(sql: string, position: number, { lexis }: Dialect): Place | null {
  for (const { kind, start, end, isFinished, quotation } of lexemesOf(sql, lexis)) {
    if (start >= position) break;
    if (end < position) continue;
    const isIn = end > position || !isFinished;
    if (kind === "string" && isIn) return null;
    if (kind === "comment" && (isIn || !sql.startsWith("/*", start))) return null;
    if (kind === "number") return null;
    if (kind === "word") return { from: start, opened: null, closing: "" };
    if (kind === "name" && isIn && quotation)
      return { from: start + quotation.opening.length, opened: start, closing: quotation.closing };
  }
  return { from: position, opened: null, closing: "" };
}

/** The names before a dot that ends at `from`; empty without a dot, null if what precedes the dot is no name. */
function pathBefore(tokens: readonly Token[], from: number): string[] | null {
  let last = tokens.findLastIndex(({ end }) => end <= from);
  const path: string[] = [];
  let next = from;
  while (tokens[last]?.text === "." && tokens[last]?.end === next) {
    const owner = tokens[last - 1];
    if (owner?.name == null || owner.end !== tokens[last]?.start) return null;
    path.unshift(owner.name);
    next = owner.start;
    last -= 2;
  }
  return path;
}

/** What can follow `path.`: columns of a table or alias, or tables of a schema. */
function membersOf(path: readonly string[], scope: Scope, known: Known): SqlOffer[] {
  const [only, another] = path;
  if (only !== undefined && another === undefined) {
    const relation = relationCalled(only, scope);
    const own = relation ? columnsOf(relation, scope, known) : [];
    if (own.length > 0) return own.map((column) => columnOffer(column, known));
    const isTable = tableNamed([only], known);
    if (isTable) return isTable.columns.map((column) => columnOffer(column, known));
    const schema = known.items.find(({ schemaName }) => folded(schemaName, known) === only);
    return schema?.tables.map((table) => tableOffer(table, known)) ?? [];
  }
  return tableNamed(path, known)?.columns.map((column) => columnOffer(column, known)) ?? [];
}

/** Where a name begins: what FROM can read, or columns and then tables; keywords last. */
function namesAt(scope: Scope, known: Known, isQuoted: boolean): SqlOffer[] {
  const keywords = isQuoted
    ? []
    : known.keywords.map((word): SqlOffer => ({ kind: "keyword", label: word, apply: word }));
  const tables = readable(scope, known);
  if (scope.at.expectsTable) return [...tables, ...keywords];
  return [...visibleColumns(scope, known), ...aliases(scope), ...tables, ...keywords];
}

/** Everything that FROM can read by its name. */
function readable({ named }: Scope, known: Known): SqlOffer[] {
  const { items, results, schemaName, dialect } = known;
  const nearest = items.find((each) => each.schemaName === schemaName);
  const others = items.filter((each) => each !== nearest);
  return [
    ...named.map(
      ({ called, written }): SqlOffer => ({
        ...{ kind: "table", label: called, apply: written, name: called, detail: "from WITH" },
      }),
    ),
    ...results.map(
      ({ tableName, comment }): SqlOffer => ({
        ...{ kind: "table", label: tableName, apply: tableName, ...(comment && { detail: comment }) },
      }),
    ),
    ...(nearest?.tables.map((table) => tableOffer(table, known)) ?? []),
    ...others.flatMap(({ schemaName: schema, tables }) => [
      {
        ...{ kind: "schema" as const, label: schema, apply: quotedIfNeeded(dialect, schema) },
        ...{ name: schema, detail: "schema" },
      },
      ...tables.map((table) => tableOffer(table, known, schema)),
    ]),
  ];
}

/** Tables under the names that this query gives them. */
function aliases(scope: Scope): SqlOffer[] {
  return inReach(scope).flatMap(({ called, written, names }): SqlOffer[] =>
    called === "" || called === names.at(-1)
      ? []
      : [{ kind: "table", label: called, apply: written, name: called, detail: names.at(-1) ?? "subquery" }],
  );
}

/** Columns that need no qualification, and with it those that several tables have. */
function visibleColumns(scope: Scope, known: Known): SqlOffer[] {
  const { schemaName, tableName } = known;
  const own =
    tableName === ""
      ? null
      : tableNamed(
          [schemaName, tableName].map((each) => folded(each, known)),
          known,
        );
  const sources = [
    ...inReach(scope).map((relation) => ({
      called: relation.written,
      columns: columnsOf(relation, scope, known),
    })),
    ...(own ? [{ called: "", columns: own.columns }] : []),
  ];
  const counts = new Map<string, number>();
  for (const { columns } of sources)
    for (const { name } of columns) counts.set(name, (counts.get(name) ?? 0) + 1);
  return sources.flatMap(({ called, columns }) =>
    columns.map((column) => {
      const offer = columnOffer(column, known);
      if (called === "") return offer;
      if ((counts.get(column.name) ?? 0) < 2)
        return { ...offer, detail: `${called}${column.type && `, ${column.type}`}` };
      const { name: _, ...qualified } = offer;
      return { ...qualified, label: `${called}.${column.name}`, apply: `${called}.${offer.apply}` };
    }),
  );
}

/** The relations of the query at the cursor and of those around it; before a FROM is written, of the whole text. */
function inReach({ at, groups }: Scope): Relation[] {
  const reached: Relation[] = [];
  for (let group: Group | null = at; group; group = group.parent) reached.push(...group.relations);
  return reached.length > 0 ? reached : groups.flatMap(({ relations }) => relations);
}

function relationCalled(name: string, scope: Scope): Relation | undefined {
  const all = scope.groups.flatMap(({ relations }) => relations);
  return [...inReach(scope), ...all].find(({ called }) => called === name);
}

function columnsOf(relation: Relation, scope: Scope, known: Known, depth = 0): readonly KnownColumn[] {
  if (depth > 8) return [];
  const { query, names, renamed } = relation;
  if (renamed.length > 0) return renamed.map((name) => ({ name, type: "" }));
  if (query) return outputOf(query, scope, known, depth);
  const [only] = names;
  const expression = names.length === 1 ? scope.named.find(({ called }) => called === only) : undefined;
  // The depth ends a recursive expression, which reads itself.
  if (expression) return columnsOf(expression, scope, known, depth + 1);
  return tableNamed(names, known)?.columns ?? [];
}

/** The named columns of a SELECT: its aliases, plain columns, and those of `*`. */
function outputOf(query: Group, scope: Scope, known: Known, depth: number): readonly KnownColumn[] {
  const start = query.tokens.findIndex(({ word }) => word === "select");
  if (start < 0) return [];
  const length = query.tokens.slice(start).findIndex(({ word }) => word === "from");
  const list = query.tokens.slice(start + 1, length < 0 ? undefined : start + length);
  const items: Token[][] = [[]];
  for (const token of list) token.text === "," ? items.push([]) : items.at(-1)?.push(token);
  const columns = items.flatMap((item): readonly KnownColumn[] => {
    const last = item.at(-1);
    if (last?.text.endsWith("*")) {
      const owner = item.length > 2 ? item[0]?.name : null;
      const read = query.relations.filter(({ called }) => owner == null || called === owner);
      return read.flatMap((relation) => columnsOf(relation, scope, known, depth + 1));
    }
    const name = nameOfItem(item);
    if (name === null) return [];
    const isPlain = item.every((token) => token.name !== null || token.text === ".");
    return [isPlain && item.length !== 2 ? typed(name, query, scope, known, depth) : { name, type: "" }];
  });
  return [...new Map(columns.map((column) => [column.name, column])).values()];
}

/** The column's type, if the query plainly passes one on. */
function typed(name: string, query: Group, scope: Scope, known: Known, depth: number): KnownColumn {
  const read = query.relations.flatMap((relation) => columnsOf(relation, scope, known, depth + 1));
  return { name, type: read.find((column) => folded(column.name, known) === name)?.type ?? "" };
}

const notBeforeAlias = new Set(["and", "or", "not", "is", "then", "else", "when", "in", "like", "between"]);

/** The name of an expression in a SELECT, if it has one: its alias, or that of a plain column. */
function nameOfItem(item: readonly Token[]): string | null {
  const [before, last] = [item.at(-2), item.at(-1)];
  if (last?.name == null) return null;
  if (before === undefined || before.text === "." || before.text === "(" || before.word === "as")
    return last.name;
  const mayEnd = before.name !== null || /[\d')]$/.test(before.text);
  return mayEnd && !notBeforeAlias.has(before.word) && last.word !== "end" ? last.name : null;
}

function tableNamed(names: readonly string[], known: Known): KnownTable | undefined {
  const { items, results, schemaName } = known;
  const [name = "", schema] = names.toReversed();
  const result = schema === undefined && results.find(({ tableName }) => tableName === name);
  if (result) return result;
  const wanted = schema ?? (schemaName === "" ? undefined : folded(schemaName, known));
  return items
    .filter((each) => wanted === undefined || folded(each.schemaName, known) === wanted)
    .flatMap(({ tables }) => tables)
    .find(({ tableName }) => folded(tableName, known) === name);
}

/** A name from the catalog, in the form in which the text's names are compared. */
const folded = (name: string, { dialect }: Known) => dialect.lexis.foldQuoted(name);

const columnOffer = ({ name, type, comment }: KnownColumn, { dialect }: Known): SqlOffer => ({
  kind: "column",
  label: name,
  name,
  apply: quotedIfNeeded(dialect, name),
  ...(type && { detail: type }),
  ...(comment && { info: comment }),
});

function tableOffer({ tableName, comment }: KnownTable, { dialect }: Known, schema?: string): SqlOffer {
  const path = schema === undefined ? [tableName] : [schema, tableName];
  return {
    kind: "table",
    label: path.join("."),
    apply: path.map((each) => quotedIfNeeded(dialect, each)).join("."),
    ...(schema === undefined && { name: tableName }),
    ...(comment && { info: comment }),
  };
}
