import { listOf } from "../db/schema-parts.ts";
import { procedureFor } from "../trpc.ts";
import {
  catalogRowsSchema,
  catalogSourceSchema,
  catalogSourcesInput,
  catalogTableInput,
  catalogTablesInput,
  exportInput,
  markdownSchema,
  tablePageSchema,
} from "./schema.ts";
import { exportDocumentation } from "./service/document-sources.ts";
import { getTable } from "./service/get-table.ts";
import { listCatalogSources, listCatalogTables } from "./service/list-tables.ts";

/** Procedures for the catalog's pages. */
export const browseProcedures = {
  sources: procedureFor("everything:read")
    .input(catalogSourcesInput)
    .output(listOf(catalogSourceSchema))
    .query(({ ctx, input }) => listCatalogSources(ctx, input)),

  tables: procedureFor("everything:read")
    .input(catalogTablesInput)
    .output(catalogRowsSchema)
    .query(({ ctx, input }) => listCatalogTables(ctx, input)),

  table: procedureFor("everything:read")
    .input(catalogTableInput)
    .output(tablePageSchema)
    .query(({ ctx, input }) => getTable(ctx, input)),

  export: procedureFor("everything:read")
    .input(exportInput)
    .output(markdownSchema)
    .query(({ ctx, input }) => exportDocumentation(ctx, input)),
};
