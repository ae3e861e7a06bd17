import { storable } from "../text.ts";
import { maxClauses } from "./feedback.ts";
import type { Proposal, ProposedAction } from "./proposal.ts";

/**
 * How much of a model's response is kept, in characters or items. What a gate or a check rejects for its length is only
 * truncated beyond their limits, so that they see that it is too long: half a statement would be a different statement.
 */
export const proposalLimits = {
  summary: 500,
  analysis: 20_000,
  keyFindings: 20,
  keyFinding: 1000,
  because: 300,
  actions: 50,
  reasoning: 2000,
  name: 201,
  description: 4000,
  sql: 100_001,
  cronExpression: 200,
  timezone: 100,
  subject: 200,
  body: 10_000,
};

/** A proposal that PostgreSQL can store and that is safe to read: no NUL, no split characters, bounded size. */
export function storableProposal({
  summary,
  analysis,
  keyFindings,
  actions,
  answers,
  notification,
}: Proposal): Proposal {
  return {
    summary: kept(summary, proposalLimits.summary),
    analysis: kept(analysis, proposalLimits.analysis),
    keyFindings: keyFindings
      .slice(0, proposalLimits.keyFindings)
      .map((finding) => kept(finding, proposalLimits.keyFinding)),
    actions: actions.slice(0, proposalLimits.actions).map(storableAction),
    answers: answers.slice(0, maxClauses).map(({ because, ...answer }) => ({
      ...answer,
      because: because && kept(because.replace(/\s+/g, " ").trim(), proposalLimits.because),
    })),
    notification: notification && storableMessage(notification),
  };
}

function storableAction(action: ProposedAction): ProposedAction {
  const reasoning = kept(action.reasoning, proposalLimits.reasoning);
  switch (action.kind) {
    case "CreateQuery":
      return {
        ...action,
        reasoning,
        name: kept(action.name, proposalLimits.name).trim(),
        description: kept(action.description, proposalLimits.description),
        sql: kept(action.sql, proposalLimits.sql),
      };
    case "CreateSubscription":
      return {
        ...action,
        reasoning,
        queryName: action.queryName === null ? null : kept(action.queryName, proposalLimits.name).trim(),
        cronExpression: kept(action.cronExpression, proposalLimits.cronExpression).trim(),
        timezone: kept(action.timezone, proposalLimits.timezone).trim(),
      };
    case "RefineQuery":
      return { ...action, reasoning, sql: kept(action.sql, proposalLimits.sql) };
    case "ArchiveQuery":
    case "ArchiveSubscription":
      return { ...action, reasoning };
    case "SendNotification":
      return { ...storableMessage(action), reasoning };
    case "CreateContract":
      return {
        ...action,
        reasoning,
        name: kept(action.name, proposalLimits.name).trim(),
        cronExpression: kept(action.cronExpression, proposalLimits.cronExpression).trim(),
        timezone: kept(action.timezone, proposalLimits.timezone).trim(),
      };
    case "AddRules":
      return { ...action, reasoning };
  }
}

function storableMessage<Message extends { subject: string; body: string }>(message: Message): Message {
  return {
    ...message,
    // It becomes the subject of an email, which is one line.
    subject: kept(message.subject.replace(/\s+/g, " ").trim(), proposalLimits.subject),
    body: kept(message.body, proposalLimits.body),
  };
}

function kept(text: string, maxLength: number): string {
  return storable(text, maxLength);
}
