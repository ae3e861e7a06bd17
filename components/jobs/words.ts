import { sentenceCase } from "../ui/words.ts";

/** What each job does. A job that is not here is read off its name. */
const known: Record<string, string> = {
  "schedule-tick": "Look at the schedules",
  "run-evaluation": "Evaluate a contract",
  "recover-evaluations": "Take over lost evaluations",
  "take-samples": "Look at failing rows",
  "clean-samples": "Remove old failing rows",
  "clean-evaluations": "Remove old evaluations",
  "clean-executions": "Remove old executions",
  "clean-audit": "Remove old entries of the audit log",
  "run-subscription": "Execute a subscription",
  "recover-executions": "Take over lost executions",
  "watch-subscriptions": "Look for stalled subscriptions",
  "watch-deliveries": "Tell of a failed delivery",
  "wake-actor": "Wake an AI actor",
  "recover-actors": "Take over what AI actors left",
  "expire-plans-of-query": "Expire plans after a query’s change",
  "expire-plans-of-schema": "Expire plans after a table’s change",
  "deliver-notification": "Deliver a notification",
  "queue-deliveries": "Queue what is to be delivered",
  "clean-attachments": "Remove old attachments",
  "forward-hub-event": "Pass an event on to Pusher",
  "clean-jobs": "Remove old jobs",
  "clean-sessions": "Remove old sessions",
  "index-schema": "Make a schema searchable",
  "replay-departures": "Replay the demo’s departures",
};

export const knownJobs: readonly { name: string; words: string }[] = Object.entries(known).map(
  ([name, words]) => ({ name, words }),
);

/** What a job does, in words; one that follows a failure says so. */
export function jobWords(name: string): string {
  const words = known[name];
  if (words) return words;
  const failed = /^(.+)-failure$/.exec(name)?.[1];
  return failed ? `After a failure: ${jobWords(failed)}` : sentenceCase(name.replaceAll("-", " "));
}
