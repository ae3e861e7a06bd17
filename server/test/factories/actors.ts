import { eq } from "drizzle-orm";
import type { Proposal, ProposedAction } from "../../actors/proposal.ts";
import { type ActorInput, createActorInput } from "../../actors/schema.ts";
import { createActor } from "../../actors/service/actors.ts";
import type { ActorStatus } from "../../actors/states.ts";
import { actorExecutions, actors, plans } from "../../actors/tables.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { aDataSource } from "./data-sources.ts";
import { asEditor } from "./principals.ts";

/** An actor created through the service that was set up long ago: Active by default. */
export async function anActor(
  { status = "Active", ...write }: Partial<ActorInput> & { status?: ActorStatus } = {},
  by?: SignedIn,
) {
  const input = createActorInput.parse({
    name: "Warehouse watch",
    instructions: "Watch the orders",
    ...write,
    dataSourceId: write.dataSourceId ?? (await aDataSource()).id,
    activateImmediately: false,
  });
  const { id } = await createActor(by ?? (await asEditor()), input);
  const [row] = await db
    .update(actors)
    .set({ status, setUpAt: new Date() })
    .where(eq(actors.id, id))
    .returning();
  if (!row) throw new Error("The update returned no actor");
  return row;
}

/** A possible response of a model: these actions, with text around them. */
export const aProposal = (
  actions: readonly ProposedAction[] = [],
  more: Partial<Proposal> = {},
): Proposal => ({
  summary: "Watch for late orders",
  analysis: "Orders can be **late**.",
  keyFindings: ["3 of 40 orders are late"],
  actions: [...actions],
  answers: [],
  notification: null,
  ...more,
});

export const toCreate = (name: string, sql: string): ProposedAction => ({
  ...{ kind: "CreateQuery", reasoning: `${name} says when they come`, name, description: "", sql },
});

export const toSubscribe = (to: string | number, cronExpression = "0 6 * * *"): ProposedAction => ({
  kind: "CreateSubscription",
  reasoning: "Every morning",
  queryName: typeof to === "string" ? to : null,
  queryId: typeof to === "number" ? to : null,
  cronExpression,
  timezone: "UTC",
});

export const toRefine = (queryId: number, sql: string): ProposedAction => ({
  ...{ kind: "RefineQuery", reasoning: "It reads too much", queryId, sql },
});

/** A stored plan, and the cycle that proposed it: by default pending and without actions. */
export async function aPlan(actorId: number, plan: Partial<typeof plans.$inferInsert> = {}) {
  const [cycle] = await db
    .insert(actorExecutions)
    .values({
      ...{ actorId, kind: "ThinkCycle", trigger: "InitialSetup", phase: "Completed", phaseTimes: [] },
      completedAt: new Date(),
    })
    .returning({ id: actorExecutions.id });
  const [row] = await db
    .insert(plans)
    .values({
      ...{ actorId, trigger: "InitialSetup", version: 1, cycleId: cycle?.id ?? 0 },
      ...{ analysis: "All is well", keyFindings: [], tokensUsed: 0, model: "scripted", ...plan },
    })
    .returning();
  if (!row) throw new Error("The insert returned no plan");
  return row;
}
