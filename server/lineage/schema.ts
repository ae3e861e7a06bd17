import { z } from "zod";
import { databaseName, identifier, momentOut } from "../db/schema-parts.ts";

/** Which table comes from which. The browser loads this file too. */

/** How it is known that one table comes from another. A load is one that others reported, as by OpenLineage. */
export const lineageVias = ["View", "Query", "Dbt", "Load", "ForeignKey"] as const;
export type LineageVia = (typeof lineageVias)[number];

/**
 * A column and the column that is made from it. `to` is null for a column that only decides which rows there are, by a
 * join or a filter.
 */
export const columnPair = z.object({ from: z.string(), to: z.string().nullable() });
export type ColumnPair = z.output<typeof columnPair>;

export const directions = ["Both", "Upstream", "Downstream"] as const;
export type Direction = (typeof directions)[number];

export const lineageInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName,
  tableName: databaseName,
  columnName: databaseName
    .optional()
    .meta({ description: "Only what this column is made from, and what is made from it" }),
  direction: z.enum(directions).default("Both"),
  depth: z.int().min(1).max(5).default(2).meta({ description: "How many steps" }),
  foreignKeys: z.boolean().default(true).meta({
    description:
      "Whether foreign keys count: they say that rows refer to a table, not that they come from it",
  }),
});
export type LineageInput = z.output<typeof lineageInput>;

export const lineageNodeKinds = ["Table", "View", "Query"] as const;

export const lineageNodeSchema = z
  .object({
    key: z.string().meta({ description: "What edges call it" }),
    kind: z.enum(lineageNodeKinds).nullable().meta({
      description: "null: a table that was not there when the schema was last read",
    }),
    name: z.string().meta({ description: "With its schema, or the name of the query" }),
    dataSourceId: identifier.nullable().meta({ description: "null for a query" }),
    dataSourceName: z.string().nullable(),
    schemaName: z.string().nullable(),
    tableName: z.string().nullable(),
    queryId: identifier.nullable(),
    step: z.int().meta({
      description: "How far from the table: below 0 upstream, above 0 downstream, 0 for the table itself",
    }),
    incident: z
      .object({ id: identifier, severity: z.enum(["Critical", "High", "Medium", "Low"]), title: z.string() })
      .nullable()
      .meta({ description: "The worst incident that is not resolved" }),
    qualityScore: z.number().nullable(),
    isWatched: z.boolean(),
    alertCount: z.int().meta({ description: "What is unusual about it now" }),
    problem: z.string().nullable().meta({
      description: "What could not be read of its SQL: edges may be missing, or be too many",
    }),
    hasMore: z.boolean().meta({ description: "Whether there is more beyond it that is not listed" }),
    path: z.string().meta({ description: "Its page in the console" }),
  })
  .meta({ id: "LineageNode" });
export type LineageNode = z.output<typeof lineageNodeSchema>;

export const lineageEdgeSchema = z
  .object({
    from: z.string().meta({ description: "The key of a node" }),
    to: z.string(),
    via: z.enum(lineageVias),
    origin: z.string().nullable().meta({
      description:
        "The load or the dbt project that says so; null where the view, query, or foreign key itself does",
    }),
    isCertain: z.boolean().meta({
      description: "false: the SQL could not be fully read, but names the table",
    }),
    columns: z.array(columnPair),
    since: momentOut,
    lastSeenAt: momentOut,
  })
  .meta({ id: "LineageEdge" });
export type LineageEdge = z.output<typeof lineageEdgeSchema>;

export const lineageSchema = z
  .object({
    nodes: z.array(lineageNodeSchema).meta({ description: "By step, then name" }),
    edges: z.array(lineageEdgeSchema),
    omitted: z.int().meta({ description: "How many more nodes there are within these steps" }),
    readAt: momentOut
      .nullable()
      .meta({ description: "When the SQL of the data source was last read; null: never" }),
    problem: z.string().nullable().meta({ description: "Why its views could not be read" }),
  })
  .meta({ id: "Lineage" });
export type Lineage = z.output<typeof lineageSchema>;
