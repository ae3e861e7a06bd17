import type { Lexis } from "@/server/data-sources/dialects/dialect.ts";
import { type Lexeme, lexemesOf, nameIn } from "@/server/data-sources/dialects/scan.ts";

/** What a SQL text reads, as far as an editor must know it while the text is being written and often incomplete. */

/** A token without spaces and comments; `word` is lowercase for keywords, and `name` is how a name would be compared. */
export type Token = { start: number; end: number; text: string; word: string; name: string | null };

/** A parenthesis and what is in it; the text itself is the outermost one. */
export type Group = {
  parent: Group | null;
  /** Its opening parenthesis. */
  opener: Token | null;
  /** Whether it may hold FROM: a query, or a join in parentheses; not the arguments of a function. */
  mayRead: boolean;
  /** Its first word. */
  opensWith: string;
  /** The tokens directly in it; a group within it counts as one token, its opening parenthesis. */
  tokens: Token[];
  /** Whether the next name is a table. */
  expectsTable: boolean;
  /** Whether a comma is followed by a table. */
  listsTables: boolean;
  relations: Relation[];
};

/** Something that a query reads: a table by its names, a subquery by its group. */
export type Relation = {
  /** How columns refer to it: its alias, or the last of its names. */
  called: string;
  /** The same, as it is in the text. */
  written: string;
  names: string[];
  query: Group | null;
  /** The column names that follow a common table expression's own name. */
  renamed: string[];
};

export type Scope = {
  /** Where the cursor is. */
  at: Group;
  /** All groups, outermost first. */
  groups: Group[];
  /** Common table expressions. */
  named: Relation[];
};

const endsFrom = new Set([
  ...["where", "group", "order", "having", "limit", "offset", "fetch", "union", "except", "intersect"],
  ...["window", "returning", "select", "set", "values", "qualify", "for", "option"],
]);
const beforeTable = new Set(["from", "join", "apply", "straight_join"]);
const notATable = new Set([...beforeTable, "lateral", "only", "select", "with", "values"]);
/** Words that follow a table and are not its alias. */
const notAnAlias = new Set([
  ...endsFrom,
  ...["on", "using", "join", "inner", "left", "right", "full", "outer", "cross", "natural", "lateral"],
  ...["tablesample", "as", "and", "or", "not", "with", "straight_join", "apply", "asof", "pivot", "unpivot"],
]);

export function tokensOf(sql: string, lexis: Lexis): Token[] {
  const tokens: Token[] = [];
  for (const lexeme of lexemesOf(sql, lexis)) {
    if (lexeme.kind === "space" || lexeme.kind === "comment") continue;
    const text = sql.slice(lexeme.start, lexeme.end);
    tokens.push({
      start: lexeme.start,
      end: lexeme.end,
      text,
      word: lexeme.kind === "word" ? text.toLowerCase() : "",
      name: comparableName(sql, lexeme, lexis),
    });
  }
  return withResults(tokens);
}

function comparableName(sql: string, lexeme: Lexeme, lexis: Lexis): string | null {
  if (lexeme.kind === "word") return lexis.foldWord(sql.slice(lexeme.start, lexeme.end));
  return lexeme.kind === "name" ? lexis.foldQuoted(nameIn(sql, lexeme)) : null;
}

/** `@@result1` is one name, although it is an operator and a word to a server. */
function withResults(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    const isResult = (sign: Token | undefined, word: Token | undefined) =>
      sign?.text === "@@" && word !== undefined && word.start === sign.end && /^result\d+$/.test(word.word);
    if (isResult(before, token)) return [];
    if (!after || !isResult(token, after)) return [token];
    return [{ ...token, end: after.end, text: `@@${after.text}`, name: `@@${after.word}` }];
  });
}

const newGroup = (parent: Group | null, opener: Token | null): Group => {
  const isJoin = parent?.expectsTable ?? false;
  const reads = {
    mayRead: isJoin || parent === null,
    expectsTable: isJoin,
    listsTables: false,
    relations: [],
  };
  return { parent, opener, opensWith: "", tokens: [], ...reads };
};

/** What the text reads, and where in it `position` is. Takes linear time for any text. */
export function scopeAt(tokens: readonly Token[], position: number): Scope {
  let group = newGroup(null, null);
  const groups = [group];
  const named: Relation[] = [];
  let at: Group | null = null;
  let expectsTableAt = false;
  for (const [index, token] of tokens.entries()) {
    if (at === null && token.end >= position) {
      at = group;
      expectsTableAt = group.expectsTable;
    }
    if (token.text === ")") {
      const closed = group;
      group = group.parent ?? group;
      if (closed !== group) nameQuery(closed, group, tokens.slice(index + 1, index + 3));
      continue;
    }
    const previous = group.tokens.at(-1);
    group.tokens.push(token);
    if (token.text === "(") {
      const inner = newGroup(group, token);
      const expression = expressionBefore(group.tokens, groups);
      if (expression) named.push({ ...expression, query: inner });
      if (group.expectsTable)
        group.relations.push({ called: "", written: "", names: [], query: inner, renamed: [] });
      group.expectsTable = false;
      groups.push(inner);
      group = inner;
    } else if (token.text === ";") {
      group = newGroup(null, null);
      groups.push(group);
    } else if (token.text === ",") {
      group.expectsTable = group.listsTables;
    } else if (token.word !== "" && !isAfterDot(token, previous)) readWord(group, token.word);
    if (group.expectsTable && token.name !== null && !notATable.has(token.word)) {
      group.expectsTable = false;
      // A function in FROM is read as a table whose columns are unknown.
      group.relations.push(relationFrom(tokens, index));
    }
  }
  const isInside = at ?? group;
  return { at: { ...isInside, expectsTable: at ? expectsTableAt : group.expectsTable }, groups, named };
}

/** Only without a gap: in `o.` at the end of a line, the next line is not its column. */
const isAfterDot = (token: Token, previous: Token | undefined) =>
  previous?.text === "." && previous.end === token.start;

function readWord(group: Group, word: string): void {
  if (group.opensWith === "") group.opensWith = word;
  // `extract(year from …)` reads no table.
  if (group.opensWith === "select" || group.opensWith === "with") group.mayRead = true;
  if (beforeTable.has(word) && group.mayRead) {
    group.expectsTable = true;
    group.listsTables = true;
  } else if (endsFrom.has(word)) {
    group.expectsTable = false;
    group.listsTables = false;
  }
}

/** A table by its names, with its alias if it has one. */
function relationFrom(tokens: readonly Token[], start: number): Relation {
  let last = start;
  const names = [tokens[start]?.name ?? ""];
  for (;;) {
    const [dot, name] = [tokens[last + 1], tokens[last + 2]];
    if (dot?.text !== "." || name?.name == null || name.start !== dot.end) break;
    names.push(name.name);
    last += 2;
  }
  const alias = aliasIn(tokens.slice(last + 1, last + 3)) ?? tokens[last];
  return { called: alias?.name ?? "", written: alias?.text ?? "", names, query: null, renamed: [] };
}

function aliasIn([first, second]: readonly (Token | undefined)[]): Token | null {
  const token = first?.word === "as" ? second : first;
  return token && token.name !== null && !notAnAlias.has(token.word) ? token : null;
}

/** Gives a subquery in FROM the alias that follows it. */
function nameQuery(closed: Group, outer: Group, following: readonly Token[]): void {
  const relation = outer.relations.find(({ query }) => query === closed);
  const alias = aliasIn(following);
  if (!relation || !alias) return;
  relation.called = alias.name ?? "";
  relation.written = alias.text;
}

/** The common table expression whose query the last parenthesis opens: `with name (columns) as materialized (`. */
function expressionBefore(
  tokens: readonly Token[],
  groups: readonly Group[],
): Omit<Relation, "query"> | null {
  let last = tokens.length - 2;
  if (tokens[last]?.word === "materialized") last -= tokens[last - 1]?.word === "not" ? 2 : 1;
  if (tokens[last]?.word !== "as") return null;
  last -= 1;
  const columns = groups.find(({ opener }) => opener !== null && opener === tokens[last]);
  if (columns) last -= 1;
  const [introduction, name] = [tokens[last - 1], tokens[last]];
  const isListed = introduction?.text === "," || ["with", "recursive"].includes(introduction?.word ?? "");
  if (!isListed || name?.name == null) return null;
  const renamed = columns?.tokens.flatMap((token) => token.name ?? []) ?? [];
  return { called: name.name, written: name.text, names: [name.name], renamed };
}
