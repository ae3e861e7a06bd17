import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { id, moment } from "../db/columns.ts";
import { silence } from "../notifications/tables.ts";
import { projects } from "../projects/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import {
  incidentEventKinds,
  incidentStates,
  problemKinds,
  severities,
  type TableReference,
} from "./schema.ts";

export const incidentState = pgEnum("incident_state", incidentStates);
export const incidentSeverity = pgEnum("incident_severity", severities);
export const problemKind = pgEnum("problem_kind", problemKinds);
export const incidentEventKind = pgEnum("incident_event_kind", incidentEventKinds);

/** Problems of subscriptions and contracts that belong together, until all of them are over. */
export const incidents = pgTable(
  "incidents",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    title: text().notNull(),
    state: incidentState().notNull().default("Open"),
    severity: incidentSeverity().notNull(),
    /** When its first problem began. */
    openedAt: moment().notNull(),
    acknowledgedAt: moment(),
    acknowledgedById: integer().references(() => users.id),
    /** The first time that a person acknowledged, assigned, or resolved it. */
    noticedAt: moment(),
    resolvedAt: moment(),
    /** null if all its problems ended by themselves. */
    resolvedById: integer().references(() => users.id),
    assigneeId: integer().references(() => users.id),
    ...silence(),
  },
  (t) => [
    // Those that are not over: the list's first page, what a new problem may belong to, and what people are told.
    index("incidents_current_idx").on(t.projectId, t.openedAt).where(sql`${t.state} <> 'Resolved'`),
    // The history of a project, newest first.
    index("incidents_project_idx").on(t.projectId, t.openedAt.desc().nullsFirst()),
  ],
);

/** What was wrong with one subscription or contract, from its beginning to its end. */
export const incidentProblems = pgTable(
  "incident_problems",
  {
    id: id(),
    incidentId: integer()
      .notNull()
      .references(() => incidents.id),
    subscriptionId: integer().references(() => subscriptions.id),
    contractId: integer().references(() => contracts.id),
    /** What the subscription or contract was called at last. */
    name: text().notNull(),
    kind: problemKind().notNull(),
    severity: incidentSeverity().notNull(),
    reason: text().notNull(),
    /** What it reads, as of its beginning. */
    dataSourceIds: integer().array().notNull(),
    tables: jsonb().$type<TableReference[]>().notNull(),
    beganAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
    seenCount: integer().notNull().default(1),
    endedAt: moment(),
    ended: text(),
  },
  (t) => [
    check("incident_problems_subject_check", sql`num_nonnulls(${t.subscriptionId}, ${t.contractId}) = 1`),
    // A subscription or contract has one current problem at most.
    uniqueIndex("incident_problems_subscription_idx")
      .on(t.subscriptionId)
      .where(sql`${t.endedAt} is null and ${t.subscriptionId} is not null`),
    uniqueIndex("incident_problems_contract_idx")
      .on(t.contractId)
      .where(sql`${t.endedAt} is null and ${t.contractId} is not null`),
    index("incident_problems_incident_idx").on(t.incidentId),
    // The incidents that a subscription or a contract was part of.
    index("incident_problems_of_subscription_idx").on(t.subscriptionId),
    index("incident_problems_of_contract_idx").on(t.contractId),
  ],
);

/** The timeline: what happened, and what people did. */
export const incidentEvents = pgTable(
  "incident_events",
  {
    id: id(),
    incidentId: integer()
      .notNull()
      .references(() => incidents.id),
    kind: incidentEventKind().notNull(),
    at: moment().notNull().default(sql`clock_timestamp()`),
    userId: integer().references(() => users.id),
    text: text().notNull(),
  },
  (t) => [index("incident_events_incident_idx").on(t.incidentId, t.at)],
);
