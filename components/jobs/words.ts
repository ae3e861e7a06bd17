import { sentenceCase } from "../ui/words.ts";

/** What each job does. Other jobs are described by their names. */
const known: Record<string, string> = {
  "schedule-tick": "Check schedules",
  "run-evaluation": "Evaluate a contract",
  "send-lineage": "Send an evaluation to OpenLineage",
  "apply-templates": "Apply changed rule templates",
  "apply-templates-to-schema": "Apply rule templates to a schema",
  "find-new-tables": "Find new tables for rule templates",
  "recover-evaluations": "Recover lost evaluations",
  "start-scan": "Start a scan for faults",
  "recover-scans": "Recover lost scans",
  "watch-source": "Look at every table of a data source",
  "compact-watch-history": "Compact the history of watched tables",
  "clean-reported-events": "Remove old reported events",
  "refresh-lineage": "Read which tables views are made from",
  "refresh-lineage-of-queries": "Read which tables changed queries read",
  "learn-lineage-of-load": "Learn from a reported load what is made from what",
  "clean-lineage": "Remove lineage that nobody reports any longer",
  "notice-incidents": "Open and resolve incidents",
  "record-all-clear": "Record since when nothing needs attention",
  "send-personal-digests": "Send daily digests to people",
  "take-samples": "Sample failing rows",
  "clean-samples": "Remove old failing rows",
  "clean-evaluations": "Remove old evaluations",
  "clean-executions": "Remove old executions",
  "clean-query-history": "Remove old history of SQL",
  "chain-audit": "Sign new audit log entries, and export them",
  "clean-audit": "Remove old audit log entries",
  "run-subscription": "Execute a subscription",
  "recover-executions": "Recover lost executions",
  "watch-subscriptions": "Find stalled subscriptions",
  "watch-deliveries": "Report a failed delivery",
  "wake-actor": "Wake an AI actor",
  "recover-actors": "Recover AI actors' work",
  "expire-plans-of-query": "Expire plans after a query’s change",
  "expire-plans-of-schema": "Expire plans after a table’s change",
  "deliver-notification": "Deliver a notification",
  "queue-deliveries": "Queue deliveries",
  "clean-attachments": "Remove old attachments",
  "forward-hub-event": "Send an event to Pusher",
  "clean-jobs": "Remove old jobs",
  "clean-sessions": "Remove old sessions",
  "index-schema": "Index a schema for search",
  "replay-departures": "Replay the demo’s departures",
};

export const knownJobs: readonly { name: string; words: string }[] = Object.entries(known).map(
  ([name, words]) => ({ name, words }),
);

/** What a job does, in words; failure handlers are marked as such. */
export function jobWords(name: string): string {
  const words = known[name];
  if (words) return words;
  const failed = /^(.+)-failure$/.exec(name)?.[1];
  return failed ? `After a failure: ${jobWords(failed)}` : sentenceCase(name.replaceAll("-", " "));
}
