import { procedureFor, router } from "../trpc.ts";
import { favoriteListSchema, setFavoriteInput } from "./schema.ts";
import { listFavorites, setFavorite } from "./service.ts";

/** For the console alone: what a user has starred. */
export const favoritesRouter = router({
  list: procedureFor("own-views:manage")
    .output(favoriteListSchema)
    .query(({ ctx }) => listFavorites(ctx)),

  set: procedureFor("own-views:manage")
    .meta({
      audit: "favorite",
      auditDetail: ({ name }: { name: string }, { isFavorite }: { isFavorite: boolean }) =>
        `${name}: ${isFavorite ? "added" : "removed"}`,
    })
    .input(setFavoriteInput)
    .mutation(({ ctx, input }) => setFavorite(ctx, input)),
});
