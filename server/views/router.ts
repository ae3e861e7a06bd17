import { procedureFor, router } from "../trpc.ts";
import {
  deleteViewInput,
  listViewsInput,
  savedViewListSchema,
  savedViewSchema,
  saveViewInput,
} from "./schema.ts";
import { deleteView, listViews, saveView } from "./service.ts";

/** For the browser: the saved filters of its lists. */
export const viewsRouter = router({
  list: procedureFor("own-views:manage")
    .input(listViewsInput)
    .output(savedViewListSchema)
    .query(({ ctx, input }) => listViews(ctx, input)),

  save: procedureFor("own-views:manage")
    .meta({ audit: "view" })
    .input(saveViewInput)
    .output(savedViewSchema)
    .mutation(({ ctx, input }) => saveView(ctx, input)),

  delete: procedureFor("own-views:manage")
    .meta({ audit: "view" })
    .input(deleteViewInput)
    .mutation(({ ctx, input }) => deleteView(ctx, input.id)),
});
