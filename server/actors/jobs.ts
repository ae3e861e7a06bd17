import { cron } from "inngest";
import { schemaRead } from "../data-sources/events.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries, maxRetries } from "../jobs/retries.ts";
import { ownedQueryChanged } from "../queries/events.ts";
import { ownedExecutionFinished } from "../subscriptions/events.ts";
import { recoverActorExecutions, wakeActor } from "./service/cycles.ts";
import { expireStalePlans } from "./service/expire-plans.ts";

/** Wakes an actor after an execution of one of its own subscriptions, in the background. */
export const wakeOwner = inngest.createFunction(
  { id: "wake-actor", triggers: ownedExecutionFinished, retries: maxRetries },
  ({ event: { data }, step }) => step.run("wake", () => wakeActor(data.aiActorId, data.executionId)),
);

/** Finishes, within about a minute, think cycles and plan runs left by a crashed process. */
export const recoverActors = inngest.createFunction(
  { id: "recover-actors", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("recover", () => recoverActorExecutions()),
);

/** Expires pending plans when a query they are about has changed. */
export const expirePlansOfQuery = inngest.createFunction(
  { id: "expire-plans-of-query", triggers: ownedQueryChanged, retries: 2 },
  ({ event, step }) => step.run("expire", () => expireStalePlans({ actorId: event.data.ownerActorId })),
);

/** Expires pending plans when a table they read has changed. */
export const expirePlansOfSchema = inngest.createFunction(
  { id: "expire-plans-of-schema", triggers: schemaRead, retries: 2 },
  ({ event, step }) => step.run("expire", () => expireStalePlans({ dataSourceId: event.data.dataSourceId })),
);
