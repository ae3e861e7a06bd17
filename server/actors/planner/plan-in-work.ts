import { plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import { checkNames, type WishedCheck } from "../wished-checks.ts";
import type { Wishes } from "../wishes.ts";
import { withoutColumns } from "./adapt-check.ts";
import { keyOf, type Table } from "./check.ts";
import { sqlOf } from "./check-sql.ts";
import { chooseChecks } from "./choose-checks.ts";
import { checkKindOf } from "./choose-faults.ts";
import { actionsOf, draftOf, NameBook } from "./draft.ts";
import { whyNothing } from "./find-checks.ts";
import {
  actionsOfItem,
  type Existing,
  existingItems,
  type Item,
  identitiesOf,
  type Proposed,
  proposedItems,
} from "./items.ts";
import { plain, someOf } from "./plain-text.ts";
import { rankTables } from "./rank-tables.ts";
import { scheduleInWords } from "./schedule.ts";
import { tableLabel } from "./table-facts.ts";
import {
  isExcludedColumn,
  isExcludedTable,
  isNamedTable,
  isWantedKind,
  isWantedTable,
  wantedKinds,
} from "./wishes.ts";
import type { WrittenFinding } from "./written-finding.ts";

/** How a choice can affect a query. */
export type ChangeKind = "added" | "removed" | "archived" | "rescheduled" | "narrowed";
export type Change = { kind: ChangeKind; name: string; text: string };

const asChosen = "By what was chosen for this request.";

/** What exists and what is proposed, while choices are applied one after another. */
export class PlanInWork {
  /** The changes by query name; a query that ends up removed has no other change. */
  readonly #changes: Change[] = [];
  readonly notes: string[] = [];
  /** Why nothing was added for a table, by its key, or for a kind of check. */
  readonly reasons = new Map<string, string>();
  readonly newTables: Table[] = [];
  readonly wishes: Wishes;
  readonly #briefing: Briefing;
  readonly #existing: Existing[];
  readonly #archived = new Set<number>();
  #proposed: Proposed[];
  #others: ProposedAction[];
  /** Actions on existing queries. */
  readonly #done: ProposedAction[] = [];
  /** What must not be proposed again: what exists, and what was just dropped. */
  readonly #known: Set<string>;

  constructor(briefing: Briefing, wishes: Wishes, former: readonly ProposedAction[]) {
    const { items, others } = proposedItems(former);
    this.#briefing = briefing;
    this.wishes = wishes;
    this.#existing = existingItems(briefing);
    this.#proposed = items;
    this.#others = others;
    this.#known = identitiesOf([...items, ...this.#existing]);
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  actions(): ProposedAction[] {
    return [...this.#others, ...this.#done, ...this.#proposed.flatMap(actionsOfItem)];
  }

  /** Drops actions of the previous plan by their position, along with the subscriptions of dropped queries. */
  leaveOut(former: readonly ProposedAction[], indexes: readonly number[]): void {
    for (const [index, action] of former.entries()) {
      if (!indexes.includes(index)) continue;
      const item = this.#proposed.find(({ create, subscriptions }) =>
        [create, ...subscriptions].some((each) => each === action),
      );
      if (!item) this.#others = this.#others.filter((each) => each !== action);
      else if (item.create === action) this.#dropProposed(item);
      else {
        item.subscriptions = item.subscriptions.filter((each) => each !== action);
        this.#change("rescheduled", item.name, `“${item.name}” no longer runs by itself.`);
      }
    }
  }

  /** Removes everything from the plan that is not of the chosen tables and checks. */
  keepOnlyWanted(): void {
    for (const item of this.#proposed)
      if (this.#isKnown(item) && !this.#isWanted(item)) this.#dropProposed(item);
      else this.#narrow(item);
  }

  /** Removes what is watched of excluded tables and columns, from the plan and from what exists. */
  dropExcluded(): void {
    for (const item of this.#items()) {
      const about = item.check ?? item.finding;
      if (about && isExcludedTable(this.wishes, about)) this.#drop(item);
      else if (item.finding && this.#doubtsExcluded(item.finding)) this.#drop(item);
      else this.#narrow(item);
    }
  }

  /**
   * Adds what applies to the chosen tables and checks and does not exist yet, up to a maximum number of queries in the
   * plan.
   */
  add(): void {
    const briefing = this.#briefing;
    const { ranked, leftOut } = rankTables(briefing, this.wishes);
    const room = Math.min(
      this.#room(),
      (this.wishes.maxChecks ?? Number.POSITIVE_INFINITY) - this.#proposed.length,
    );
    const choice = chooseChecks({ ranked }, briefing, this.wishes, { room, existing: this.#known });
    const names = new NameBook([...this.#proposed, ...this.#existing].map(({ name }) => name));
    for (const candidate of choice.chosen) {
      const draft = draftOf(candidate, briefing, this.wishes, names);
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
        `${plural(choice.beyond.length, "more check")} would fit, but there is no room for more queries.`,
      );
    if (choice.chosen.length > 0 || choice.beyond.length > 0) return;
    for (const { table, reason } of leftOut)
      if (isNamedTable(this.wishes, table))
        this.#note(`${plain(tableLabel(table, briefing))} cannot be checked: ${reason}.`, keyOf(table));
    for (const { table } of ranked.slice(0, 5)) this.#note(this.#whyNot(table), keyOf(table));
    if (ranked.length === 0 && leftOut.length === 0) this.#note("The data source has no tables.");
  }

  /** Keeps only this many queries in the plan, from the start. */
  cap(maxChecks: number): void {
    for (const item of this.#proposed.slice(maxChecks)) this.#dropProposed(item);
  }

  /** Applies the chosen schedule to everything left in a plan, or to everything that the tables and checks select. */
  reschedule({ cronExpression, timezone }: NonNullable<Wishes["schedule"]>, isOfPlanOnly: boolean): void {
    const { tables, checks } = this.wishes;
    const isAll = isOfPlanOnly || tables.length + checks.length === 0;
    for (const item of this.#items()) {
      // What a query written by people is about is unknown.
      if (!isAll && !(this.#isKnown(item) && this.#isWanted(item))) continue;
      if (item.origin === "proposed") this.#rescheduleProposed(item, cronExpression, timezone);
      else if (!isOfPlanOnly) this.#rescheduleExisting(item, cronExpression, timezone);
    }
  }

  /** Reports each chosen kind of check that the planner does not support. */
  noteUnknownKinds(): void {
    const known: readonly string[] = wantedKinds(this.wishes);
    for (const check of this.wishes.checks)
      if (!known.includes(check))
        this.#note(
          `The built-in planner proposes no checks of ${checkNames[check]}: they need a language model.`,
          check,
        );
  }

  #items(): Item[] {
    const existing = this.#existing.filter(({ query }) => !this.#archived.has(query.id));
    return [...this.#proposed, ...existing];
  }

  /** Whether the planner wrote it, so that its subject is known. */
  #isKnown({ check, finding }: Item): boolean {
    return check !== null || finding !== null;
  }

  #isWanted({ check, finding }: Item): boolean {
    if (check) return isWantedTable(this.wishes, check) && isWantedKind(this.wishes, check.kind);
    if (!finding || !isWantedTable(this.wishes, finding) || this.#doubtsExcluded(finding)) return false;
    const { checks } = this.wishes;
    const kinds: (WishedCheck | null)[] = finding.parts.map(({ kind }) => checkKindOf(kind));
    return checks.length === 0 || kinds.some((kind) => kind !== null && checks.includes(kind));
  }

  #doubtsExcluded(finding: WrittenFinding): boolean {
    return finding.parts
      .flatMap(({ columns }) => columns)
      .some((column) => isExcludedColumn(this.wishes, finding, column));
  }

  #drop(item: Item): void {
    if (item.origin === "proposed") {
      this.#dropProposed(item);
      return;
    }
    const { id } = item.query;
    this.#others = this.#others.filter((action) => !("queryId" in action) || action.queryId !== id);
    this.#archived.add(id);
    this.#done.push({ kind: "ArchiveQuery", reasoning: asChosen, queryId: id });
    this.#replaceChange("archived", item.name, `“${item.name}” is archived.`);
  }

  #dropProposed(item: Proposed): void {
    this.#proposed = this.#proposed.filter((each) => each !== item);
    this.#replaceChange("removed", item.name, `“${item.name}” is no longer proposed.`);
  }

  /** Removes excluded columns from it, if it is still as the planner wrote it. */
  #narrow(item: Item): void {
    const { check } = item;
    if (!check) return;
    const { dialect } = this.#briefing.dataSource;
    const sql = item.origin === "proposed" ? item.create.sql : item.query.sql.trim();
    const isExcluded = (column: string) => isExcludedColumn(this.wishes, check, column);
    const now = withoutColumns(check, isExcluded);
    if (now && sqlOf(now, dialect) === sqlOf(check, dialect)) return;
    if (sqlOf(check, dialect) !== sql) {
      this.#note(`“${item.name}” was edited by people: it is left as it is.`);
      return;
    }
    if (now === null) {
      this.#drop(item);
      return;
    }
    if (item.origin === "proposed") {
      item.check = now;
      item.create = { ...item.create, sql: sqlOf(now, dialect) };
    } else
      this.#done.push({
        ...{ kind: "RefineQuery", reasoning: asChosen, queryId: item.query.id, sql: sqlOf(now, dialect) },
      });
    this.#change("narrowed", item.name, `“${item.name}” checks fewer columns.`);
  }

  #whyNot(table: Table): string {
    const label = plain(tableLabel(table, this.#briefing));
    const kinds = wantedKinds(this.wishes);
    const same = this.#items().filter(
      ({ check }) => check && keyOf(check) === keyOf(table) && kinds.includes(check.kind),
    );
    return same.length > 0
      ? `${label} is already checked by ${someOf(same.map(({ name }) => `“${name}”`))}.`
      : `${label}: no check fits, because ${whyNothing(table, kinds)}.`;
  }

  #rescheduleProposed(item: Proposed, cronExpression: string, timezone: string): void {
    if (isSchedule(item.subscriptions, cronExpression, timezone)) return;
    item.subscriptions = [
      {
        kind: "CreateSubscription",
        reasoning: "It runs when it was chosen to.",
        queryName: item.name,
        queryId: null,
        ...{ cronExpression, timezone },
      },
    ];
    this.#change("rescheduled", item.name, `“${item.name}” runs at ${cronExpression} (${timezone}).`);
  }

  #rescheduleExisting({ name, query }: Existing, cronExpression: string, timezone: string): void {
    if (isSchedule(query.subscriptions, cronExpression, timezone)) return;
    for (const { id } of query.subscriptions)
      this.#done.push({
        kind: "ArchiveSubscription",
        reasoning: `Another takes its place. ${asChosen}`,
        subscriptionId: id,
      });
    this.#done.push({
      kind: "CreateSubscription",
      reasoning: asChosen,
      queryName: null,
      queryId: query.id,
      ...{ cronExpression, timezone },
    });
    this.#change("rescheduled", name, `“${name}” runs at ${cronExpression} (${timezone}).`);
  }

  #room(): number {
    const archived = [...this.#others, ...this.#done].filter(({ kind }) => kind === "ArchiveQuery").length;
    return this.#briefing.limits.queriesLeft + archived - this.#proposed.length;
  }

  #change(kind: ChangeKind, name: string, text: string): void {
    this.#changes.push({ kind, name, text });
  }

  /** Replaces earlier changes of the query. */
  #replaceChange(kind: ChangeKind, name: string, text: string): void {
    const others = this.#changes.filter((change) => change.name !== name);
    this.#changes.splice(0, this.#changes.length, ...others, { kind, name, text });
  }

  #note(text: string, about?: string): void {
    if (about !== undefined) this.reasons.set(about, text);
    if (!this.notes.includes(text)) this.notes.push(text);
  }
}

type Run = { cronExpression: string; timezone: string };

const isSchedule = ([first, ...more]: readonly Run[], cronExpression: string, timezone: string) =>
  more.length === 0 && first?.cronExpression === cronExpression && first.timezone === timezone;
