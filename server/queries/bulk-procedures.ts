import { bulkProcedure } from "../bulk.ts";
import { identifier } from "../db/schema-parts.ts";
import { archivedDetail, archiveQuery } from "./service/archive.ts";
import { moveQuery } from "./service/save-query.ts";

const about = { object: "query", tag: "Queries" };

/** What can be done to many queries at once. */
export const bulkProcedures = {
  moveMany: bulkProcedure(
    "queries:configure",
    { ...about, path: "/bulk/queries/move", summary: "Move queries to a folder of their project" },
    { folderId: identifier.nullish().meta({ description: "null or omitted moves them to the top" }) },
    moveQuery,
  ),

  archiveMany: bulkProcedure(
    "queries:configure",
    {
      ...about,
      path: "/bulk/queries/archive",
      summary: "Archive queries; those that subscriptions run stay",
    },
    {},
    async (ctx, { id }) => ({ name: archivedDetail(await archiveQuery(ctx, { id })) }),
  ),
};
