import { cron } from "inngest";
import { schemaRead } from "../data-sources/events.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries, mostRetries } from "../jobs/retries.ts";
import { ownedQueryChanged } from "../queries/events.ts";
import { ownedExecutionFinished } from "../subscriptions/events.ts";
import { recoverActorExecutions, wakeActor } from "./service/cycles.ts";
import { expireStalePlans } from "./service/expire-plans.ts";

/** An execution of an actor's own subscription has ended: it thinks, without anybody waiting for it. */
export const wakeOwner = inngest.createFunction(
  { id: "wake-actor", triggers: ownedExecutionFinished, retries: mostRetries },
  ({ event: { data }, step }) => step.run("wake", () => wakeActor(data.aiActorId, data.executionId)),
);

/** Finishes, within a minute or so, what a process that died has left thinking or running. */
export const recoverActors = inngest.createFunction(
  { id: "recover-actors", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("recover", () => recoverActorExecutions()),
);

/** Plans that wait expire when a query that they are about has changed. */
export const expirePlansOfQuery = inngest.createFunction(
  { id: "expire-plans-of-query", triggers: ownedQueryChanged, retries: 2 },
  ({ event, step }) => step.run("expire", () => expireStalePlans({ actorId: event.data.ownerActorId })),
);

/** Plans that wait expire when a table that they read has changed. */
export const expirePlansOfSchema = inngest.createFunction(
  { id: "expire-plans-of-schema", triggers: schemaRead, retries: 2 },
  ({ event, step }) => step.run("expire", () => expireStalePlans({ dataSourceId: event.data.dataSourceId })),
);
