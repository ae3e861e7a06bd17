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
import type { ProblemCode } from "../errors.ts";
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
    /** null at the top level of the project. */
    parentId: integer().references((): AnyPgColumn => queryFolders.id),
    name: text().notNull(),
    /** Incremented by every edit. */
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
  },
  // Folders are identified by path, so sibling names are unique.
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
    /** Incremented by every edit. A change that waits for approval is none yet, and its approval is told by the version. */
    revision: integer().notNull().default(1),
    /** A version made under the approval workflow that nobody has approved yet: no subscription runs it. */
    unreviewedVersion: integer(),
    /** The actor that created it and may refine it. */
    ownerActorId: integer().references((): AnyPgColumn => actors.id),
    createdById: integer().references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    archivedAt: moment(),
  },
  (t) => [
    // The list of a project's queries, by name.
    index("queries_project_idx").on(t.projectId, t.name).where(sql`${t.archivedAt} is null`),
    // A folder's queries: its page, and whether it can be deleted.
    index("queries_folder_idx").on(t.folderId),
    // An actor's own queries.
    index("queries_actor_idx").on(t.ownerActorId).where(sql`${t.ownerActorId} is not null`),
  ],
);

/** A version of a query's steps. Steps are immutable: a change creates a version. */
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
    // At most one active and one pending version.
    uniqueIndex("query_versions_active_idx").on(t.queryId).where(sql`${t.status} = 'Active'`),
    uniqueIndex("query_versions_pending_idx").on(t.queryId).where(sql`${t.status} = 'PendingApproval'`),
  ],
);

/** A request to approve something before it happens to a query, pending or ended. */
export const queryApprovals = pgTable(
  "query_approvals",
  {
    id: id(),
    kind: approvalKind().notNull(),
    status: approvalStatus().notNull().default("Pending"),
    queryId: integer()
      .notNull()
      .references(() => queries.id),
    /** The proposed version, the one to run for the first time, or the active one when archiving was requested. */
    versionId: integer()
      .notNull()
      .references(() => queryVersions.id),
    /** The number of the active version at the time of the request. */
    baseNumber: integer().notNull(),
    /** A short summary of the request. */
    summary: text(),
    requestedById: integer().references(() => users.id),
    createdAt: createdAt(),
    decidedById: integer().references(() => users.id),
    decidedAt: moment(),
    decisionComment: text(),
    /** When its requester read the decision; the query's page shows it until then. */
    decisionReadAt: moment(),
  },
  (t) => [
    // Requests by status, newest first.
    index("query_approvals_status_idx").on(t.status, t.id.desc().nullsFirst()),
    // At most one pending request of each kind.
    uniqueIndex("query_approvals_pending_idx").on(t.queryId, t.kind).where(sql`${t.status} = 'Pending'`),
    // A version's requests: whether its first run was requested.
    index("query_approvals_version_idx").on(t.versionId),
  ],
);

/**
 * What people ran in the editor, for themselves: the SQL, never its parameters or results. Kept for `history.ts`'s days
 * and count.
 */
export const queryHistory = pgTable(
  "query_history",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** null for several steps, and once the data source has been deleted. */
    dataSourceId: integer().references(() => dataSources.id, { onDelete: "set null" }),
    sql: text().notNull(),
    ranAt: moment().notNull(),
    tookMs: integer().notNull(),
    /** null if it failed. */
    rowCount: integer(),
    /** What kind of problem it was; null if it succeeded. The message is not kept, because it may repeat values. */
    problem: text().$type<ProblemCode>(),
  },
  (t) => [
    // A user's history, newest first, and what is beyond the count.
    index("query_history_user_idx").on(t.userId, t.id.desc().nullsFirst()),
    // To remove what is too old.
    index("query_history_ran_idx").on(t.ranAt),
    // To find what refers to a data source that is deleted.
    index("query_history_source_idx").on(t.dataSourceId).where(sql`${t.dataSourceId} is not null`),
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
    /** null for a step that only reads earlier results. */
    dataSourceId: integer().references(() => dataSources.id),
    /** For a step on a database or over earlier results; null if there is a request. */
    sql: text(),
    /** For a step on a REST API. */
    request: jsonb().$type<RequestStep>(),
  },
  (t) => [
    primaryKey({ columns: [t.versionId, t.order] }),
    // The queries of a data source: for filters, and whether it can be deleted.
    index("query_steps_source_idx").on(t.dataSourceId),
  ],
);
