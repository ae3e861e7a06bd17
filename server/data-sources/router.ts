import type { z } from "zod";
import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, recordRun, router } from "../trpc.ts";
import {
  connectionTestSchema,
  createDataSourceInput,
  databaseSchemaSchema,
  dataSourceSchema,
  describeInput,
  descriptionSchema,
  listDataSourcesInput,
  listDescriptionsInput,
  testConnectionInput,
  updateDataSourceInput,
} from "./schema.ts";
import { listDescriptions, saveDescription } from "./service/descriptions.ts";
import {
  createDataSource,
  deleteDataSource,
  getDataSource,
  getSchema,
  listDataSources,
  refreshSchema,
  testConnection,
  updateDataSource,
} from "./service.ts";

const tag = "Data sources";

/** Which functions SQL may call from then on is told, too: it is a matter of security. */
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
        summary: "Try a connection without storing it",
        problems: ["not_found"],
        description:
          "Answers 200 also when the data source cannot be reached: `ok` is false and `message` says why.",
      },
    })
    .input(testConnectionInput)
    .use(recordRun())
    .output(connectionTestSchema)
    .mutation(({ ctx, input }) => testConnection(ctx, input)),

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
          "The login should be one that may only read. Passwords and secret headers are stored encrypted and never answered.",
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
        summary: "Change a data source",
        problems: ["conflict"],
        description:
          "A password that is left out stays. It is required when the host, port or user changes, and when TLS or the check of the server's certificate is turned off. Secret headers stay, too, unless the base URL changes. The kind stays.",
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

  schema: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-sources/{id}/schema",
        tag,
        summary: "Schemas, tables and columns, as last read",
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
        summary: "Read schemas, tables and columns anew",
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
        summary: "What people say of its tables and columns",
        description: "Also of those that were not there when the schema was last read.",
      },
    })
    .input(listDescriptionsInput)
    .output(listOf(descriptionSchema))
    .query(({ ctx, input }) => listDescriptions(ctx, input)),

  describe: procedureFor("catalogue:describe")
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
        description:
          "The last word stands; with `updatedAt`, only while the description is still the one of that moment.",
        problems: ["conflict", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(describeInput)
    .output(descriptionSchema)
    .mutation(({ ctx, input }) => saveDescription(ctx, input)),
});
