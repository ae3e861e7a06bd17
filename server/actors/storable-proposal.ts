import type { Proposal, ProposedAction } from "./proposal.ts";

/**
 * How much of a model's answer is kept, in characters or items. What a gate or a check refuses for its length is cut
 * only beyond what they allow, so that they see that it is too long: half a statement would be another statement.
 */
export const mostOfProposal = {
  summary: 500,
  analysis: 20_000,
  keyFindings: 20,
  keyFinding: 1000,
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

/** A proposal that PostgreSQL can store and that nobody minds reading: no NUL, no half characters, bounded. */
export function storableProposal({
  summary,
  analysis,
  keyFindings,
  actions,
  notification,
}: Proposal): Proposal {
  return {
    summary: kept(summary, mostOfProposal.summary),
    analysis: kept(analysis, mostOfProposal.analysis),
    keyFindings: keyFindings
      .slice(0, mostOfProposal.keyFindings)
      .map((finding) => kept(finding, mostOfProposal.keyFinding)),
    actions: actions.slice(0, mostOfProposal.actions).map(storableAction),
    notification: notification && storableMessage(notification),
  };
}

function storableAction(action: ProposedAction): ProposedAction {
  const reasoning = kept(action.reasoning, mostOfProposal.reasoning);
  switch (action.kind) {
    case "CreateQuery":
      return {
        ...action,
        reasoning,
        name: kept(action.name, mostOfProposal.name).trim(),
        description: kept(action.description, mostOfProposal.description),
        sql: kept(action.sql, mostOfProposal.sql),
      };
    case "CreateSubscription":
      return {
        ...action,
        reasoning,
        queryName: action.queryName === null ? null : kept(action.queryName, mostOfProposal.name).trim(),
        cronExpression: kept(action.cronExpression, mostOfProposal.cronExpression).trim(),
        timezone: kept(action.timezone, mostOfProposal.timezone).trim(),
      };
    case "RefineQuery":
      return { ...action, reasoning, sql: kept(action.sql, mostOfProposal.sql) };
    case "ArchiveQuery":
    case "ArchiveSubscription":
      return { ...action, reasoning };
    case "SendNotification":
      return { ...storableMessage(action), reasoning };
  }
}

function storableMessage<Message extends { subject: string; body: string }>(message: Message): Message {
  return {
    ...message,
    // It becomes the subject of an e-mail, which is one line.
    subject: kept(message.subject.replace(/\s+/g, " ").trim(), mostOfProposal.subject),
    body: kept(message.body, mostOfProposal.body),
  };
}

function kept(text: string, most: number): string {
  return text.replaceAll("\u0000", "").slice(0, most).toWellFormed();
}
