import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import {
  byId,
  databaseName,
  identifier,
  listOf,
  momentOut,
  pageOf,
  paging,
  searching,
  timezone,
} from "../db/schema-parts.ts";
import { maxBudgetSeconds, minBudgetSeconds } from "./budget-limits.ts";
import { measureNames } from "./measures.ts";

/** Tables that are watched without any rule. The browser loads this file too. */

export const watchRunKinds = ["Look", "Profile"] as const;
export type WatchRunKind = (typeof watchRunKinds)[number];

/** Worst first. */
export const alertKinds = ["Gone", "Late", "Volume", "Column", "Values", "Schema"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const setWatchInput = z.strictObject({
  id: identifier,
  enabled: z.boolean(),
  timezone: timezone.default("UTC").meta({ description: "Hours and days are those of its clocks" }),
  nightHour: z.int().min(0).max(23).default(2).meta({ description: "When tables are profiled each day" }),
  budgetSeconds: z.int().min(minBudgetSeconds).max(maxBudgetSeconds).default(900).meta({
    description: "How long a profile's statements may run together; the rest waits for the next day",
  }),
});

const costSchema = z.object({
  seconds: z.number().meta({ description: "How long its statements ran, together" }),
  statements: z.number(),
  rowsRead: z.number(),
  tables: z.number(),
});
export type WatchCost = z.output<typeof costSchema>;

export const watchSchema = z
  .object({
    dataSourceId: identifier,
    dataSourceName: z.string(),
    enabled: z.boolean(),
    timezone: z.string(),
    nightHour: z.int(),
    budgetSeconds: z.int(),
    enabledBy: userReference.nullable(),
    tableCount: z.int().meta({ description: "Tables that are watched, or would be" }),
    unusualCount: z.int().meta({ description: "Of them, those with something unusual now" }),
    lastLookAt: momentOut.nullable(),
    lastProfileAt: momentOut.nullable(),
    nextProfileAt: momentOut.nullable(),
    problem: z.string().nullable().meta({ description: "Why the latest look or profile failed" }),
    look: costSchema
      .nullable()
      .meta({ description: "What a look costs, on average of the last day; null before the first" }),
    profile: costSchema
      .extend({ tablesLeft: z.int() })
      .nullable()
      .meta({ description: "What the latest profile cost; null before the first" }),
    expected: z
      .object({ statementsPerLook: z.int(), statementsPerProfile: z.int(), rowsPerProfile: z.number() })
      .meta({
        description: "At most, by the number of tables and columns and the server's estimates of rows",
      }),
  })
  .meta({ id: "Watch" });
export type Watch = z.output<typeof watchSchema>;

export const alertSchema = z
  .object({
    id: identifier,
    kind: z.enum(alertKinds),
    columnName: z.string().nullable(),
    measure: z.enum(measureNames).nullable(),
    sentence: z.string(),
    openedAt: momentOut,
    lastSeenAt: momentOut,
    endedAt: momentOut.nullable(),
    expectedAt: momentOut.nullable(),
    expectedBy: userReference.nullable(),
  })
  .meta({ id: "TableAlert" });
export type TableAlert = z.output<typeof alertSchema>;

export const listWatchedInput = z.strictObject({
  projectId: identifier.optional(),
  dataSourceId: identifier.optional(),
  unusual: z.boolean().optional().meta({ description: "true: only tables with something unusual now" }),
  ...searching("schema and table"),
  ...paging,
});

export const watchedTableSchema = z
  .object({
    id: identifier,
    dataSourceId: identifier,
    dataSourceName: z.string(),
    schemaName: z.string(),
    tableName: z.string(),
    rowEstimate: z.number().nullable(),
    lastLookAt: momentOut.nullable(),
    lastChangeAt: momentOut.nullable(),
    lateAfter: momentOut.nullable().meta({
      description: "If it has not changed by then, it is late; null while its rhythm is not known",
    }),
    profiledAt: momentOut.nullable(),
    alerts: z.array(alertSchema).meta({ description: "Current ones, worst first" }),
  })
  .meta({ id: "WatchedTable" });
export type WatchedTable = z.output<typeof watchedTableSchema>;
export const watchedPageSchema = pageOf(watchedTableSchema);

export const watchedTableInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName,
  tableName: databaseName,
  days: z.int().min(1).max(366).default(90),
});

export const seriesPointSchema = z.object({
  at: momentOut,
  value: z.number(),
  low: z
    .number()
    .nullable()
    .meta({ description: "What was usual then; null on a side that does not matter" }),
  high: z.number().nullable(),
  isUnusual: z.boolean(),
});

export const seriesSchema = z
  .object({
    columnName: z.string().nullable().meta({ description: "null: of the table" }),
    measure: z.enum(measureNames),
    usually: z
      .string()
      .nullable()
      .meta({ description: "What is usual now, in words; null while too little is known" }),
    points: z.array(seriesPointSchema).meta({ description: "Oldest first" }),
  })
  .meta({ id: "WatchSeries" });
export type WatchSeries = z.output<typeof seriesSchema>;

export const watchedDetailSchema = watchedTableSchema
  .extend({
    arrivalColumn: z.string().nullable().meta({ description: "The column that says when rows came" }),
    problem: z.string().nullable().meta({ description: "Why its latest profile failed" }),
    series: z.array(seriesSchema),
    past: z.array(alertSchema).meta({ description: "Alerts that ended in this time, latest first" }),
  })
  .nullable()
  .meta({ id: "WatchedTableDetail", description: "null if the table is not watched" });
export type WatchedDetail = NonNullable<z.output<typeof watchedDetailSchema>>;

export const expectAlertInput = byId;
export const watchesSchema = listOf(watchSchema);
