import type { Briefing } from "../briefing.ts";
import { type CheckKind, checkKinds, keyOf, type Table, type TableName } from "./check.ts";
import { type Clause, clausesOf, type Stance } from "./clauses.ts";
import { type Mentions, mentionsIn } from "./mentions.ts";
import { type Schedule, scheduleIn, withoutZones, zoneIn } from "./schedule.ts";
import { kindWords } from "./vocabulary.ts";

/** One thing that people want or do not want: of these kinds, on these tables; none named is any. */
export type Wish = {
  stance: Stance;
  kinds: readonly CheckKind[];
  mentions: Mentions;
  /** As it was written. */
  text: string;
};

export type Wishes = {
  /** In the order in which they were said: later ones have the last word about what they name. */
  all: readonly Wish[];
  /** When checks are to run: those of what is named, or all. */
  times: readonly { wish: Wish; schedule: Schedule }[];
  timezone: string;
};

/** What the actor was told when it was made, and what people have said to it since. */
export function wishesOf({
  actor,
  conversation,
  tables,
}: Pick<Briefing, "actor" | "conversation" | "tables">): Wishes {
  const said = conversation.filter(({ role }) => role === "Person").map(({ text }) => text);
  const standing = [actor.instructions, actor.additionalContext ?? ""];
  const all = [...standing, ...said.map(withoutQuotations)].flatMap((text) => wishesIn(text, tables));
  // What is said later about times may be about one query alone, and has been done then.
  const about = standing.join("\n");
  return { all, times: timesIn(about, tables), timezone: zoneIn(about) ?? "UTC" };
}

/** "The load comes nightly" says when the data comes, and not when to look at it. */
const looking = /\b(run|runs|check|checks|checked|watch|monitor|look|schedule|execute|test|verify)\b/;
const longestTime = 6;

function timesIn(text: string, tables: readonly Table[]): Wishes["times"] {
  const clauses = clausesOf(text);
  return clauses.flatMap((clause, index) => {
    const schedule = clause.stance === "exclude" ? null : scheduleIn(withoutZones(clause.text));
    if (!schedule) return [];
    const before = clauses[index - 1];
    const isDirected =
      looking.test(clause.words) || (before?.sentence === clause.sentence && looking.test(before.words));
    const isAlone =
      withoutZones(clause.text).trim().split(/\s+/).length <= longestTime &&
      !/\b(load|comes?|arriv|get|receiv|is|are|was|export|import)/.test(clause.words);
    return isDirected || isAlone ? [{ wish: wishOf(clause, tables), schedule }] : [];
  });
}

/** The last that was said of such a check there; null where nothing was. */
export function scheduleFor({ times }: Wishes, kind: CheckKind, table: TableName): Schedule | null {
  const said = times.findLast(({ wish }) => coversKind(wish, kind) && coversTable(wish, table));
  return said?.schedule ?? null;
}

/** The name of a query is made of names of tables, and says nothing about them. */
const withoutQuotations = (text: string) => text.replace(/["“”«»](?=[^"“”«»\s]*\s)[^"“”«»]*["“”«»]/g, " ");

export function wishesIn(text: string, tables: readonly Table[]): Wish[] {
  const wishes: Wish[] = [];
  let sentence = -1;
  for (const clause of clausesOf(text)) {
    const wish = wishOf(clause, tables);
    if (!namesAnything(wish)) continue;
    const last = wishes.at(-1);
    const isOfList = last !== undefined && !clause.isOwnStance && clause.sentence === sentence;
    const joined = isOfList ? joinedWish(last, wish) : null;
    if (joined) wishes[wishes.length - 1] = joined;
    else wishes.push(wish);
    sentence = clause.sentence;
  }
  return wishes;
}

const namesAnything = ({ kinds, mentions }: Wish) =>
  kinds.length + mentions.tables.size + mentions.columns.size > 0;

/** "no volume and freshness for orders" is one wish; "duplicates for orders and volume for items" are two, and null. */
export function joinedWish(one: Wish, next: Wish): Wish | null {
  const isComplete = ({ kinds, mentions }: Wish) => kinds.length > 0 && mentions.tables.size > 0;
  if (isComplete(one) && isComplete(next)) return null;
  const columns = new Map(one.mentions.columns);
  for (const [table, names] of next.mentions.columns)
    columns.set(table, new Set([...(columns.get(table) ?? []), ...names]));
  return {
    stance: one.stance,
    kinds: [...new Set([...one.kinds, ...next.kinds])],
    mentions: { tables: new Set([...one.mentions.tables, ...next.mentions.tables]), columns },
    text: `${one.text}, ${next.text}`,
  };
}

export function wishOf(
  { words, text, stance }: Pick<Clause, "words" | "text" | "stance">,
  tables: readonly Table[],
): Wish {
  const kinds = kindsIn(words);
  return { stance, kinds, mentions: mentionsOf(text, stance, tables), text };
}

export function kindsIn(words: string): CheckKind[] {
  return checkKinds.filter((kind) => kindWords[kind].test(words));
}

function mentionsOf(text: string, stance: Stance, tables: readonly Table[]): Mentions {
  const bare = withoutKindWords(withoutZones(text));
  if (stance === "exclude") return mentionsIn(bare, tables, "parts of names");
  const whole = mentionsIn(bare, tables, "whole names");
  return whole.tables.size > 0 || whole.columns.size > 0 ? whole : mentionsIn(bare, tables, "parts of names");
}

/** "missing values" speaks of no table of values. */
function withoutKindWords(text: string): string {
  return Object.values(kindWords).reduce(
    (left, pattern) => left.replace(new RegExp(pattern.source, "gi"), " "),
    text,
  );
}

const names = (wish: Wish) => ({
  kind: wish.kinds.length > 0,
  table: wish.mentions.tables.size > 0,
});
export const coversKind = (wish: Wish, kind: CheckKind) =>
  wish.kinds.length === 0 || wish.kinds.includes(kind);
export const coversTable = ({ mentions }: Wish, table: TableName) =>
  mentions.tables.size === 0 || mentions.tables.has(keyOf(table));

/** The wish that keeps a kind of check away from a table; null when it may be there. */
export function refusalOf(wishes: readonly Wish[], kind: CheckKind, table: TableName): Wish | null {
  let byKind: Wish | null = null;
  let byTable: Wish | null = null;
  for (const wish of wishes) {
    const named = names(wish);
    // Whoever names only a column has said nothing of its table.
    if (!named.kind && !named.table) continue;
    const [isKind, isTable] = [coversKind(wish, kind), coversTable(wish, table)];
    // Of a column that is named in it, only the column is left out.
    if (wish.stance === "exclude" && wish.mentions.columns.has(keyOf(table)) && !named.kind) continue;
    if (wish.stance === "only") {
      if (named.kind) byKind = isKind ? null : wish;
      if (named.table) byTable = isTable ? null : wish;
    } else if (isKind && isTable) {
      const refusal = wish.stance === "exclude" ? wish : null;
      if (named.kind) byKind = refusal;
      if (named.table) byTable = refusal;
    }
  }
  return byKind ?? byTable;
}

/** How much people care: for a table and a kind that they have named, for both, for a column. */
export function weightOf(wishes: readonly Wish[], kind: CheckKind | null, table: TableName): number {
  const wanted = wishes.filter(({ stance }) => stance !== "exclude");
  const namesTable = wanted.some(
    ({ mentions }) => mentions.tables.has(keyOf(table)) || mentions.columns.has(keyOf(table)),
  );
  const namesKind =
    kind !== null && wanted.some((wish) => wish.kinds.includes(kind) && coversTable(wish, table));
  return (namesTable ? 100 : 0) + (namesKind ? 60 : 0);
}

export const isNamedColumn = (wishes: readonly Wish[], table: TableName, column: string) =>
  columnsSaid(wishes).get(keyOf(table))?.get(column)?.isWanted ?? false;

export const isRefusedColumn = (wishes: readonly Wish[], table: TableName, column: string) =>
  columnsSaid(wishes).get(keyOf(table))?.get(column)?.last === "exclude";

/** Of a column that was named: whether ever as something to be watched, and how at last. */
type Said = { isWanted: boolean; last: Stance };

/** Wishes are many where people have said much, and every column is asked about. */
const said = new WeakMap<readonly Wish[], Map<string, Map<string, Said>>>();

function columnsSaid(wishes: readonly Wish[]): Map<string, Map<string, Said>> {
  const known = said.get(wishes);
  if (known) return known;
  const tables = new Map<string, Map<string, Said>>();
  for (const { stance, mentions } of wishes)
    for (const [table, names] of mentions.columns) {
      const columns = tables.get(table) ?? new Map<string, Said>();
      tables.set(table, columns);
      for (const name of names)
        columns.set(name, {
          isWanted: (columns.get(name)?.isWanted ?? false) || stance !== "exclude",
          last: stance,
        });
    }
  said.set(wishes, tables);
  return tables;
}
