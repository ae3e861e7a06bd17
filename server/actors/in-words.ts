import { plural } from "../text.ts";
import type { Action, PendingPlan, Plan } from "./schema.ts";

/** Plans as text, for clients that show only text. */

/** A short description of an action; names come from the model or from queries. */
export function actionInShort(action: Action): string {
  switch (action.kind) {
    case "CreateQuery":
      return `CreateQuery: ${action.name}`;
    case "CreateSubscription":
      return `CreateSubscription: ${action.queryName ?? `query ${action.queryId}`}, ${action.cronExpression} ${action.timezone}`;
    case "RefineQuery":
    case "ArchiveQuery":
      return `${action.kind}: ${action.queryName} (${action.queryId})`;
    case "ArchiveSubscription":
      return `ArchiveSubscription: ${action.queryName} (${action.subscriptionId})`;
    case "SendNotification":
      return `SendNotification: ${action.subject}`;
    case "CreateContract":
      return `CreateContract: ${action.name}, of ${action.schemaName}.${action.tableName}`;
    case "AddRules":
      return `AddRules: ${action.contractName} (${action.contractId}), of ${action.schemaName}.${action.tableName}`;
  }
}

type PendingPlans = { items: PendingPlan[]; page: number; totalCount: number };

export function pendingPlansInWords({ items, page, totalCount }: PendingPlans): string {
  if (totalCount === 0) return "No plans are pending.";
  if (items.length === 0) return `There is no page ${page}: ${plural(totalCount, "plan")} pending.`;
  const lines = items.map(
    ({ id, actorName, version, trigger, actions, proposedAt }) =>
      `${id}: ${actorName}, version ${version} (${trigger}, ${proposedAt}): ${actions.join("; ") || "no actions"}`,
  );
  const rest = totalCount - items.length;
  return [...lines, ...(rest > 0 ? [`${plural(totalCount, "plan")} in all.`] : [])].join("\n");
}

/** A plan as text for a reviewer; a pending one ends with `Only people decide`. */
export function planInWords(plan: Plan): string {
  const { id, actorName, version, trigger, status, userInstruction, analysis, keyFindings } = plan;
  const ended = plan.decisionReason ?? plan.expiredReason;
  return [
    `Plan ${id} of ${actorName}, version ${version}: ${status} (${trigger})${ended ? `: ${ended}` : ""}`,
    ...(userInstruction ? [`Asked by a person: ${userInstruction}`] : []),
    analysis,
    ...keyFindings.map((finding) => `- ${finding}`),
    ...plan.feedbackAnswers.map(answerInWords),
    ...plan.actions.map(actionInWords),
    ...(status === "PendingApproval"
      ? ["Pending approval. Only people can decide on plans, in the browser."]
      : []),
  ].join("\n");
}

const answerInWords = ({ asked, isDone, because }: Plan["feedbackAnswers"][number]) =>
  `Asked: “${asked}”: ${isDone ? "done" : `not done, because ${because}`}`;

function actionInWords(action: Action): string {
  const sql = "proposedSql" in action ? action.proposedSql : "sql" in action ? action.sql : null;
  const lines = [
    `${action.index + 1}. ${actionInShort(action)} [${action.status}${action.error ? `: ${action.error}` : ""}]`,
    `   ${action.reasoning}`,
    ...(sql === null ? [] : [`   SQL: ${sql}`]),
    ...("rules" in action ? action.rules.map((rule) => `   - ${rule.name}: ${rule.sentence}`) : []),
    ...("isLocked" in action && action.isLocked ? ["   Its query is locked."] : []),
    ...(action.evidence ? [`   Evidence: ${verdict(action.evidence)}`] : []),
  ];
  return lines.join("\n");
}

function verdict({ valid, issues, rules }: NonNullable<Action["evidence"]>): string {
  if (valid && rules)
    return rules
      .map(({ name, passed, score }) => `${name} ${passed ? "passes" : "fails"}, ${score}`)
      .join("; ");
  if (valid && issues.length === 0) return "valid";
  return [valid ? "valid" : "refused", ...issues.map(({ gate, error }) => `${gate}: ${error}`)].join("; ");
}
