import { z } from "zod";
import { identifier } from "../db/schema-parts.ts";

/**
 * Every event that the hub sends, by name: a closed list. Events say what has changed, with ids and states only;
 * clients read the new state through the API, which checks their access again.
 */
export const hubEvents = {
  /** A query change was decided. Sent to its reviewer and its requester. */
  ApprovalUpdated: z.strictObject({ approvalId: identifier, status: z.enum(["approved", "rejected"]) }),
  /** An actor's plan was proposed, decided, or executed, or has expired: `status` is the plan's. */
  PlanUpdated: z.strictObject({ planId: identifier, actorId: identifier, status: z.string().max(50) }),
  /** Work requested by a user has ended: `status` is that of the execution, evaluation, or scan. Sent to that user. */
  JobStatusChanged: z.strictObject({
    kind: z.enum(["Execution", "Evaluation", "Scan"]),
    id: identifier,
    status: z.string().max(50),
  }),
  /** A delivery to a user was queued. */
  NotificationCreated: z.strictObject({ id: identifier }),
} as const;

export type HubEventName = keyof typeof hubEvents;
export type HubEventData<Name extends HubEventName> = z.infer<(typeof hubEvents)[Name]>;
export type HubEvent = { [Name in HubEventName]: { name: Name; data: HubEventData<Name> } }[HubEventName];

/** Parses a received event; null if it is not one of the service's. */
export function readHubEvent(name: string, data: unknown): HubEvent | null {
  if (!Object.hasOwn(hubEvents, name)) return null;
  const parsed = hubEvents[name as HubEventName].safeParse(data);
  return parsed.success ? ({ name, data: parsed.data } as HubEvent) : null;
}
