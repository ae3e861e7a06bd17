import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { ruleTypes, severities, trends } from "../data-quality/schema.ts";
import { columnSchema, kinds } from "../data-sources/schema.ts";
import { databaseName, identifier, momentOut, name, pageOf, paging, text } from "../db/schema-parts.ts";
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

/** What a file of documentation is about: one table, one schema, one data source, one project, or all there is. */
export const exportInput = z
  .strictObject({ projectId: identifier.optional(), dataSourceId: identifier.optional(), ...part })
  .refine(
    ({ dataSourceId, schemaName, tableName }) =>
      dataSourceId !== undefined || (schemaName === undefined && tableName === undefined),
    { path: ["dataSourceId"], message: "is required with a schema or table" },
  );

export const catalogSourcesInput = z.strictObject({ projectId: identifier.optional() });

/** A database, as the catalogue begins with it. */
export const catalogSourceSchema = z.object({
  id: identifier,
  projectId: identifier,
  name: z.string(),
  kind: z.enum(kinds),
  /** When its schema was read; null while nobody has. */
  readAt: momentOut.nullable(),
  schemas: z.array(z.object({ schemaName: z.string(), tableCount: z.int() })),
  tableCount: z.int(),
  /** With a description of ours or a comment of the database's. */
  documentedCount: z.int(),
  /** By what was last measured. */
  averageScore: z.number().nullable(),
  scoredCount: z.int(),
  healthyCount: z.int(),
  outageCount: z.int(),
  activeContractCount: z.int(),
});
export type CatalogSource = z.output<typeof catalogSourceSchema>;

export const tableOrders = ["name", "rows", "score", "contracts"] as const;
export type TableOrder = (typeof tableOrders)[number];
export const tableFilters = {
  kind: ["Table", "View"],
  documented: ["yes", "no"],
  watched: ["yes", "no"],
} as const;

export const catalogTablesInput = z.strictObject({
  projectId: identifier.optional(),
  dataSourceId: identifier.optional(),
  schemaName: databaseName.optional(),
  /** Words that all stand in its name, its description or its comment. */
  search: text(200).optional(),
  kind: z.enum(tableFilters.kind).optional(),
  documented: z.enum(tableFilters.documented).optional(),
  watched: z.enum(tableFilters.watched).optional(),
  sortBy: z.enum(tableOrders).default("name"),
  sortDirection: z.enum(["asc", "desc"]).default("asc"),
  ...paging,
});

const outage = z.object({ since: momentOut, reason: z.string() });
const measured = z.object({
  score: z.number(),
  previousScore: z.number().nullable(),
  trend: z.enum(trends),
  evaluatedAt: momentOut,
});
const contractLink = z.object({ id: identifier, name: z.string(), enabled: z.boolean() });

export const catalogRowSchema = z.object({
  dataSourceId: identifier,
  dataSourceName: z.string(),
  schemaName: z.string(),
  tableName: z.string(),
  kind: z.enum(["Table", "View"]),
  rowEstimate: z.number().nullable(),
  columnCount: z.int(),
  /** Their beginnings. */
  description: z.string().nullable(),
  comment: z.string().nullable(),
  describedColumns: z.int(),
  score: z.number().nullable(),
  previousScore: z.number().nullable(),
  trend: z.enum(trends).nullable(),
  /** Since when, and why, its data source could not be reached; null when it could. */
  outage: outage.nullable(),
  /** Its latest scores, oldest first; null where it could not be evaluated. */
  course: z.array(z.number().nullable()),
  contracts: z.array(contractLink),
  contractCount: z.int(),
});
export type CatalogRow = z.output<typeof catalogRowSchema>;
/** As the service answers it, with moments that are still dates. */
export type ServedCatalogRow = z.input<typeof catalogRowSchema>;
export const catalogRowsSchema = pageOf(catalogRowSchema);

export const catalogTableInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName,
  tableName: databaseName,
});

const said = z.object({ text: z.string(), updatedAt: momentOut, updatedBy: userReference.nullable() });

/** A table with all that is known about it. */
export const tablePageSchema = z.object({
  dataSource: z.object({
    id: identifier,
    name: z.string(),
    kind: z.enum(kinds),
    projectId: identifier,
  }),
  schemaName: z.string(),
  tableName: z.string(),
  readAt: momentOut.nullable(),
  /** Whether it was there when the schema was read; what is said of it and what watches it stays without. */
  isThere: z.boolean(),
  kind: z.enum(["Table", "View"]).nullable(),
  rowEstimate: z.number().nullable(),
  comment: z.string().nullable(),
  description: said.nullable(),
  columns: z.array(columnSchema.extend({ description: said.nullable() })),
  /** Columns that are described, but were not there. */
  formerColumns: z.array(z.object({ name: z.string(), description: said })),
  quality: z
    .object({
      measured: measured.nullable(),
      outage: outage.nullable(),
      history: z.array(
        z.object({ evaluatedAt: z.string(), score: z.number(), couldNotEvaluate: z.boolean() }),
      ),
    })
    .nullable(),
  contracts: z.array(
    contractLink.extend({
      failureThreshold: z.number(),
      latestScore: z.number().nullable(),
      measured: measured.nullable(),
      outage: outage.nullable(),
      lastEvaluatedAt: momentOut.nullable(),
    }),
  ),
  /** Of its contracts, each with the verdict of its latest evaluation. */
  rules: z.array(
    z.object({
      id: identifier,
      contractId: identifier,
      contractName: z.string(),
      name: z.string(),
      type: z.enum(ruleTypes),
      column: z.string().nullable(),
      severity: z.enum(severities),
      enabled: z.boolean(),
      verdict: z
        .object({ passed: z.boolean(), score: z.number(), since: momentOut, evaluatedAt: momentOut })
        .nullable(),
    }),
  ),
  /** Whose SQL names it, of the versions that run; by name. */
  queries: z.array(
    z.object({
      id: identifier,
      name: z.string(),
      folderPath: z.string().nullable(),
      subscriptions: z.array(
        z.object({ id: identifier, cronExpression: z.string(), timezone: z.string(), enabled: z.boolean() }),
      ),
    }),
  ),
  queryCount: z.int(),
  referredBy: z.array(
    z.object({ schemaName: z.string(), tableName: z.string(), columnName: z.string(), to: z.string() }),
  ),
});
export type TablePage = z.output<typeof tablePageSchema>;

/** What can be searched; of two that fit alike, the earlier kind comes first. */
export const hitKinds = ["Table", "Query", "Contract", "Actor", "Column"] as const;
export type HitKind = (typeof hitKinds)[number];

const searchText = text(200).refine((given) => given.trim() !== "", "is required");

export const searchInput = z.strictObject({
  q: searchText,
  kind: z.enum(hitKinds).optional(),
  projectId: identifier.optional(),
  ...paging,
});
/** As a tool asks for it. */
export const findInput = z.strictObject({
  projectId: identifier,
  query: searchText,
  maxResults: z.int().min(1).max(50).default(20),
  offset: z.int().min(0).default(0),
});
/** As somebody types it: the best of each kind. */
export const glanceInput = z.strictObject({ q: searchText, projectId: identifier.optional() });

export const searchHitSchema = z
  .object({
    kind: z.enum(hitKinds),
    id: identifier.nullable(),
    name: z.string(),
    description: z.string().nullable(),
    projectId: identifier,
    dataSourceId: identifier.nullable(),
    schemaName: z.string().nullable(),
    tableName: z.string().nullable(),
    qualityScore: z.number().nullable(),
  })
  .meta({ id: "SearchHit" });
export type SearchHit = z.output<typeof searchHitSchema>;

export const searchPageSchema = pageOf(searchHitSchema);
export const foundSchema = z.object({ items: z.array(searchHitSchema), totalCount: z.int() });
export type Found = z.output<typeof foundSchema>;
export const glanceSchema = z.object({ items: z.array(searchHitSchema) });
