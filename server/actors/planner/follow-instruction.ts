import { counted } from "../../data-quality/rules/figures.ts";
import type { Briefing } from "../briefing.ts";
import type { Proposal, ProposedAction } from "../proposal.ts";
import { readCommands } from "./commands.ts";
import { countsOf } from "./draft.ts";
import { findingsOf } from "./findings.ts";
import { code, escaped } from "./plain-text.ts";
import { PlanInWork } from "./plan-in-work.ts";
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
    summary: summaryOf(actions, work, revision !== null, said.isUnderstood),
    analysis: analysisOf(actions, work, briefing, said),
    keyFindings: revision?.keyFindings ?? findingsOf(work.newTables, briefing, work.wishes),
    actions,
    notification: null,
  };
}

function summaryOf(
  actions: readonly ProposedAction[],
  work: PlanInWork,
  isRevision: boolean,
  isUnderstood: boolean,
): string {
  if (!isUnderstood)
    return isRevision
      ? "The feedback was not understood; the plan is as it was."
      : "The message was not understood, so nothing is proposed.";
  if (work.changes.length === 0)
    return isRevision
      ? "Nothing had to be changed for this feedback."
      : "Nothing has to be changed for that.";
  const counts = countsOf(actions);
  return `${counted(work.changes.length, "change")} as asked for${counts === "" ? "; nothing is left to be done" : `: ${counts}`}.`;
}

function analysisOf(
  actions: readonly ProposedAction[],
  work: PlanInWork,
  { occasion, pendingActions }: Briefing,
  { notUnderstood, isUnderstood }: { notUnderstood: readonly string[]; isUnderstood: boolean },
): string {
  const parts: string[] = [];
  const lines = (texts: readonly string[]) => texts.map((text) => `- ${escaped(text, 500)}`).join("\n");
  if (work.changes.length > 0)
    parts.push(
      `### ${occasion.revision ? "What has changed since the last version" : "What is to change"}\n\n${lines(work.changes)}`,
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
