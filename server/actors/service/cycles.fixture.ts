import { db } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { actorExecutions, actors } from "../tables.ts";

/** A stored actor without anything else: enough for the limits on its calls. */
export async function aStoredActor(
  budget: { budgetTokens?: number; budgetCost?: number } = {},
): Promise<number> {
  const { id: dataSourceId, projectId } = await aDataSource();
  const [actor] = await db
    .insert(actors)
    .values({
      projectId,
      dataSourceId,
      name: "Order watch",
      instructions: "Watch that orders come in.",
      maxQueries: 10,
      maxSubscriptionsPerQuery: 3,
      activateImmediately: true,
      requiresApproval: true,
      status: "Active",
      createdById: (await asEditor()).principal.userId,
      ...budget,
    })
    .returning();
  if (!actor) throw new Error("The insert returned no actor");
  return actor.id;
}

/** A think cycle in its planning phase, for calls to belong to. */
export async function aStoredCycle(actorId: number): Promise<number> {
  const [cycle] = await db
    .insert(actorExecutions)
    .values({ actorId, kind: "ThinkCycle", trigger: "InitialSetup", phase: "Planning", phaseTimes: [] })
    .returning();
  if (!cycle) throw new Error("The insert returned no execution");
  return cycle.id;
}
