import { runCommand } from "./command.ts";

/**
 * `npm run rebuild-counters`: recounts all executions, in case they were changed behind the service's back. New
 * executions wait for it.
 */
await runCommand(async ({ say }) => {
  const { db } = await import("../db/client.ts");
  const { rebuildCounters } = await import("../subscriptions/service/counters.ts");
  const { subscriptions, executions } = await db.transaction(rebuildCounters);
  say(`Recounted: ${executions} executions of ${subscriptions} subscriptions`);
});
