import { createActorInput } from "../../actors/schema.ts";
import { createActor, listActors } from "../../actors/service/actors.ts";
import type { SignedIn } from "../../auth/principal.ts";

const instructions =
  "Watch the departures board and the bird strikes: new rows, missing values, and references that lead nowhere.";

/** An actor that begins to look around at once, in the background; its plan waits for whoever comes first. */
export async function loadActor(
  ctx: SignedIn,
  { projectId, dataSourceId }: { projectId: number; dataSourceId: number },
): Promise<void> {
  if ((await listActors(ctx, { projectId })).items.length > 0) return;
  const write = { name: "Warehouse watch", instructions, dataSourceId, maxQueries: 6 };
  await createActor(ctx, createActorInput.parse(write));
}
