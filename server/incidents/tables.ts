import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { recipients, silence } from "../notifications/tables.ts";
import { projects } from "../projects/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { severities } from "./kinds.ts";
import {
  incidentEventKinds,
  incidentStates,
  type PolicyDigest,
  type PolicyHours,
  policySteps,
  problemKinds,
  type TableReference,
} from "./schema.ts";

export const incidentState = pgEnum("incident_state", incidentStates);
export const incidentSeverity = pgEnum("incident_severity", severities);
export const problemKind = pgEnum("problem_kind", problemKinds);
export const incidentPolicyStep = pgEnum("incident_policy_step", policySteps);
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
    /** When it was noticed that it had. */
    createdAt: createdAt(),
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

/** What was wrong with one subscription, contract, or watched table, from its beginning to its end. */
export const incidentProblems = pgTable(
  "incident_problems",
  {
    id: id(),
    incidentId: integer()
      .notNull()
      .references(() => incidents.id),
    subscriptionId: integer().references(() => subscriptions.id),
    contractId: integer().references(() => contracts.id),
    /** A watched table. No foreign key: it may be gone, which ends the problem. */
    tableId: integer(),
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
    check(
      "incident_problems_subject_check",
      sql`num_nonnulls(${t.subscriptionId}, ${t.contractId}, ${t.tableId}) = 1`,
    ),
    // Each of them has one current problem at most.
    uniqueIndex("incident_problems_subscription_idx")
      .on(t.subscriptionId)
      .where(sql`${t.endedAt} is null and ${t.subscriptionId} is not null`),
    uniqueIndex("incident_problems_contract_idx")
      .on(t.contractId)
      .where(sql`${t.endedAt} is null and ${t.contractId} is not null`),
    uniqueIndex("incident_problems_table_idx")
      .on(t.tableId)
      .where(sql`${t.endedAt} is null and ${t.tableId} is not null`),
    index("incident_problems_incident_idx").on(t.incidentId),
    // The incidents that a subscription or a contract was part of.
    index("incident_problems_of_subscription_idx").on(t.subscriptionId),
    index("incident_problems_of_contract_idx").on(t.contractId),
    index("incident_problems_of_table_idx").on(t.tableId),
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

/** Who is notified about a project's incidents. */
export const incidentPolicies = pgTable(
  "incident_policies",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text().notNull(),
    enabled: boolean().notNull().default(true),
    /** null: not of single incidents. */
    minSeverity: incidentSeverity(),
    /** When a summary of the project is sent; null: never. */
    digest: jsonb().$type<PolicyDigest>(),
    /** The day, in the digest's zone, of the last one. */
    lastDigestDay: date({ mode: "string" }),
    /** null: all of the project's. */
    dataSourceIds: integer().array(),
    /** Only of tables with one of these tags; null: all. */
    tags: text().array(),
    /** When it applies; null: always. */
    hours: jsonb().$type<PolicyHours>(),
    /** null: nobody else is notified, however long nobody acknowledges. */
    escalateAfterMinutes: integer(),
    /** Incremented by every edit. */
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    removedAt: moment(),
  },
  (t) => [index("incident_policies_project_idx").on(t.projectId).where(sql`${t.removedAt} is null`)],
);

/** Whom a policy notifies: at once, or when nobody has acknowledged. */
export const incidentPolicyRecipients = pgTable(
  "incident_policy_recipients",
  {
    policyId: integer()
      .notNull()
      .references(() => incidentPolicies.id, { onDelete: "cascade" }),
    recipientId: integer()
      .notNull()
      .references(() => recipients.id),
    isEscalation: boolean().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.policyId, t.recipientId, t.isEscalation] }),
    index("incident_policy_recipients_recipient_idx").on(t.recipientId),
  ],
);

/** What a policy has notified of: each step of an incident once. */
export const incidentNotices = pgTable(
  "incident_notices",
  {
    incidentId: integer()
      .notNull()
      .references(() => incidents.id),
    policyId: integer()
      .notNull()
      .references(() => incidentPolicies.id, { onDelete: "cascade" }),
    step: incidentPolicyStep().notNull(),
    at: moment().notNull().default(sql`clock_timestamp()`),
  },
  (t) => [primaryKey({ columns: [t.incidentId, t.policyId, t.step] })],
);
