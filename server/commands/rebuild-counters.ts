import { runCommand } from "./command.ts";

/**
 * `npm run rebuild-counters`: counts all executions anew, for whoever has changed them behind the service's back.
 * Executions that begin meanwhile wait for it.
 */
await runCommand(async ({ say }) => {
  const { db } = await import("../db/client.ts");
  const { rebuildCounters } = await import("../subscriptions/service/counters.ts");
  const { subscriptions, executions } = await db.transaction(rebuildCounters);
  say(`Recounted: ${executions} executions of ${subscriptions} subscriptions`);
});
