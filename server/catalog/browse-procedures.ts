import { listOf } from "../db/schema-parts.ts";
import { lineageInput, lineageSchema } from "../lineage/schema.ts";
import { procedureFor } from "../trpc.ts";
import {
  catalogRowsSchema,
  catalogSourceSchema,
  catalogSourcesInput,
  catalogTableInput,
  catalogTablesInput,
  exportInput,
  markdownSchema,
  tableFiguresInput,
  tableFiguresSchema,
  tablePageSchema,
} from "./schema.ts";
import { exportDocumentation } from "./service/document-sources.ts";
import { getLineage } from "./service/get-lineage.ts";
import { getTable } from "./service/get-table.ts";
import { listCatalogSources, listCatalogTables } from "./service/list-tables.ts";
import { readFigures } from "./service/read-figures.ts";
import { lineageInText, toldLineage } from "./tool-answers.ts";

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

  lineage: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/lineage",
        tag: "Data sources",
        summary: "What a table is made from, and what is made from it",
        description:
          "By views, queries, foreign keys, dbt projects, and OpenLineage events, up to five steps and 200 tables and queries. Each has its worst incident, its score, and whether it is watched.",
        problems: ["not_found"],
      },
      tool: {
        name: "get_lineage",
        title: "Lineage",
        description: "What a table is made from (step below 0) and what is made from it, with incidents.",
        annotations: { readOnlyHint: true },
        withoutArguments: ["foreignKeys"],
        plainArguments: ["columnName", "depth"],
        answer: toldLineage,
        text: lineageInText,
      },
    })
    .input(lineageInput)
    .output(lineageSchema)
    .query(({ ctx, input }) => getLineage(ctx, input)),

  figures: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "GET",
        path: "/data-sources/{id}/profile",
        tag: "Data sources",
        summary: "What the columns of a table hold",
        description:
          "Reads the table (100,000 rows of a large one) and counts, for each column, missing and different values, common and rare ones, and how they are spread and written. Columns with personal data or secrets are returned without any value. The same answer is returned for a minute.",
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(tableFiguresInput)
    .output(tableFiguresSchema)
    .query(({ ctx, input }) => readFigures(ctx, input)),

  export: procedureFor("everything:read")
    .input(exportInput)
    .output(markdownSchema)
    .query(({ ctx, input }) => exportDocumentation(ctx, input)),
};
