import { counted } from "../../data-quality/rules/figures.ts";
import type { Briefing } from "../briefing.ts";
import type { Proposal, ProposedAction } from "../proposal.ts";
import { readCommands } from "./commands.ts";
import { countsOf } from "./draft.ts";
import { findingsOf } from "./findings.ts";
import { code, escaped, plain } from "./plain-text.ts";
import { type Change, type ChangeKind, PlanInWork } from "./plan-in-work.ts";
import { understood } from "./vocabulary.ts";

/**
 * Does what a person asks for: with the queries that exist, and with what a plan proposes that was sent back or still
 * waits. A waiting plan becomes part of the new one, which takes its place. What is not understood is said.
 */
export function followInstruction(briefing: Briefing): Proposal {
  const { revision, instruction } = briefing.occasion;
  const message = revision?.feedback ?? instruction ?? "";
  const former = revision?.actions ?? briefing.pendingActions;
  const work = new PlanInWork(briefing, former);
  const { commands, notUnderstood } = readCommands(message, work.items, briefing.tables);
  for (const command of commands) work.follow(command, revision !== null);
  const said = { notUnderstood, isUnderstood: commands.length > 0 };
  const hasChanged = work.changes.length > 0;
  // Without a change, a plan that waits is left to wait.
  const actions = revision || hasChanged ? work.actions() : [];
  return {
    summary: summaryOf(actions, work, revision !== null, said),
    analysis: analysisOf(actions, work, briefing, said),
    keyFindings: revision?.keyFindings ?? findingsOf(work.newTables, briefing, work.wishes),
    actions,
    notification: null,
  };
}

type Said = { notUnderstood: readonly string[]; isUnderstood: boolean };

/** What became of the message, and no more: what the plan holds besides is counted apart from what was changed. */
function summaryOf(
  actions: readonly ProposedAction[],
  { changes, notes }: PlanInWork,
  isRevision: boolean,
  { notUnderstood, isUnderstood }: Said,
): string {
  if (!isUnderstood)
    return isRevision
      ? "The feedback was not understood; the plan is as it was."
      : "The message was not understood, so nothing is proposed.";
  const held = countsOf(actions);
  const parts =
    changes.length === 0
      ? [`Nothing changed${isRevision ? "; the plan is as it was" : ""}.`, ...notes.slice(0, 1)]
      : [`Changed as asked: ${changesInWords(changes)}.`];
  if (changes.length > 0)
    parts.push(held === "" ? "Nothing is left in the plan." : `The plan holds ${held}.`);
  if (notUnderstood.length > 0)
    parts.push(`Not understood: ${notUnderstood.map((text) => `“${plain(text, 80)}”`).join(", ")}.`);
  return parts.join(" ");
}

const changeWords: Record<ChangeKind, string> = {
  added: "added",
  removed: "removed from the plan",
  archived: "to be archived",
  unscheduled: "no longer scheduled",
  rescheduled: "rescheduled",
  narrowed: "reading fewer columns",
  kept: "kept",
};

function changesInWords(changes: readonly Change[]): string {
  return [...Map.groupBy(changes, ({ kind }) => kind)]
    .map(([kind, all]) => `${counted(all.length, "query", "queries")} ${changeWords[kind]}`)
    .join(", ");
}

function analysisOf(
  actions: readonly ProposedAction[],
  work: PlanInWork,
  { occasion, pendingActions }: Briefing,
  { notUnderstood, isUnderstood }: Said,
): string {
  const parts: string[] = [];
  const lines = (texts: readonly string[]) => texts.map((text) => `- ${escaped(text, 500)}`).join("\n");
  if (work.changes.length > 0)
    parts.push(
      `### ${occasion.revision ? "What has changed since the last version" : "What is to change"}\n\n${lines(work.changes.map(({ text }) => text))}`,
    );
  if (work.notes.length > 0) parts.push(`### What was found in doing so\n\n${lines(work.notes)}`);
  if (!occasion.revision && work.changes.length > 0 && pendingActions.length > 0)
    parts.push(
      `A plan was waiting for a decision. This one takes its place, and holds what it proposed as well.`,
    );
  const planned = actions.flatMap((action) =>
    action.kind === "CreateQuery"
      ? [`- **${escaped(action.name, 200)}**: ${escaped(action.description, 600)}`]
      : [],
  );
  if (planned.length > 0) parts.push(`### What is to be watched\n\n${planned.join("\n")}`);
  if (notUnderstood.length > 0 || !isUnderstood)
    parts.push(`### What was not understood

${notUnderstood.map((text) => `- ${code(text, 200)}`).join("\n")}

The built-in planner reads a few words, and no more. It understands:

${understood.map((words) => `- ${words}`).join("\n")}`);
  return parts.join("\n\n") || "Nothing was asked for.";
}
