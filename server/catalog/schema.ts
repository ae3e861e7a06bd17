import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { ruleTypes } from "../data-quality/rules/rules.ts";
import { trends } from "../data-quality/score-schema.ts";
import { severities } from "../data-quality/severities.ts";
import { columnSchema } from "../data-sources/database-schema.ts";
import { kinds } from "../data-sources/kinds.ts";
import { databaseName, identifier, momentOut, name, pageOf, paging, text } from "../db/schema-parts.ts";
import { tableFilters, tableOrders } from "./list-choices.ts";
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
          .meta({ description: "By schema and name; only the first if there are more" }),
        unavailable: z.string().nullable().meta({ description: "Why its tables could not be read" }),
      }),
    ),
  })
  .meta({ id: "ProjectOverview" });
export type ProjectOverview = z.output<typeof overviewSchema>;

/** One schema or one table; everything if omitted. */
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

/** What to export: one table, one schema, one data source, one project, or everything. */
export const exportInput = z
  .strictObject({ projectId: identifier.optional(), dataSourceId: identifier.optional(), ...part })
  .refine(
    ({ dataSourceId, schemaName, tableName }) =>
      dataSourceId !== undefined || (schemaName === undefined && tableName === undefined),
    { path: ["dataSourceId"], message: "is required with a schema or table" },
  );

export const catalogSourcesInput = z.strictObject({ projectId: identifier.optional() });

/** A data source, as listed on the catalog's first page. */
export const catalogSourceSchema = z.object({
  id: identifier,
  projectId: identifier,
  name: z.string(),
  kind: z.enum(kinds),
  /** When its schema was last read; null if never. */
  readAt: momentOut.nullable(),
  schemas: z.array(z.object({ schemaName: z.string(), tableCount: z.int() })),
  tableCount: z.int(),
  /** Tables with one of our descriptions or a database comment. */
  tags: z.array(z.string()).meta({ description: "Tags of its tables" }),
  documentedCount: z.int(),
  /** Of the last measured scores. */
  averageScore: z.number().nullable(),
  scoredCount: z.int(),
  healthyCount: z.int(),
  outageCount: z.int(),
  activeContractCount: z.int(),
  /** Tables with a contract. */
  watchedCount: z.int(),
  /** Tables with open findings and no contract. */
  onlyFindingsCount: z.int(),
});
export type CatalogSource = z.output<typeof catalogSourceSchema>;

export const catalogTablesInput = z.strictObject({
  projectId: identifier.optional(),
  dataSourceId: identifier.optional(),
  schemaName: databaseName.optional(),
  /** Words that must all occur in its name, description, comment, or tags. */
  search: text(200).optional(),
  kind: z.enum(tableFilters.kind).optional(),
  documented: z.enum(tableFilters.documented).optional(),
  watched: z.enum(tableFilters.watched).optional(),
  tag: text(50).optional(),
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
  /** Truncated. */
  description: z.string().nullable(),
  comment: z.string().nullable(),
  describedColumns: z.int(),
  tags: z.array(z.string()),
  score: z.number().nullable(),
  previousScore: z.number().nullable(),
  trend: z.enum(trends).nullable(),
  /** Since when and why its data source is unreachable; null if reachable. */
  outage: outage.nullable(),
  /** Its latest scores, oldest first; null where an evaluation failed. */
  course: z.array(z.number().nullable()),
  contracts: z.array(contractLink),
  contractCount: z.int(),
  /** Findings that nobody has decided about, of those that are shown. */
  openFindings: z.int(),
});
export type CatalogRow = z.output<typeof catalogRowSchema>;
/** As the service returns it, before dates are serialized. */
export type ServedCatalogRow = z.input<typeof catalogRowSchema>;
export const catalogRowsSchema = pageOf(catalogRowSchema);

export const catalogTableInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName,
  tableName: databaseName,
});

const said = z.object({ text: z.string(), updatedAt: momentOut, updatedBy: userReference.nullable() });

/** A table with everything known about it. */
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
  /** Whether it existed when the schema was last read; descriptions and contracts remain if not. */
  isThere: z.boolean(),
  kind: z.enum(["Table", "View"]).nullable(),
  rowEstimate: z.number().nullable(),
  comment: z.string().nullable(),
  description: said.nullable(),
  tags: z.array(z.string()),
  columns: z.array(columnSchema.extend({ description: said.nullable() })),
  /** Described columns that did not exist when the schema was last read. */
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
  /** Its contracts' rules, with the results of their latest evaluations. */
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
  /** Queries whose active SQL mentions it, by name. */
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

export const tableFiguresInput = z.strictObject({
  id: identifier,
  schemaName: databaseName,
  tableName: databaseName,
});

const valueRows = z.object({ value: z.string(), rows: z.int() });

export const columnFiguresSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    nulls: z.int().meta({ description: "Rows without a value" }),
    blanks: z.int().meta({ description: "Rows with an empty or blank text" }),
    different: z.int().meta({ description: "The number of different values" }),
    mostRows: z.int().meta({ description: "How many rows have the most common value; 1 if all differ" }),
    isMasked: z.boolean().meta({ description: "Personal data or secrets, of which no values are returned" }),
    common: z.array(valueRows).meta({ description: "The most common values, if values repeat" }),
    rare: z.array(valueRows).meta({ description: "The rarest values, if values repeat; the rarest first" }),
    range: z
      .object({ least: z.string(), median: z.string(), greatest: z.string() })
      .nullable()
      .meta({ description: "For numbers, dates, and times" }),
    histogram: z
      .object({
        of: z.enum(["number", "moment"]).meta({ description: "Moments are milliseconds since 1970, UTC" }),
        bars: z.array(z.object({ from: z.number(), to: z.number(), rows: z.int() })),
        below: z.int().meta({ description: "Rows far below all bars" }),
        above: z.int().meta({ description: "Rows far above all bars" }),
      })
      .nullable(),
    shapes: z
      .array(z.object({ shape: z.string(), rows: z.int(), example: z.string().nullable() }))
      .meta({ description: "How texts are written: 9 is a digit, A a capital, a a small letter" }),
  })
  .meta({ id: "ColumnFigures" });
export type ColumnFigures = z.output<typeof columnFiguresSchema>;

export const tableFiguresSchema = z
  .object({
    readAt: momentOut,
    rowsRead: z.int(),
    totalRows: z.number().meta({ description: "As exactly as it is known" }),
    isWhole: z
      .boolean()
      .meta({ description: "Whether all rows were read, or only some from all over the table" }),
    columns: z.array(columnFiguresSchema).meta({ description: "At most the first 200" }),
  })
  .meta({ id: "TableFigures" });
export type TableFigures = z.output<typeof tableFiguresSchema>;

/** What can be searched; on a tie, the earlier kind comes first. */
export const hitKinds = ["Table", "Query", "Contract", "Actor", "Column"] as const;
export type HitKind = (typeof hitKinds)[number];

const searchText = text(200).refine((given) => given.trim() !== "", "is required");

export const searchInput = z.strictObject({
  q: searchText,
  kind: z.enum(hitKinds).optional(),
  projectId: identifier.optional(),
  ...paging,
});
/** The tool's input. */
export const findInput = z.strictObject({
  projectId: identifier,
  query: searchText,
  maxResults: z.int().min(1).max(50).default(20),
  offset: z.int().min(0).default(0),
});
/** The search field's input: returns the best results of each kind. */
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
