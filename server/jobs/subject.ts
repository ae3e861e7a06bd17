import type { Job } from "./schema.ts";

/** The subject of a job, by its event's data: the most specific object that it names. */
const kindsByProperty = {
  planId: "Plan",
  actorId: "Actor",
  aiActorId: "Actor",
  ownerActorId: "Actor",
  contractId: "Contract",
  deliveryId: "Delivery",
  subscriptionId: "Subscription",
  queryId: "Query",
  dataSourceId: "DataSource",
} as const;

export function subjectOf(data: unknown): Job["subject"] {
  if (typeof data !== "object" || data === null) return null;
  const values = data as Record<string, unknown>;
  for (const [property, kind] of Object.entries(kindsByProperty)) {
    const id = values[property];
    if (Number.isInteger(id) && (id as number) > 0) return { kind, id: id as number };
  }
  // The event of a failure contains the event of what failed.
  const { event } = values;
  return typeof event === "object" && event !== null && "data" in event ? subjectOf(event.data) : null;
}
