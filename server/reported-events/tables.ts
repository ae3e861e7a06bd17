import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { principalKind } from "../audit/tables.ts";
import { createdAt, id, moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { eventStates, type NamedTable, type ReportedColumns, reportedKinds } from "./schema.ts";

export const reportedKind = pgEnum("reported_kind", reportedKinds);
export const reportedState = pgEnum("reported_state", eventStates);

/** What others report about the data: deployments, loads, and whatever else may explain a problem. */
export const reportedEvents = pgTable(
  "reported_events",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    kind: reportedKind().notNull(),
    name: text().notNull(),
    state: reportedState().notNull(),
    /** When it began, if it took time, and when it was over. */
    startedAt: moment(),
    at: moment().notNull(),
    description: text(),
    url: text(),
    /** What it read and wrote, as far as the data sources are known. */
    inputs: jsonb().$type<NamedTable[]>().notNull(),
    outputs: jsonb().$type<NamedTable[]>().notNull(),
    /** Which columns are made from which, where it says so. */
    columns: jsonb().$type<ReportedColumns[]>().notNull().default([]),
    /** The caller's own name for it: reported again, it is the same event. */
    key: text(),
    principalKind: principalKind().notNull(),
    principalId: integer(),
    principalName: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("reported_events_key_idx").on(t.projectId, t.key).where(sql`${t.key} is not null`),
    // Those before a moment, latest first.
    index("reported_events_project_idx").on(t.projectId, t.at),
  ],
);
