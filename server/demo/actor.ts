import { createActorInput } from "../actors/schema.ts";
import { createActor, listActors } from "../actors/service/actors.ts";
import type { SignedIn } from "../auth/principal.ts";

const instructions =
  "Watch the departures board and the bird strikes: new rows, lost rows, missing values, and dangling references.";
/** The same as structured wishes, for the built-in planner. */
const wishes = {
  tables: ["departures", "bird_strikes"].map((tableName) => ({ schemaName: "public", tableName })),
  checks: ["Freshness", "Volume", "NullRate", "Referential"] as const,
};

/** An actor that starts in the background right away; its plan waits for the first visitor. */
export async function loadActor(
  ctx: SignedIn,
  { projectId, dataSourceId }: { projectId: number; dataSourceId: number },
): Promise<void> {
  if ((await listActors(ctx, { projectId })).items.length > 0) return;
  const write = { name: "Warehouse watch", instructions, wishes, dataSourceId, maxQueries: 6 };
  await createActor(ctx, createActorInput.parse(write));
}
