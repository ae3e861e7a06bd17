import { z } from "zod";
import { identifier, momentIn, momentOut, name, pageOf, paging, text } from "../db/schema-parts.ts";

/** Events that others report. The browser loads this file too. */

export const reportedKinds = ["Deployment", "Load", "Other"] as const;
export type ReportedKind = (typeof reportedKinds)[number];

export const eventStates = ["Started", "Succeeded", "Failed"] as const;
export type EventState = (typeof eventStates)[number];

/** A table of a data source; without one, only what others call it. */
export const namedTable = z
  .object({
    dataSourceId: identifier.nullable().meta({ description: "null: of a data source that is not known" }),
    schemaName: z.string(),
    tableName: z.string(),
  })
  .meta({ id: "NamedTable" });
export type NamedTable = z.output<typeof namedTable>;

export const maxTables = 200;
const tables = z
  .array(
    z.strictObject({
      dataSourceId: identifier,
      schemaName: text(200).min(1, "is required"),
      tableName: text(200).min(1, "is required"),
    }),
  )
  .max(maxTables)
  .default([]);

export const reportInput = z.strictObject({
  projectId: identifier,
  kind: z.enum(reportedKinds),
  name,
  state: z.enum(eventStates).default("Succeeded"),
  startedAt: momentIn.nullish(),
  at: momentIn.nullish().meta({ description: "When it happened or was over; null or omitted: now" }),
  description: text(2000).trim().nullish(),
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .max(2000)
    .nullish()
    .meta({ description: "Where more is told: a pipeline's run, a pull request" }),
  inputs: tables.meta({ description: "Tables that it read, of the project's data sources" }),
  outputs: tables.meta({ description: "Tables that it wrote" }),
  key: text(200).nullish().meta({
    description:
      "Your own name for it: reported again with the same key, it is the same event, brought up to date",
  }),
});
export type Report = z.output<typeof reportInput>;

export const reportedEventSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    kind: z.enum(reportedKinds),
    name: z.string(),
    state: z.enum(eventStates),
    startedAt: momentOut.nullable(),
    at: momentOut,
    description: z.string().nullable(),
    url: z.string().nullable(),
    inputs: z.array(namedTable),
    outputs: z.array(namedTable),
    key: z.string().nullable(),
    reportedBy: z.string().meta({ description: "The key or the user" }),
  })
  .meta({ id: "ReportedEvent" });
export type ReportedEvent = z.output<typeof reportedEventSchema>;

export const listReportedInput = z.strictObject({
  projectId: identifier.optional(),
  kind: z.enum(reportedKinds).optional(),
  dataSourceId: identifier.optional().meta({ description: "Only events about its tables" }),
  ...paging,
});
export const reportedPageSchema = pageOf(reportedEventSchema);

const dataset = z.looseObject({ namespace: z.string().max(1000), name: z.string().max(1000) });
const inputField = dataset.extend({ field: z.string().max(1000) });

/** The facet that says which columns are made from which; one that is written in another way is let through unread. */
const columnLineage = z.looseObject({
  fields: z.record(z.string().max(1000), z.looseObject({ inputFields: z.array(inputField).max(1000) })),
});
const outputDataset = dataset.extend({
  facets: z
    .looseObject({ columnLineage: columnLineage.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** A column of an input and the column of an output that is made from it, by their places among these. */
export type ReportedColumns = { input: number; from: string; output: number; to: string };
export const maxColumnPairs = 5_000;

/**
 * A run event of OpenLineage 1 or 2, as its clients send it: https://openlineage.io/spec/2-0-2/OpenLineage.json. What is not
 * used is let through.
 */
export const openLineageInput = z.looseObject({
  projectId: identifier,
  eventType: z.enum(["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"]).optional(),
  eventTime: momentIn,
  run: z.looseObject({ runId: z.string().min(1).max(200) }),
  job: z.looseObject({ namespace: z.string().max(1000), name: z.string().min(1).max(1000) }),
  inputs: z.array(dataset).max(2000).optional(),
  outputs: z.array(outputDataset).max(2000).optional(),
});
export type OpenLineageEvent = z.output<typeof openLineageInput>;
