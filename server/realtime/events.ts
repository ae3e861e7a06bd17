import { z } from "zod";

/**
 * Every event that the hub sends, by name: a closed list. They say that something has changed and which thing, in
 * ids and states alone; what it has become is read at the doors, which judge anew who may see it.
 */
export const hubEvents = {
  /** A query change was decided. To its reviewer and its requester. */
  ApprovalUpdated: z.strictObject({ approvalId: z.int(), status: z.enum(["approved", "rejected"]) }),
  /** An actor's plan was proposed, decided, executed or has expired: `status` is the plan's. */
  PlanUpdated: z.strictObject({ planId: z.int(), actorId: z.int(), status: z.string().max(50) }),
  /** Work that a person asked for has ended: `status` is the execution's or the evaluation's. To that person. */
  JobStatusChanged: z.strictObject({
    kind: z.enum(["Execution", "Evaluation"]),
    id: z.int(),
    status: z.string().max(50),
  }),
  /** A delivery to a person was queued. */
  NotificationCreated: z.strictObject({ id: z.int() }),
} as const;

export type HubEventName = keyof typeof hubEvents;
export type HubEventData<Name extends HubEventName> = z.infer<(typeof hubEvents)[Name]>;
export type HubEvent = { [Name in HubEventName]: { name: Name; data: HubEventData<Name> } }[HubEventName];

/** What came with an event of this name, or null when it is not what such an event carries. */
export function readHubEvent<Name extends HubEventName>(
  name: Name,
  data: unknown,
): HubEventData<Name> | null {
  const parsed = hubEvents[name].safeParse(data);
  return parsed.success ? (parsed.data as HubEventData<Name>) : null;
}
