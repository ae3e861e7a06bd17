import type { z } from "zod";
import { byId, listOf } from "../db/schema-parts.ts";
import { env } from "../env.ts";
import { procedureFor, recordRun, router } from "../trpc.ts";
import { sourceCostOutput } from "./cost-schema.ts";
import { databaseSchemaSchema } from "./database-schema.ts";
import { describeInput, descriptionSchema, listDescriptionsInput } from "./description-schema.ts";
import {
  allowedFoldersSchema,
  connectionTestSchema,
  createDataSourceInput,
  dataSourceSchema,
  listDataSourcesInput,
  testConnectionInput,
  updateDataSourceInput,
} from "./schema.ts";
import { getSourceCost } from "./service/costs.ts";
import { listDescriptions, saveDescription } from "./service/descriptions.ts";
import { createDataSource, deleteDataSource, updateDataSource } from "./service/edit-data-sources.ts";
import { getDataSource, listDataSources } from "./service/load-data-sources.ts";
import { getSchema, refreshSchema } from "./service/read-schema.ts";
import { listTags, saveTags } from "./service/table-tags.ts";
import { testConnection } from "./service/test-connection.ts";
import { tableTagsSchema, tagTableInput } from "./tag-schema.ts";

const tag = "Data sources";

/** Includes the functions that SQL may call from then on, because they affect security. */
const dataSourceDetail = ({ name, allowedFunctions }: z.output<typeof dataSourceSchema>) =>
  allowedFunctions.length === 0 ? name : `${name}; allowed functions: ${allowedFunctions.join(", ")}`;

export const dataSourcesRouter = router({
  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/data-sources", tag, summary: "List data sources" } })
    .input(listDataSourcesInput)
    .output(listOf(dataSourceSchema))
    .query(({ ctx, input }) => listDataSources(ctx, input)),

  // Before the paths with an {id}, which would match it.
  testConnection: procedureFor("data-sources:manage")
    .meta({
      audit: "dataSource",
      auditAs: "run",
      auditId: "dataSourceId",
      auditOutcome: ({ ok }: { ok: boolean }) => (ok ? "Connected" : "Could not connect"),
      rest: {
        method: "POST",
        path: "/data-sources/test-connection",
        tag,
        summary: "Test a connection without saving it",
        problems: ["not_found"],
        description:
          "Returns 200 even when the data source cannot be reached: `ok` is false and `message` says why.",
      },
    })
    .input(testConnectionInput)
    .use(recordRun())
    .output(connectionTestSchema)
    .mutation(({ ctx, input }) => testConnection(ctx, input)),

  allowedFolders: procedureFor("data-sources:manage")
    .meta({
      rest: {
        method: "GET",
        path: "/data-sources/allowed-folders",
        tag,
        summary: "List the folders in which data sources of kind Files may be",
      },
    })
    .output(allowedFoldersSchema)
    .query(() => ({ folders: env().FILES_ALLOW })),

  get: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/data-sources/{id}", tag, summary: "One data source" } })
    .input(byId)
    .output(dataSourceSchema)
    .query(({ ctx, input }) => getDataSource(ctx, input.id)),

  create: procedureFor("data-sources:manage")
    .meta({
      audit: "dataSource",
      auditAs: "preparedChange",
      auditDetail: dataSourceDetail,
      rest: {
        method: "POST",
        path: "/data-sources",
        tag,
        summary: "Create a data source",
        problems: ["not_found"],
        description:
          "Use a read-only login. Passwords and secret headers are stored encrypted and never returned.",
        status: 201,
      },
    })
    .input(createDataSourceInput)
    .output(dataSourceSchema)
    .mutation(({ ctx, input }) => createDataSource(ctx, input)),

  update: procedureFor("data-sources:manage")
    .meta({
      audit: "dataSource",
      auditAs: "preparedChange",
      auditDetail: dataSourceDetail,
      rest: {
        method: "PUT",
        path: "/data-sources/{id}",
        tag,
        summary: "Update a data source",
        problems: ["conflict"],
        description:
          "An omitted password is kept. It is required when the host, port, or user changes, and when TLS or certificate verification is turned off. Secret headers are kept too, unless the base URL changes. The kind cannot change.",
      },
    })
    .input(updateDataSourceInput)
    .output(dataSourceSchema)
    .mutation(({ ctx, input }) => updateDataSource(ctx, input)),

  delete: procedureFor("data-sources:manage")
    .meta({
      audit: "dataSource",
      rest: {
        method: "DELETE",
        path: "/data-sources/{id}",
        tag,
        summary: "Delete a data source",
        problems: ["conflict"],
        status: 204,
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => deleteDataSource(ctx, input.id)),

  cost: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-sources/{id}/cost",
        tag,
        summary: "What statements on a data source have cost",
        description:
          "Today and in the last 30 days, with its daily budget. `cost` is null for a kind whose statements cost nothing.",
      },
    })
    .input(byId)
    .output(sourceCostOutput)
    .query(({ ctx, input }) => getSourceCost(ctx, input.id)),

  schema: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-sources/{id}/schema",
        tag,
        summary: "List schemas, tables, and columns, as last read",
        problems: ["rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(byId)
    .output(databaseSchemaSchema)
    .query(({ ctx, input }) => getSchema(ctx, input.id)),

  refreshSchema: procedureFor("data-sources:manage")
    .meta({
      audit: "dataSource",
      auditAs: "run",
      rest: {
        method: "POST",
        path: "/data-sources/{id}/refresh-schema",
        tag,
        summary: "Refresh schemas, tables, and columns",
        problems: ["rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(byId)
    .use(recordRun())
    .output(databaseSchemaSchema)
    .mutation(({ ctx, input }) => refreshSchema(ctx, input.id)),

  descriptions: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-sources/{id}/descriptions",
        tag,
        summary: "List descriptions of tables and columns",
        description: "Includes those of tables and columns that were missing when the schema was last read.",
      },
    })
    .input(listDescriptionsInput)
    .output(listOf(descriptionSchema))
    .query(({ ctx, input }) => listDescriptions(ctx, input)),

  describe: procedureFor("catalog:describe")
    .meta({
      audit: "dataSource",
      auditAs: "preparedChange",
      auditDetail: ({ schemaName, tableName, columnName, description }: z.output<typeof descriptionSchema>) =>
        [[schemaName, tableName, columnName].filter(Boolean).join("."), description === null && "removed"]
          .filter(Boolean)
          .join(": "),
      rest: {
        method: "PUT",
        path: "/data-sources/{id}/descriptions",
        tag,
        summary: "Describe a table or a column",
        description: "The last write wins; with `updatedAt`, only if the description has not changed since.",
        problems: ["conflict", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(describeInput)
    .output(descriptionSchema)
    .mutation(({ ctx, input }) => saveDescription(ctx, input)),

  tags: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/data-sources/{id}/tags", tag, summary: "List the tags of tables" },
    })
    .input(byId)
    .output(listOf(tableTagsSchema))
    .query(({ ctx, input }) => listTags(ctx, input.id)),

  tagTable: procedureFor("catalog:describe")
    .meta({
      audit: "dataSource",
      auditAs: "preparedChange",
      auditDetail: ({ schemaName, tableName, tags }: z.output<typeof tableTagsSchema>) =>
        `${schemaName}.${tableName}: ${tags.join(", ") || "no tags"}`,
      rest: {
        method: "PUT",
        path: "/data-sources/{id}/tags",
        tag,
        summary: "Set the tags of a table",
        description:
          "Replaces them. Tables are found by their tags, and rule templates can select by them (`selector.tags`).",
        problems: ["conflict", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(tagTableInput)
    .output(tableTagsSchema)
    .mutation(({ ctx, input }) => saveTags(ctx, input)),
});
