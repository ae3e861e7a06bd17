import { z } from "zod";
import { trends } from "../data-quality/schema.ts";
import { kinds } from "../data-sources/schema.ts";
import { databaseName, identifier, name } from "../db/schema-parts.ts";

export const overviewInput = z.strictObject({ projectId: identifier });

const catalogTableSchema = z
  .object({
    schemaName: z.string(),
    tableName: z.string(),
    kind: z.enum(["Table", "View"]),
    rowEstimate: z.number().nullable(),
    qualityScore: z.number().nullable(),
    trend: z.enum(trends).nullable(),
  })
  .meta({ id: "CatalogTable" });
export type CatalogTable = z.output<typeof catalogTableSchema>;

export const overviewSchema = z
  .object({
    project: z.object({ id: identifier, name: z.string(), description: z.string().nullable() }),
    dataSources: z.array(
      z.object({
        id: identifier,
        name: z.string(),
        kind: z.enum(kinds),
        averageScore: z.number().nullable(),
        activeContractCount: z.int(),
        tableCount: z.int(),
        tables: z
          .array(catalogTableSchema)
          .meta({ description: "By schema and name; the first of them where there are more" }),
        unavailable: z
          .string()
          .nullable()
          .meta({ description: "Why its tables are not known, where they could not be read" }),
      }),
    ),
  })
  .meta({ id: "ProjectOverview" });
export type ProjectOverview = z.output<typeof overviewSchema>;

/** One schema or one table; all of them where it is left out. */
const part = { schemaName: databaseName.optional(), tableName: databaseName.optional() };

export const sourceDocumentationInput = z.strictObject({ id: identifier, ...part });
export const sourceDocumentationSchema = z
  .object({ dataSourceId: identifier, dataSourceName: z.string(), markdown: z.string() })
  .meta({ id: "Documentation" });

export const projectDocumentationInput = z.strictObject({
  projectId: identifier,
  dataSourceName: name.optional(),
  ...part,
});
export const markdownSchema = z.object({ markdown: z.string() }).meta({ id: "Markdown" });

export const pages = ["schema", "quality", "report", "documentation"] as const;
export const pageInput = z.strictObject({ projectId: identifier, page: z.enum(pages) });
