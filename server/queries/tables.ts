import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
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
import { actors } from "../actors/tables.ts";
import { users } from "../auth/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { approvalKinds, approvalStatuses } from "./approval-kinds.ts";
import { type RequestStep, versionStatuses } from "./schema.ts";

export const queryVersionStatus = pgEnum("query_version_status", versionStatuses);
export const approvalKind = pgEnum("approval_kind", approvalKinds);
export const approvalStatus = pgEnum("approval_status", approvalStatuses);

export const queryFolders = pgTable(
  "query_folders",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    /** null at the top of the project. */
    parentId: integer().references((): AnyPgColumn => queryFolders.id),
    name: text().notNull(),
    createdAt: createdAt(),
  },
  // A folder is named by its path, so no two at one place share a name.
  (t) => [unique("query_folders_name_idx").on(t.projectId, t.parentId, t.name).nullsNotDistinct()],
);

export const queries = pgTable(
  "queries",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    folderId: integer().references(() => queryFolders.id),
    name: text().notNull(),
    description: text(),
    isLocked: boolean().notNull().default(false),
    /** The version that was made under the approval workflow and approved by nobody: no subscription runs it yet. */
    unreviewedVersion: integer(),
    /** The actor that made it and may refine it. */
    ownerActorId: integer().references((): AnyPgColumn => actors.id),
    createdById: integer().references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    archivedAt: moment(),
  },
  (t) => [
    // A project's queries by name: the list.
    index("queries_project_idx").on(t.projectId, t.name).where(sql`${t.archivedAt} is null`),
    // What a folder holds: its page, and whether it may be deleted.
    index("queries_folder_idx").on(t.folderId),
    // An actor's own queries.
    index("queries_actor_idx").on(t.ownerActorId).where(sql`${t.ownerActorId} is not null`),
  ],
);

/** What a query does, once for every change of it. Steps never change: a change makes a version. */
export const queryVersions = pgTable(
  "query_versions",
  {
    id: id(),
    queryId: integer()
      .notNull()
      .references(() => queries.id),
    /** Counts from 1 within the query. */
    number: integer().notNull(),
    status: queryVersionStatus().notNull(),
    changeSummary: text(),
    createdById: integer().references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("query_versions_number_idx").on(t.queryId, t.number),
    // One version runs, and at most one waits to.
    uniqueIndex("query_versions_active_idx").on(t.queryId).where(sql`${t.status} = 'Active'`),
    uniqueIndex("query_versions_pending_idx").on(t.queryId).where(sql`${t.status} = 'PendingApproval'`),
  ],
);

/** What somebody has to approve, or had to, before it happens to a query. */
export const queryApprovals = pgTable(
  "query_approvals",
  {
    id: id(),
    kind: approvalKind().notNull(),
    status: approvalStatus().notNull().default("Pending"),
    queryId: integer()
      .notNull()
      .references(() => queries.id),
    /** The version that is proposed, that is to run for the first time, or that ran when archiving was asked for. */
    versionId: integer()
      .notNull()
      .references(() => queryVersions.id),
    /** The number of the version that ran when it was asked for. */
    baseNumber: integer().notNull(),
    /** What is asked for, in a few words. */
    summary: text(),
    requestedById: integer().references(() => users.id),
    createdAt: createdAt(),
    decidedById: integer().references(() => users.id),
    decidedAt: moment(),
    decisionComment: text(),
  },
  (t) => [
    // Requests, newest first, by what became of them.
    index("query_approvals_status_idx").on(t.status, t.id.desc().nullsFirst()),
    // At most one of a kind waits.
    uniqueIndex("query_approvals_pending_idx").on(t.queryId, t.kind).where(sql`${t.status} = 'Pending'`),
    // The requests about a version: whether its first run was asked for.
    index("query_approvals_version_idx").on(t.versionId),
  ],
);

export const querySteps = pgTable(
  "query_steps",
  {
    versionId: integer()
      .notNull()
      .references(() => queryVersions.id),
    /** Counts from 1. */
    order: integer().notNull(),
    name: text().notNull(),
    /** null for a step that reads only the results of earlier ones. */
    dataSourceId: integer().references(() => dataSources.id),
    /** Of a step on a database, or over earlier results; null where there is a request. */
    sql: text(),
    /** Of a step on a REST API. */
    request: jsonb().$type<RequestStep>(),
  },
  (t) => [
    primaryKey({ columns: [t.versionId, t.order] }),
    // Which queries read a data source: filters, and whether it may be deleted.
    index("query_steps_source_idx").on(t.dataSourceId),
  ],
);
