import { plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import type { Wishes } from "../wishes.ts";
import type { Candidate } from "./candidate.ts";
import { type Check, keyOf } from "./check.ts";
import { sqlOf } from "./check-sql.ts";
import { wordsOf } from "./name-words.ts";
import { plain, shortened } from "./plain-text.ts";
import { cronOf, type Schedule, scheduleInWords } from "./schedule.ts";
import { rowsOf, tableLabel } from "./table-facts.ts";

/** A proposed check: a query with its name and schedule. */
export type Draft = Candidate & { name: string; sql: string; schedule: Schedule; timezone: string };

const longestName = 200;
/** Counting more rows than this every hour is not worth it. */
const maxRowsByHour = 1_000_000;

export function draftOf(candidate: Candidate, briefing: Briefing, wishes: Wishes, names: NameBook): Draft {
  return {
    ...candidate,
    name: names.take(nameOf(candidate.check, briefing)),
    sql: sqlOf(candidate.check, briefing.dataSource.dialect),
    schedule: wishes.schedule ?? usualSchedule(candidate, briefing),
    timezone: wishes.schedule?.timezone ?? "UTC",
  };
}

/** Names in use, to keep names unique. */
export class NameBook {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map((name) => name.trim().toLowerCase()));
  }

  take(wanted: string): string {
    let name = shortened(wanted, longestName);
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) {
      const suffix = ` (${count})`;
      name = shortened(wanted, longestName - suffix.length) + suffix;
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

export function nameOf(check: Check, briefing: Briefing): string {
  const label = plain(tableLabel(check, briefing), 100);
  switch (check.kind) {
    case "Freshness":
      return `No new rows in ${label}`;
    case "Volume":
      return `Too few rows in ${label}`;
    case "NullRate": {
      const [only = "", ...more] = check.columns;
      return more.length === 0 ? `Missing ${plain(only)} in ${label}` : `Missing values in ${label}`;
    }
    case "Uniqueness":
      return check.isWholeRow
        ? `Rows that come twice in ${label}`
        : `Duplicate ${check.columns.map((column) => plain(column)).join(" and ")} in ${label}`;
    case "Referential":
      return `${spoken(label)} with an unknown ${thing(check.column)}`;
  }
}

/** `order_items` starts a sentence as "Order items"; names with a schema or special characters stay as they are. */
export function spoken(label: string): string {
  const words = wordsOf(label).join(" ");
  if (words === "" || /[^\p{L}\p{N}_ -]/u.test(label)) return label;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `customer_id` refers to a customer. */
export function thing(column: string): string {
  const words = wordsOf(column);
  const kept = /^(id|fk|key|uuid|guid|sk)$/.test(words.at(-1) ?? "") ? words.slice(0, -1) : words;
  return kept.join(" ") || plain(column);
}

function usualSchedule({ check, table, isFrequent }: Candidate, briefing: Briefing): Schedule {
  if (check.kind === "Freshness" && isFrequent) return "hourly";
  const rows = rowsOf(table, briefing.dataSource.dialect)?.rows ?? 0;
  return check.kind === "Volume" && isFrequent && rows <= maxRowsByHour ? "hourly" : "daily";
}

/** Determines a check's minute: by its subject, not its name. */
export const seedOf = (check: Check) => `${check.kind} ${keyOf(check)}`;

export function actionsOf(draft: Draft): ProposedAction[] {
  const { check, name, sql, seen, meaning, schedule, timezone } = draft;
  return [
    {
      kind: "CreateQuery",
      reasoning: `${seen}.`,
      name,
      description: `${meaning} When it was proposed: ${seen.charAt(0).toLowerCase()}${seen.slice(1)}.`,
      sql,
    },
    {
      kind: "CreateSubscription",
      reasoning: whySchedule(draft),
      queryName: name,
      queryId: null,
      cronExpression: cronOf(schedule, seedOf(check)),
      timezone,
    },
  ];
}

function whySchedule({ check, schedule, isFrequent }: Draft): string {
  const when = `It runs ${scheduleInWords(schedule)}`;
  if (typeof schedule === "object") return `${when}, as was chosen.`;
  if (check.kind === "Freshness") return `${when}, because rows come ${isFrequent ? "often" : "seldom"}.`;
  return schedule === "hourly"
    ? `${when}, because rows come often.`
    : `${when}: once a day is soon enough for this.`;
}

/** The number of actions of each kind, in words. */
export function countsOf(actions: readonly ProposedAction[]): string {
  const count = (kind: ProposedAction["kind"], one: string) => {
    const number = actions.filter((action) => action.kind === kind).length;
    return number === 0 ? [] : [plural(number, one, one.replace(/y$/, "ie").concat("s"))];
  };
  return [
    ...count("CreateQuery", "new query"),
    ...count("CreateSubscription", "new subscription"),
    ...count("RefineQuery", "changed query"),
    ...count("ArchiveQuery", "archived query"),
    ...count("ArchiveSubscription", "archived subscription"),
  ].join(", ");
}
