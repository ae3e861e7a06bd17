import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { createdAt, id, moment } from "../db/columns.ts";
import type { KnownValues } from "./categories.ts";
import { measureNames } from "./measures.ts";
import { alertKinds, watchRunKinds } from "./schema.ts";

export const watchRunKind = pgEnum("watch_run_kind", watchRunKinds);
export const watchMeasure = pgEnum("watch_measure", measureNames);
export const tableAlertKind = pgEnum("table_alert_kind", alertKinds);

/** Data sources whose tables are all watched; the id is that of the data source. */
export const watches = pgTable(
  "watches",
  {
    id: integer()
      .primaryKey()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    /** Of the looks: each source has its own minute, so that not all come at once. */
    cronExpression: text().notNull(),
    /** Hours and days are those of its clocks. */
    timezone: text().notNull(),
    nextRunAt: moment(),
    /** The hour of the profile, by those clocks. */
    nightHour: integer().notNull(),
    nextNightAt: moment().notNull(),
    /** How long a profile's statements may run together. */
    budgetSeconds: integer().notNull(),
    enabledById: integer().references(() => users.id),
    createdAt: createdAt(),
    lastLookAt: moment(),
    /** Why the latest look or profile failed; null if it did not. */
    problem: text(),
  },
  (t) => [index("watches_due_idx").on(t.nextRunAt).where(sql`${t.nextRunAt} is not null`)],
);

/** What each look and profile cost. */
export const watchRuns = pgTable(
  "watch_runs",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    kind: watchRunKind().notNull(),
    startedAt: moment().notNull(),
    /** How long its statements ran, together. */
    seconds: doublePrecision().notNull(),
    statements: integer().notNull(),
    /** Rows that the statements went through, as far as it is known. */
    rowsRead: doublePrecision().notNull(),
    tables: integer().notNull(),
    /** Tables that the budget did not last for. */
    tablesLeft: integer().notNull(),
  },
  (t) => [index("watch_runs_source_idx").on(t.dataSourceId, t.kind, t.startedAt)],
);

/** What is known of a table between two looks. */
export const watchedTables = pgTable(
  "watched_tables",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    /** Names and types, in order. */
    columns: jsonb().$type<WatchedColumn[]>().notNull(),
    firstSeenAt: moment().notNull().defaultNow(),
    /** When it was first missed; null while it is there. */
    goneAt: moment(),
    /** The column that says when rows came; null without one. */
    arrivalColumn: text(),
    /** Whether its newest value is found without reading the table. */
    isArrivalCheap: boolean().notNull().default(false),
    /** The newest value at the latest look, or the server's own text for the state of its rows. */
    lastState: text(),
    lastLookAt: moment(),
    /** When it was last seen to have changed. */
    lastChangeAt: moment(),
    /** From then on, a table that has not changed is late; null while that is not known. */
    lateAfter: moment(),
    rowEstimate: doublePrecision(),
    /** When the server first said that most rows are gone; null once that is confirmed, or over. */
    collapsedAt: moment(),
    /** The end of the latest hour whose new rows were counted. */
    countedUntil: moment(),
    profiledAt: moment(),
    /** Why its latest profile failed. */
    problem: text(),
    /** The values of columns with few of them. */
    categories: jsonb().$type<Record<string, KnownValues>>().notNull().default({}),
  },
  (t) => [
    unique("watched_tables_name_idx").on(t.dataSourceId, t.schemaName, t.tableName),
    // The order of the profile.
    index("watched_tables_profile_idx").on(t.dataSourceId, t.profiledAt).where(sql`${t.goneAt} is null`),
  ],
);
export type WatchedColumn = { name: string; type: string };

/** One number of a table, or of one of its columns, over time. */
export const watchSeries = pgTable(
  "watch_series",
  {
    id: id(),
    tableId: integer()
      .notNull()
      .references(() => watchedTables.id, { onDelete: "cascade" }),
    columnName: text(),
    measure: watchMeasure().notNull(),
  },
  (t) => [unique("watch_series_name_idx").on(t.tableId, t.columnName, t.measure).nullsNotDistinct()],
);

/**
 * The points of a series, a month in a row: some 12 bytes each instead of the 60 of a row of its own. What is usual is
 * learned from them anew each time, which takes microseconds for each point, so that nothing else has to be stored.
 */
export const watchPoints = pgTable(
  "watch_points",
  {
    seriesId: integer()
      .notNull()
      .references(() => watchSeries.id, { onDelete: "cascade" }),
    month: date({ mode: "string" }).notNull(),
    /** Seconds since the month began, in UTC. */
    times: integer().array().notNull(),
    values: doublePrecision().array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.seriesId, t.month] })],
);

/** What was unusual about a table, until it is usual again. */
export const tableAlerts = pgTable(
  "table_alerts",
  {
    id: id(),
    tableId: integer()
      .notNull()
      .references(() => watchedTables.id, { onDelete: "cascade" }),
    kind: tableAlertKind().notNull(),
    columnName: text(),
    measure: watchMeasure(),
    sentence: text().notNull(),
    openedAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
    endedAt: moment(),
    /** Someone said that it is as it should be: it then is no problem, although it goes on. */
    expectedAt: moment(),
    expectedById: integer().references(() => users.id),
  },
  (t) => [
    uniqueIndex("table_alerts_current_idx")
      .on(t.tableId, t.kind, sql`coalesce(${t.columnName}, '')`, sql`coalesce(${t.measure}, 'Interval')`)
      .where(sql`${t.endedAt} is null`),
    index("table_alerts_table_idx").on(t.tableId, t.openedAt),
  ],
);
