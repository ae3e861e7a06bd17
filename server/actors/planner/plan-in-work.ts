import { counted } from "../../data-quality/rules/figures.ts";
import type { Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import { checkKinds, keyOf, type Table } from "./check.ts";
import { sqlOf } from "./check-sql.ts";
import { chooseChecks } from "./choose-checks.ts";
import type { Command } from "./commands.ts";
import { actionsOf, draftOf, NameBook, seedOf } from "./draft.ts";
import { whyNothing } from "./find-checks.ts";
import {
  actionsOfItem,
  existingItems,
  type Item,
  identitiesOf,
  type Proposed,
  proposedItems,
} from "./items.ts";
import { withoutColumns } from "./mend-check.ts";
import { listed, plain, someOf } from "./plain-text.ts";
import { rankTables } from "./rank-tables.ts";
import { cronOf, type Schedule, scheduleInWords, speaksOfTime } from "./schedule.ts";
import { tableLabel } from "./table-facts.ts";
import { isRefusedColumn, refusalOf, type Wish, type Wishes, wishesOf } from "./wishes.ts";

/** What can become of a query because of a message. */
export type ChangeKind =
  | "added"
  | "removed"
  | "archived"
  | "unscheduled"
  | "rescheduled"
  | "narrowed"
  | "kept";
export type Change = { kind: ChangeKind; name: string; text: string };

/** What exists and what is proposed, as it changes from command to command. */
export class PlanInWork {
  /** What has changed, by the name of the query; what is taken away in the end has no other change. */
  readonly #changes: Change[] = [];
  /** How many changes were made, those included that later ones undid. */
  #made = 0;
  readonly notes: string[] = [];
  readonly newTables: Table[] = [];
  readonly #briefing: Briefing;
  readonly #existing: Item[];
  #proposed: Proposed[];
  #others: ProposedAction[];
  /** What is done to queries that exist. */
  readonly #done: ProposedAction[] = [];
  readonly #archived = new Set<number>();
  /** What was said before, and since. */
  #wished: readonly Wish[];
  readonly #usual: Omit<Wishes, "all">;
  /** When all are to run, those included that are added later. */
  #timeOfAll: Pick<Command, "schedule" | "timezone"> = { schedule: null, timezone: null };

  constructor(briefing: Briefing, former: readonly ProposedAction[]) {
    const { items, others } = proposedItems(former);
    this.#briefing = briefing;
    this.#existing = existingItems(briefing);
    this.#proposed = items;
    this.#others = others;
    const { all, ...usual } = wishesOf(briefing);
    this.#wished = all;
    this.#usual = usual;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  get wishes(): Wishes {
    return { ...this.#usual, all: this.#wished };
  }

  get items(): Item[] {
    const existing = this.#existing.filter(
      (item) => item.origin === "existing" && !this.#archived.has(item.query.id),
    );
    return [...this.#proposed, ...existing];
  }

  actions(): ProposedAction[] {
    return [...this.#others, ...this.#done, ...this.#proposed.flatMap(actionsOfItem)];
  }

  /** `isRevision`: what is meant is first of all the plan, and then what exists. */
  follow(command: Command, isRevision: boolean): void {
    const { verb, schedule, text } = command;
    if (!schedule && speaksOfTime(text)) this.#note(`“${text}”: no schedule could be read from it.`);
    if (verb === "remove") this.#remove(command, isRevision);
    else if (verb === "keep") this.#keep(command);
    else if (verb === "add") this.#add(command);
    else if (verb === "schedule") this.#schedule(command, isRevision);
    else this.#restrict(command, isRevision);
    this.#honorTime(command, isRevision);
  }

  /** A time that stands beside another verb is asked for as well: "only freshness hourly". */
  #honorTime(command: Command, isRevision: boolean): void {
    const { verb, schedule, timezone, text } = command;
    if (verb === "schedule" || verb === "add") return;
    if (!schedule && !timezone) return;
    if (verb === "keep" || verb === "only") this.#schedule(command, isRevision);
    else this.#note(`“${text}”: the time in it was not used to choose what to remove.`);
  }

  #targets({ items, kinds, mentions, isAll, verb }: Command, isRevision: boolean): Item[] {
    if (items.length > 0) return this.items.filter(({ name }) => items.some((each) => each.name === name));
    const isOfPlan = ({ origin }: Item) => !isRevision || origin === "proposed";
    const isNothing = kinds.length === 0 && mentions.tables.size === 0;
    if (isNothing) return isAll || verb === "schedule" ? this.items.filter(isOfPlan) : [];
    const fits = ({ check }: Item) =>
      check !== null &&
      (kinds.length === 0 || kinds.includes(check.kind)) &&
      (mentions.tables.size === 0 || mentions.tables.has(keyOf(check)));
    const found = this.items.filter(fits);
    return found.some(isOfPlan) ? found.filter(isOfPlan) : found;
  }

  #remove(command: Command, isRevision: boolean): void {
    const targets = this.#targets(command, isRevision);
    if (targets.length === 0) this.#note(`“${command.text}”: there is nothing of that among its queries.`);
    for (const item of targets)
      if (command.isOfSubscriptions && command.items.length > 0) this.#unschedule(item, command.text);
      else this.#drop(item, command.text);
  }

  #drop(item: Item, why: string): void {
    if (item.origin === "proposed") {
      this.#proposed = this.#proposed.filter((each) => each !== item);
      this.#forget(item.name);
      this.#change("removed", item.name, `“${item.name}” is no longer proposed.`);
      return;
    }
    const { id } = item.query;
    this.#others = this.#others.filter((action) => !("queryId" in action) || action.queryId !== id);
    this.#archived.add(id);
    this.#done.push({ kind: "ArchiveQuery", reasoning: askedFor(why), queryId: id });
    this.#forget(item.name);
    this.#change("archived", item.name, `“${item.name}” is to be archived.`);
  }

  #unschedule(item: Item, why: string): void {
    if (item.origin === "proposed") item.subscriptions = [];
    else
      for (const { id } of item.query.subscriptions)
        this.#done.push({ kind: "ArchiveSubscription", reasoning: askedFor(why), subscriptionId: id });
    this.#change("unscheduled", item.name, `“${item.name}” no longer runs by itself.`);
  }

  /** What a plan would have taken away or changed stays as it is. */
  #keep({ items, text }: Command): void {
    const ids = items.flatMap((item) => (item.origin === "existing" ? [item.query.id] : []));
    const subscriptions = items.flatMap((item) =>
      item.origin === "existing" ? item.query.subscriptions.map(({ id }) => id) : [],
    );
    const isAgainst = (action: ProposedAction) =>
      ((action.kind === "ArchiveQuery" || action.kind === "RefineQuery") && ids.includes(action.queryId)) ||
      (action.kind === "ArchiveSubscription" && subscriptions.includes(action.subscriptionId));
    const kept = this.#others.filter((action) => !isAgainst(action));
    if (kept.length < this.#others.length)
      this.#change(
        "kept",
        "",
        `${listed(items.map(({ name }) => `“${name}”`))} ${items.length === 1 ? "stays" : "stay"} as it is.`,
      );
    else this.#note(`“${text}”: nothing of that was to be taken away.`);
    this.#others = kept;
  }

  #restrict({ wish, verb, text, kinds, mentions }: Command, isRevision: boolean): void {
    this.#wished = [...this.#wished, wish];
    const columnsOnly = verb === "without" && kinds.length === 0 && mentions.columns.size > 0;
    const isMeant = ({ origin }: Item) => !isRevision || origin === "proposed";
    const before = this.#made;
    for (const item of this.items.filter(isMeant)) {
      if (!item.check) continue;
      if (columnsOnly && mentions.columns.has(keyOf(item.check))) this.#leaveColumns(item, text);
      else if (refusalOf([wish], item.check.kind, item.check)) this.#drop(item, text);
    }
    if (verb === "only") {
      const isLeft = this.items.some(({ check }) => check && !refusalOf([wish], check.kind, check));
      if (!isLeft) this.#add({ ...nothingElse, kinds, mentions, wish, text, verb: "add" });
      if (!isLeft) return;
    }
    if (this.#made === before) this.#note(`“${text}”: nothing had to be taken away for that.`);
  }

  #leaveColumns(item: Item, why: string): void {
    const { check } = item;
    if (!check) return;
    const { all } = this.wishes;
    const now = withoutColumns(check, (column) => isRefusedColumn(all, check, column));
    if (now === null) {
      this.#drop(item, why);
      return;
    }
    const sql = sqlOf(now, this.#briefing.dataSource.dialect);
    if (item.origin === "proposed") {
      if (sql === item.create.sql) return;
      item.check = now;
      item.create = { ...item.create, sql };
    } else {
      if (sql === item.query.sql.trim()) return;
      this.#done.push({ kind: "RefineQuery", reasoning: askedFor(why), queryId: item.query.id, sql });
    }
    this.#change("narrowed", item.name, `“${item.name}” looks at fewer columns.`);
  }

  #add(command: Command): void {
    const { wish, kinds, mentions, text, schedule, timezone } = command;
    if (command.verb === "add" && wish.stance === "include") this.#wished = [...this.#wished, wish];
    const briefing = this.#briefing;
    const asksFor = kinds.length > 0 ? kinds : checkKinds;
    const { ranked, leftOut } = rankTables(briefing, this.wishes);
    const columnsOf = (table: Table) => mentions.columns.has(keyOf(table));
    const isAsked = (table: Table) =>
      mentions.tables.size === 0
        ? mentions.columns.size === 0 || columnsOf(table)
        : mentions.tables.has(keyOf(table));
    const tables = ranked.filter(({ table }) => isAsked(table));
    const existing = identitiesOf(this.items);
    const room = this.#room();
    const choice = chooseChecks({ ranked: tables }, briefing, this.wishes, {
      room,
      existing,
      kinds: asksFor,
    });
    const names = new NameBook([...this.items, ...this.#existing].map(({ name }) => name));
    const proposedBefore = this.#proposed.length;
    for (const candidate of choice.chosen) {
      const asked = {
        schedule: schedule ?? this.#timeOfAll.schedule,
        timezone: timezone ?? this.#timeOfAll.timezone,
      };
      const draft = draftOf(candidate, briefing, this.wishes, names, asked);
      this.#proposed.push(...proposedItems(actionsOf(draft)).items);
      if (!this.newTables.includes(candidate.table)) this.newTables.push(candidate.table);
      this.#change(
        "added",
        draft.name,
        `“${draft.name}” is new: it runs ${scheduleInWords(draft.schedule)}.`,
      );
    }
    if (choice.beyond.length > 0)
      this.#note(
        `${counted(choice.beyond.length, "more check")} would fit “${text}”, but there is no room for more queries.`,
      );
    // What is only proposed so far counts as well: in a revision, most of what is asked for is in the plan already.
    const isNew = new Set(this.#proposed.slice(proposedBefore));
    const watched = this.items.filter(
      (item) =>
        item.check &&
        !(item.origin === "proposed" && isNew.has(item)) &&
        asksFor.includes(item.check.kind) &&
        (mentions.tables.size === 0 || mentions.tables.has(keyOf(item.check))),
    );
    if (schedule || timezone) this.#retime(watched, schedule, timezone, text);
    if (choice.chosen.length > 0 || choice.beyond.length > 0) return;
    for (const { table, reason } of leftOut.filter(({ table }) => isAsked(table) && mentions.tables.size > 0))
      this.#note(`${plain(tableLabel(table, briefing))} is not watched: ${reason}.`);
    for (const { table } of tables.slice(0, 5)) this.#note(this.#whyNot(table, asksFor, watched));
    if (tables.length === 0 && leftOut.every(({ table }) => !isAsked(table)))
      this.#note(`“${text}”: no table fits that.`);
  }

  #whyNot(table: Table, kinds: Command["kinds"], watched: readonly Item[]): string {
    const label = plain(tableLabel(table, this.#briefing));
    const same = watched.filter(({ check }) => check && keyOf(check) === keyOf(table));
    if (same.length > 0)
      return `${label} is watched already, by ${someOf(same.map(({ name }) => `“${name}”`))}.`;
    return `${label}: there is nothing of that to watch, because ${whyNothing(table, kinds)}.`;
  }

  #schedule(command: Command, isRevision: boolean): void {
    const { schedule, timezone, text } = command;
    const targets = this.#targets(command, isRevision);
    if (targets.length === 0) this.#note(`“${text}”: there is nothing of that among its queries.`);
    const { items, kinds, mentions } = command;
    if (items.length + kinds.length + mentions.tables.size === 0) this.#timeOfAll = { schedule, timezone };
    this.#retime(targets, schedule, timezone, text);
  }

  #retime(items: readonly Item[], schedule: Schedule | null, timezone: string | null, why: string): void {
    for (const item of items) {
      const seed = item.check ? seedOf(item.check) : item.name;
      const cronOfOld = (old: string | undefined) => (schedule ? cronOf(schedule, seed) : (old ?? null));
      const asked = { schedule, cronOfOld, timezone };
      if (item.origin === "proposed") this.#retimeProposed(item, asked);
      else this.#retimeExisting(item, asked, why);
    }
  }

  #retimeProposed(item: Proposed, { schedule, cronOfOld, timezone }: AskedTime): void {
    const [first] = item.subscriptions;
    const cronExpression = cronOfOld(first?.cronExpression);
    if (cronExpression === null) return;
    const zone = timezone ?? first?.timezone ?? this.wishes.timezone;
    if (
      item.subscriptions.length === 1 &&
      first?.cronExpression === cronExpression &&
      first.timezone === zone
    ) {
      this.#note(`“${item.name}” runs ${whenOf(schedule, cronExpression, zone)} already.`);
      return;
    }
    item.subscriptions = [
      {
        kind: "CreateSubscription",
        reasoning: "It runs when it was asked to.",
        queryName: item.name,
        queryId: null,
        ...{ cronExpression, timezone: zone },
      },
    ];
    this.#change("rescheduled", item.name, `“${item.name}” runs ${whenOf(schedule, cronExpression, zone)}.`);
  }

  #retimeExisting(
    { name, query }: Extract<Item, { origin: "existing" }>,
    { schedule, cronOfOld, timezone }: AskedTime,
    why: string,
  ): void {
    const [first] = query.subscriptions;
    const cronExpression = cronOfOld(first?.cronExpression);
    if (cronExpression === null) return;
    const zone = timezone ?? first?.timezone ?? this.wishes.timezone;
    const isSame =
      query.subscriptions.length === 1 && first?.cronExpression === cronExpression && first.timezone === zone;
    if (isSame) {
      this.#note(`“${name}” runs ${whenOf(schedule, cronExpression, zone)} already.`);
      return;
    }
    for (const { id } of query.subscriptions)
      this.#done.push({
        kind: "ArchiveSubscription",
        reasoning: `Another takes its place. ${askedFor(why)}`,
        subscriptionId: id,
      });
    this.#done.push({
      kind: "CreateSubscription",
      reasoning: askedFor(why),
      queryName: null,
      queryId: query.id,
      cronExpression,
      timezone: zone,
    });
    this.#change("rescheduled", name, `“${name}” runs ${whenOf(schedule, cronExpression, zone)}.`);
  }

  #room(): number {
    const { queriesLeft } = this.#briefing.limits;
    const archived = [...this.#others, ...this.#done].filter(({ kind }) => kind === "ArchiveQuery").length;
    return queriesLeft + archived - this.#proposed.length;
  }

  #change(kind: ChangeKind, name: string, text: string): void {
    this.#made += 1;
    this.#changes.push({ kind, name, text });
  }

  #forget(name: string): void {
    const others = this.#changes.filter((change) => change.name !== name);
    this.#changes.splice(0, this.#changes.length, ...others);
  }

  #note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }
}

const nothingElse = {
  ...{ items: [], isAll: false, isOfSubscriptions: false, isCarried: false },
  ...{ schedule: null, timezone: null },
};

type AskedTime = {
  schedule: Schedule | null;
  /** null where there is neither a new time nor an old one. */
  cronOfOld: (old: string | undefined) => string | null;
  timezone: string | null;
};

/** To stand behind "runs". */
const whenOf = (schedule: Schedule | null, cronExpression: string, zone: string) =>
  schedule ? `${scheduleInWords(schedule)} (${zone})` : `at ${cronExpression} (${zone})`;

const askedFor = (text: string) => `Asked for: “${plain(text, 300)}”.`;
