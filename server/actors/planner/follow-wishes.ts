import { plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { Proposal, ProposedAction } from "../proposal.ts";
import { keyOf } from "./check.ts";
import { countsOf } from "./draft.ts";
import { findingsOf } from "./findings.ts";
import { escaped } from "./plain-text.ts";
import { type Change, type ChangeKind, PlanInWork } from "./plan-in-work.ts";
import { wishesOf } from "./wishes.ts";

/**
 * Applies the choices in a request to the existing queries, and to the proposals of a plan that was sent back or is
 * still pending. A pending plan becomes part of the new one, which replaces it.
 *
 * - Tables and checks: a request adds what applies to them. A plan that is sent back keeps only what applies, and gains
 * what it lacked.
 * - Exclusions: their checks are removed from the plan, and for a request also from what exists.
 * - A schedule applies to everything that the tables and checks select.
 */
export function followWishes(briefing: Briefing): Proposal {
  const { revision, wishes: asked } = briefing.occasion;
  const former = revision?.actions ?? briefing.pendingActions;
  const work = new PlanInWork(briefing, wishesOf(briefing), former);
  const { maxChecks, schedule } = work.wishes;
  if (asked?.leaveOut) work.leaveOut(former, asked.leaveOut);
  if (asked && revision) work.keepOnlyWanted();
  else if (asked) work.dropExcluded();
  if (asked && asked.tables.length + asked.checks.length > 0) work.add();
  if (asked?.maxChecks && maxChecks && revision) work.cap(maxChecks);
  if (asked?.schedule && schedule) work.reschedule(schedule, revision !== null);
  work.noteUnknownKinds();
  const hasChanged = work.changes.length > 0;
  // Without a change, a pending plan is left alone.
  const actions = revision || hasChanged ? work.actions() : [];
  return {
    summary: summaryOf(actions, work, revision !== null),
    analysis: analysisOf(actions, work, briefing),
    keyFindings: revision?.keyFindings ?? findingsOf(work.newTables, briefing, work.wishes),
    actions,
    answers: answersOf(work, briefing),
    notification: null,
  };
}

/** Why something that was chosen came to nothing. Whether it did is for the plan to show, not for the planner to say. */
function answersOf({ reasons }: PlanInWork, { occasion }: Briefing): Proposal["answers"] {
  return occasion.clauses.flatMap(({ choice }, index) => {
    const because =
      choice?.kind === "Table" && choice.table.tableName
        ? reasons.get(keyOf({ ...choice.table, tableName: choice.table.tableName }))
        : choice?.kind === "Check" && reasons.get(choice.check);
    return because ? [{ clause: index + 1, done: false, because }] : [];
  });
}

/** What the request changed, and no more: everything else in the plan is counted separately. */
function summaryOf(
  actions: readonly ProposedAction[],
  { changes, notes }: PlanInWork,
  isRevision: boolean,
): string {
  if (changes.length === 0)
    return [`Nothing changed${isRevision ? "; the plan is as it was" : ""}.`, ...notes.slice(0, 1)].join(" ");
  const held = countsOf(actions);
  const holds = held === "" ? "Nothing is left in the plan." : `The plan holds ${held}.`;
  return `Changed as chosen: ${changesInWords(changes)}. ${holds}`;
}

const changeWords: Record<ChangeKind, string> = {
  added: "added",
  removed: "removed from the plan",
  archived: "to be archived",
  rescheduled: "rescheduled",
  narrowed: "checking fewer columns",
};

function changesInWords(changes: readonly Change[]): string {
  return [...Map.groupBy(changes, ({ kind }) => kind)]
    .map(([kind, all]) => `${plural(all.length, "query", "queries")} ${changeWords[kind]}`)
    .join(", ");
}

function analysisOf(
  actions: readonly ProposedAction[],
  { changes, notes }: PlanInWork,
  { occasion, pendingActions }: Briefing,
): string {
  const parts: string[] = [];
  const lines = (texts: readonly string[]) => texts.map((text) => `- ${escaped(text, 500)}`).join("\n");
  if (changes.length > 0)
    parts.push(
      `### ${occasion.revision ? "What has changed since the last version" : "What changes"}\n\n${lines(changes.map(({ text }) => text))}`,
    );
  if (notes.length > 0) parts.push(`### What else was found\n\n${lines(notes)}`);
  if (!occasion.revision && changes.length > 0 && pendingActions.length > 0)
    parts.push(
      "A plan was waiting for a decision. This one takes its place, and holds what it proposed as well.",
    );
  const planned = actions.flatMap((action) =>
    action.kind === "CreateQuery"
      ? [`- **${escaped(action.name, 200)}**: ${escaped(action.description, 600)}`]
      : [],
  );
  if (planned.length > 0) parts.push(`### What is to be watched\n\n${planned.join("\n")}`);
  return parts.join("\n\n") || "Nothing changed.";
}
