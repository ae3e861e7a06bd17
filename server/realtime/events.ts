import { z } from "zod";
import { identifier } from "../db/schema-parts.ts";

/**
 * Every event that the hub sends, by name: a closed list. They say that something has changed and which thing, in
 * ids and states alone; what it has become is read at the doors, which judge anew who may see it.
 */
export const hubEvents = {
  /** A query change was decided. To its reviewer and its requester. */
  ApprovalUpdated: z.strictObject({ approvalId: identifier, status: z.enum(["approved", "rejected"]) }),
  /** An actor's plan was proposed, decided, executed or has expired: `status` is the plan's. */
  PlanUpdated: z.strictObject({ planId: identifier, actorId: identifier, status: z.string().max(50) }),
  /** Work that a person asked for has ended: `status` is the execution's or the evaluation's. To that person. */
  JobStatusChanged: z.strictObject({
    kind: z.enum(["Execution", "Evaluation"]),
    id: identifier,
    status: z.string().max(50),
  }),
  /** A delivery to a person was queued. */
  NotificationCreated: z.strictObject({ id: identifier }),
} as const;

export type HubEventName = keyof typeof hubEvents;
export type HubEventData<Name extends HubEventName> = z.infer<(typeof hubEvents)[Name]>;
export type HubEvent = { [Name in HubEventName]: { name: Name; data: HubEventData<Name> } }[HubEventName];

/** An event as it came, or null for what the service has not sent. */
export function readHubEvent(name: string, data: unknown): HubEvent | null {
  if (!Object.hasOwn(hubEvents, name)) return null;
  const parsed = hubEvents[name as HubEventName].safeParse(data);
  return parsed.success ? ({ name, data: parsed.data } as HubEvent) : null;
}
