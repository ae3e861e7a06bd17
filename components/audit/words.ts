import { sentenceCase, wordsIn } from "../ui/words.ts";

/** Wording for actions whose name alone is not clear. */
const known: Record<string, string> = {
  "session.signIn": "Signed in",
  "session.signInFailed": "Failed to sign in",
  "session.signInRefused": "Was rejected by the provider",
  "session.signInLimited": "Was blocked after too many sign-in attempts",
  "session.signOut": "Signed out",
  "session.setUp": "Set up the service",
  "demo.load": "Loaded the demo",
  "session.changePassword": "Changed their password",
  "session.revoke": "Ended one of their sessions",
  "session.signOutEverywhere": "Signed out everywhere",
  "apiKeys.create": "Created an API key",
  "apiKeys.revoke": "Revoked an API key",
  "keys.read": "Read with an API key",
  "users.create": "Created a user",
  "users.update": "Changed a user",
  "users.revokeSession": "Ended a user's session",
  "users.revokeSessions": "Signed a user out everywhere",
  "projects.create": "Created a project",
  "projects.update": "Changed a project",
  "projects.delete": "Deleted a project",
  "dataSources.create": "Connected a data source",
  "dataSources.update": "Changed a data source",
  "dataSources.delete": "Deleted a data source",
  "dataSources.testConnection": "Tested a connection",
  "dataSources.refreshSchema": "Refreshed a schema",
  "dataSources.describe": "Described a table or column",
  "queries.preview": "Ran SQL on a data source",
  "queries.previewStored": "Ran a query",
  "queries.previewStep": "Ran a step of a query",
  "queries.createFolder": "Created a folder of queries",
  "queries.updateFolder": "Changed a folder of queries",
  "queries.deleteFolder": "Deleted a folder of queries",
  "queries.create": "Created a query",
  "queries.update": "Changed a query",
  "queries.archive": "Archived a query",
  "queries.lock": "Locked a query",
  "queries.unlock": "Unlocked a query",
  "queries.restoreVersion": "Restored a version of a query",
  "queries.unarchive": "Restored an archived query",
  "queries.query": "Queried a data source",
  "queries.dryRun": "Checked SQL without running it",
  "questions.ask": "Asked a question about the data",
  "subscriptions.create": "Created a subscription",
  "subscriptions.update": "Changed a subscription",
  "subscriptions.archive": "Archived a subscription",
  "subscriptions.silence": "Silenced a subscription",
  "subscriptions.unsilence": "Unsilenced a subscription",
  "subscriptions.execute": "Ran a subscription",
  "approvals.approve": "Approved a query change",
  "approvals.reject": "Rejected a query change",
  "jobs.retry": "Retried a job",
  "jobs.cancel": "Cancelled a job",
  "settings.update": "Changed the settings",
  "settings.approveChange": "Approved a settings change",
  "settings.rejectChange": "Rejected a settings change",
  "tasks.resolve": "Resolved a task",
  "tasks.assign": "Assigned a task",
  "tasks.snooze": "Snoozed a task",
  "tasks.wake": "Ended a task's snooze",
  "tasks.prioritise": "Changed a task's priority",
  "tasks.comment": "Commented on a task",
  "anomalies.acknowledge": "Acknowledged an anomaly",
  "recipients.create": "Created a recipient",
  "recipients.update": "Changed a recipient",
  "recipients.delete": "Deleted a recipient",
  "recipients.test": "Tested a recipient",
  "notifications.retry": "Resent a notification",
  "actors.create": "Created an AI actor",
  "actors.update": "Changed an AI actor",
  "actors.archive": "Archived an AI actor",
  "actors.unarchive": "Restored an archived AI actor",
  "actors.pause": "Paused an AI actor",
  "actors.resume": "Resumed an AI actor",
  "actors.think": "Started a think cycle",
  "actors.refine": "Told an AI actor what to change",
  "actors.approvePlan": "Approved a plan",
  "actors.rejectPlan": "Rejected a plan",
  "actors.requestRevision": "Sent a plan back with feedback",
  "dataQuality.createContract": "Created a contract",
  "dataQuality.importContracts": "Imported contracts from a file",
  "dataQuality.suggestRules": "Requested rule suggestions for a table",
  "dataQuality.updateContract": "Changed a contract",
  "dataQuality.archiveContract": "Archived a contract",
  "dataQuality.evaluate": "Evaluated a contract",
  "dataQuality.startEvaluation": "Started an evaluation",
  "findings.scan": "Started a scan for faults",
  "findings.scanAndWait": "Scanned for faults",
  "findings.stopScan": "Stopped a scan for faults",
  "findings.accept": "Made a finding a rule",
  "findings.dismiss": "Dismissed a finding",
  "dataQuality.dryRunRule": "Tested a rule",
  "dataQuality.dryRunContract": "Tested a contract",
};

/** What was done, in words; otherwise derived from the action's name: `plans.approve` becomes “Plans: approve”. */
export function actionWords(action: string): string {
  const words = known[action];
  if (words) return words;
  const [domain = "", ...act] = action.split(".");
  return act.length === 0
    ? sentenceCase(wordsIn(domain))
    : `${sentenceCase(wordsIn(domain))}: ${act.map(wordsIn).join(" ")}`;
}

const kinds: Record<string, string> = { actor: "AI actor", apiKey: "API key" };

/** An object kind in words: `dataSource` becomes “Data source”. */
export function kindWords(kind: string): string {
  return kinds[kind] ?? sentenceCase(wordsIn(kind));
}
