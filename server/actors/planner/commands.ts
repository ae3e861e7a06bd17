import type { CheckKind, Table } from "./check.ts";
import { type Clause, clausesOf, removing } from "./clauses.ts";
import type { Item } from "./items.ts";
import type { Mentions } from "./mentions.ts";
import { type Schedule, scheduleIn, withoutZones, zoneIn } from "./schedule.ts";
import { joinedWish, kindsIn, type Wish, wishOf } from "./wishes.ts";

/**
 * What a person asks for in a message, clause by clause.
 *
 * - `remove`, `keep`: queries that are named, or are of what is named
 * - `add`: new checks; `only`, `without`: which of all are wanted
 * - `schedule`: when they run
 */
export type Verb = "remove" | "keep" | "add" | "only" | "without" | "schedule";
export type Command = {
  verb: Verb;
  /** Queries that are named. */
  items: readonly Item[];
  kinds: readonly CheckKind[];
  mentions: Mentions;
  /** For the words of the same wish. */
  wish: Wish;
  isAll: boolean;
  /** Only what runs a query, and not the query itself. */
  isOfSubscriptions: boolean;
  schedule: Schedule | null;
  timezone: string | null;
  text: string;
  /** Its verb is that of the clause before it. */
  isCarried: boolean;
};

export type Reading = { commands: Command[]; notUnderstood: string[] };

const keeping = /\b(keep|retain|restore)\b|\b(do not|don'?t|don’t|never) (archive|remove|delete|drop|stop)\b/;
const removingAnywhere = /\b(archive|remove|delete|drop|get rid of|turn off|disable|cancel)\b/;
const scheduling = /\b(make|runs?|schedule|execute|move|change|set|switch|use|let)\b/;
const everything =
  /\b(everything|all( (of )?(them|it|the)?)?( ?(checks|queries|subscriptions|monitoring|monitors))?|them|these|the whole)\b/;
const politeness =
  /^(please|thanks?( you)?|thank you( very much)?|ok(ay)?|hi|hello|good|great|yes|fine|nice|well done|sure)$/;

export function readCommands(message: string, items: readonly Item[], tables: readonly Table[]): Reading {
  const { text, named } = withNamesMarked(message, items);
  const reading: Reading = { commands: [], notUnderstood: [] };
  const clauses = clausesOf(text);
  let last: Command | null = null;
  for (const [index, clause] of clauses.entries()) {
    if (politeness.test(clause.words.replace(/[^\p{L} ]/gu, "").trim())) continue;
    const sentence = clauses.filter((each) => each.sentence === clause.sentence);
    const isFirst = clauses[index - 1]?.sentence !== clause.sentence;
    const before: Command | null = isFirst ? null : last;
    const command = commandOf(clause, { sentence, named, tables, last: before });
    const written = unmarked(clause.text, named);
    if (!command) {
      reading.notUnderstood.push(written);
      continue;
    }
    const joined: Command | null = command.isCarried && before ? joinedCommand(before, command) : null;
    const read = joined ?? { ...command, text: written };
    if (joined) reading.commands.pop();
    reading.commands.push(joined ? { ...read, text: `${before?.text}, ${written}` } : read);
    last = reading.commands.at(-1) ?? null;
  }
  return reading;
}

/** A list goes on: what follows is more of the same. */
function joinedCommand(one: Command, next: Command): Command | null {
  const wish = joinedWish(one.wish, next.wish);
  if (!wish || one.isOfSubscriptions !== next.isOfSubscriptions) return null;
  return {
    ...one,
    items: [...one.items, ...next.items],
    kinds: wish.kinds,
    mentions: wish.mentions,
    wish,
    schedule: next.schedule ?? one.schedule,
    timezone: next.timezone ?? one.timezone,
  };
}

type Context = {
  sentence: readonly Clause[];
  named: ReadonlyMap<string, Item>;
  tables: readonly Table[];
  last: Command | null;
};

function commandOf(clause: Clause, { sentence, named, tables, last }: Context): Command | null {
  const { words, text } = clause;
  const items = [...named].flatMap(([mark, item]) => (text.includes(mark) ? [item] : []));
  const bare = text.replace(marks, " ");
  const bareWords = words.replace(marks, " ");
  const wish = wishOf({ text: bare, words: bareWords, stance: clause.stance }, tables);
  const time = withoutZones(bare);
  const [schedule, timezone] = [scheduleIn(time), zoneIn(bare)];
  const isAll = items.length === 0 && everything.test(bareWords);
  const hasTargets =
    items.length + wish.kinds.length + wish.mentions.tables.size + wish.mentions.columns.size > 0;
  const hasTime = schedule !== null || timezone !== null;
  const goesOn = last !== null && !clause.isOwnStance && !scheduling.test(words) && !isAll;
  const canCarry = goesOn && hasTargets;
  // "add orders and customers, daily" is no order to run what there is of customers, or everything, daily.
  const isOfAdding = goesOn && hasTime && (last.verb === "add" || (last.verb === "schedule" && !hasTargets));
  const own = isOfAdding ? null : verbOf(clause, { hasTargets, isAll, isNamed: items.length > 0, hasTime });
  const inherited = own === null && (canCarry || isOfAdding) ? last : null;
  const chosen = own ?? inherited?.verb ?? null;
  if (chosen === null) return null;
  // "orders and customers hourly": the time is said once, at the end.
  const isTimed = chosen === "schedule" || chosen === "add";
  const later = isTimed && !hasTime ? timeLaterIn(sentence, clause) : null;
  const command: Command = {
    verb: chosen,
    items,
    kinds: kindsIn(bareWords),
    mentions: wish.mentions,
    wish: { ...wish, stance: stanceOf(chosen) },
    isAll,
    isOfSubscriptions: /\b(subscriptions?|schedules?)\b/.test(bareWords),
    schedule: schedule ?? later?.schedule ?? (inherited ? inherited.schedule : null),
    timezone: timezone ?? later?.timezone ?? (inherited ? inherited.timezone : null),
    text,
    isCarried: inherited !== null,
  };
  return command.verb === "schedule" && !command.schedule && !command.timezone ? null : command;
}

const stanceOf = (verb: Verb) =>
  verb === "only" ? "only" : verb === "without" || verb === "remove" ? "exclude" : "include";

type Facts = { hasTargets: boolean; isAll: boolean; isNamed: boolean; hasTime: boolean };

function verbOf(
  { words, stance, isOwnStance }: Clause,
  { hasTargets, isAll, isNamed, hasTime }: Facts,
): Verb | null {
  if (keeping.test(words)) return hasTargets || isAll ? "keep" : null;
  if (removing.test(words) || (removingAnywhere.test(words) && (isNamed || isAll)))
    return hasTargets || isAll ? "remove" : null;
  if (isOwnStance && stance === "exclude") return isNamed ? "remove" : hasTargets ? "without" : null;
  if (isOwnStance && stance === "only" && hasTargets && !isNamed) return "only";
  if (hasTime)
    return isOwnStance && stance === "include" && hasTargets && !isNamed && isAdding(words)
      ? "add"
      : "schedule";
  if (isOwnStance && stance === "include" && hasTargets) return isNamed ? "keep" : "add";
  return scheduling.test(words) && (hasTargets || isAll) ? "schedule" : null;
}

/** What says that something new is wanted, and not when the old is looked at. */
const isAdding = (words: string) =>
  /\b(add|also|watch|monitor|include|cover|start|create|propose|track)\w*\b/.test(words);

function timeLaterIn(sentence: readonly Clause[], clause: Clause) {
  for (const { text, words, isOwnStance } of sentence.slice(sentence.indexOf(clause) + 1)) {
    if (isOwnStance || scheduling.test(words)) return null;
    const schedule = scheduleIn(withoutZones(text));
    const timezone = zoneIn(text);
    if (schedule || timezone) return { schedule, timezone };
  }
  return null;
}

// --- names of queries, which are made of words that mean something else

const marks = /\ue000[a-z]+\ue001/g;
const markOf = (index: number) =>
  `\ue000${[...String(index)].map((digit) => "abcdefghij"[Number(digit)]).join("")}\ue001`;

/** Each name of a query becomes a mark, so that its words are none of the message; so does a part of one in quotes. */
function withNamesMarked(
  message: string,
  items: readonly Item[],
): { text: string; named: Map<string, Item> } {
  const named = new Map<string, Item>();
  let text = message.replaceAll(/[\ue000\ue001]/g, " ");
  const longestFirst = [...items.entries()].sort(([, a], [, b]) => b.name.length - a.name.length);
  for (const [index, item] of longestFirst) {
    const pattern = new RegExp(
      `["“”'‘’\`]?(?<![\\p{L}\\p{N}])${literal(item.name)}(?![\\p{L}\\p{N}])["“”'‘’\`]?`,
      "giu",
    );
    const marked = text.replace(pattern, ` ${markOf(index)} `);
    if (marked === text) continue;
    text = marked;
    named.set(markOf(index), item);
  }
  text = text.replace(/["“”`]([^"“”`]{3,})["“”`]/g, (quoted, part: string) => {
    const wanted = part.trim().toLowerCase();
    const found = [...items.entries()].filter(([, { name }]) => name.toLowerCase().includes(wanted));
    const [only] = found;
    if (found.length !== 1 || !only || !wanted.includes(" ")) return quoted;
    named.set(markOf(only[0]), only[1]);
    return ` ${markOf(only[0])} `;
  });
  return { text, named };
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");

const unmarked = (text: string, named: ReadonlyMap<string, Item>) =>
  text
    .replace(marks, (mark) => `“${named.get(mark)?.name ?? ""}”`)
    .replace(/ {2,}/g, " ")
    .trim();
