import { eventType } from "inngest";
import { z } from "zod";

/** A query of an actor has another active version, or was archived. */
export const ownedQueryChanged = eventType("queries/owned-query.changed", {
  schema: z.object({ queryId: z.int(), ownerActorId: z.int() }),
});
