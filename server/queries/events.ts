import { eventType } from "inngest";
import { z } from "zod";

/** The active version of an actor's query changed, or the query was archived. */
export const ownedQueryChanged = eventType("queries/owned-query.changed", {
  schema: z.object({ queryId: z.int(), ownerActorId: z.int() }),
});
