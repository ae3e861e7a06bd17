import { byId, listOf } from "../db/schema-parts.ts";
import type { ProblemCode } from "../errors.ts";
import { procedureFor, recordRun, router } from "../trpc.ts";
import { assistantProcedures } from "./assistant-procedures.ts";
import { bulkProcedures } from "./bulk-procedures.ts";
import { explained, explainInput, explainQuery } from "./explain.ts";
import { planSchema } from "./plan-schema.ts";
import {
  archiveQueryInput,
  createFolderInput,
  createQueryInput,
  folderSchema,
  historyInput,
  historyPageSchema,
  listFoldersInput,
  listQueriesInput,
  previewInput,
  previewSchema,
  previewStepInput,
  previewStoredInput,
  queryPageSchema,
  querySchema,
  restoreVersionInput,
  updateFolderInput,
  updateQueryInput,
  versionSchema,
} from "./schema.ts";
import { archivedDetail, archiveQuery, unarchiveQuery } from "./service/archive.ts";
import { createFolder, deleteFolder, listFolders, updateFolder } from "./service/folders.ts";
import { clearHistory, keepingHistory, listHistory } from "./service/history.ts";
import { setLocked } from "./service/lock.ts";
import {
  previewedStep,
  previewedText,
  previewStep,
  previewStored,
  previewUnsaved,
  rowsFound,
} from "./service/previews.ts";
import { getQuery, listQueries } from "./service/queries.ts";
import { createQuery, restoreVersion, updateQuery } from "./service/save-query.ts";
import { listVersions } from "./service/versions.ts";

const tag = "Queries";

/** Errors of running SQL. */
const runProblems: ProblemCode[] = ["not_found", "rejected", "source_unreachable", "source_timeout"];

export const queriesRouter = router({
  ...bulkProcedures,
  ...assistantProcedures,

  preview: procedureFor("queries:run")
    .meta({
      audit: "dataSource",
      auditAs: "run",
      auditId: "dataSourceId",
      auditRun: previewedText,
      auditOutcome: rowsFound,
      rest: {
        method: "POST",
        path: "/queries/preview",
        tag,
        summary: "Run a read-only query or request without saving it",
        description:
          "SQL on a database, a request to a REST API, or all steps of a query. Limited to 1,000 rows, 4 MB, and " +
          "30 s. `{{name}}` in the SQL, outside strings and comments, is a value of " +
          "`parameters`, which is bound, never concatenated.",
        problems: runProblems,
      },
    })
    .input(previewInput)
    .use(recordRun())
    .output(previewSchema)
    .mutation(({ ctx, input }) => keepingHistory(ctx, input, () => previewUnsaved(ctx, input))),

  explain: procedureFor("queries:run")
    .meta({
      audit: "dataSource",
      auditAs: "run",
      auditId: "dataSourceId",
      auditRun: previewedText,
      auditOutcome: explained,
      rest: {
        method: "POST",
        path: "/queries/explain",
        tag,
        summary: "Get the plan of a SQL statement",
        description:
          "On PostgreSQL, MySQL, and MariaDB. The statement is planned by the database, and never run. The same checks as for a preview.",
        problems: runProblems,
      },
    })
    .input(explainInput)
    .use(recordRun())
    .output(planSchema)
    .mutation(({ ctx, input }) => explainQuery(ctx, input)),

  /** For the browser: what the caller ran in the editor. */
  history: procedureFor("own-history:manage")
    .input(historyInput)
    .output(historyPageSchema)
    .query(({ ctx, input }) => listHistory(ctx, input)),

  clearHistory: procedureFor("own-history:manage")
    .meta({ audit: "user" })
    .mutation(({ ctx }) => clearHistory(ctx)),

  previewStored: procedureFor("queries:run")
    .meta({
      audit: "query",
      auditAs: "run",
      auditRun: previewedStep,
      auditOutcome: rowsFound,
      rest: {
        method: "POST",
        path: "/queries/{id}/preview",
        tag,
        summary: "Run a query",
        description: "Runs its active version, within the preview limits.",
        problems: runProblems,
      },
    })
    .input(previewStoredInput)
    .use(recordRun())
    .output(previewSchema)
    .mutation(({ ctx, input }) => previewStored(ctx, input)),

  previewStep: procedureFor("queries:run")
    .meta({
      audit: "query",
      auditAs: "run",
      auditRun: previewedStep,
      auditOutcome: rowsFound,
      rest: {
        method: "POST",
        path: "/queries/{id}/steps/{stepOrder}/preview",
        tag,
        summary: "Run one step of a query",
        description:
          "Earlier steps run first if it reads their results. You can also give values for their parameters.",
        problems: runProblems,
      },
    })
    .input(previewStepInput)
    .use(recordRun())
    .output(previewSchema)
    .mutation(({ ctx, input }) => previewStep(ctx, input)),

  folders: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/query-folders",
        tag,
        summary: "List folders of queries",
        description: "Parents come before their children; siblings are sorted by name.",
      },
    })
    .input(listFoldersInput)
    .output(listOf(folderSchema))
    .query(({ ctx, input }) => listFolders(ctx, input)),

  createFolder: procedureFor("queries:configure")
    .meta({
      audit: "queryFolder",
      rest: {
        method: "POST",
        path: "/query-folders",
        tag,
        summary: "Create a folder",
        description: "Folders nest up to 10 levels; siblings have unique names.",
        status: 201,
        problems: ["not_found", "conflict", "rejected"],
      },
    })
    .input(createFolderInput)
    .output(folderSchema)
    .mutation(({ ctx, input }) => createFolder(ctx, input)),

  updateFolder: procedureFor("queries:configure")
    .meta({
      audit: "queryFolder",
      rest: {
        method: "PUT",
        path: "/query-folders/{id}",
        tag,
        summary: "Rename or move a folder",
        description: "Its contents move with it. Without `parentId`, it moves to the top level.",
        problems: ["conflict", "rejected"],
      },
    })
    .input(updateFolderInput)
    .output(folderSchema)
    .mutation(({ ctx, input }) => updateFolder(ctx, input)),

  deleteFolder: procedureFor("queries:configure")
    .meta({
      audit: "queryFolder",
      rest: {
        method: "DELETE",
        path: "/query-folders/{id}",
        tag,
        summary: "Delete an empty folder",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => deleteFolder(ctx, input.id)),

  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/queries", tag, summary: "List queries" } })
    .input(listQueriesInput)
    .output(queryPageSchema)
    .query(({ ctx, input }) => listQueries(ctx, input)),

  get: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/queries/{id}", tag, summary: "A query with its active steps" } })
    .input(byId)
    .output(querySchema)
    .query(({ ctx, input }) => getQuery(ctx, input.id)),

  create: procedureFor("queries:configure")
    .meta({
      audit: "query",
      rest: {
        method: "POST",
        path: "/queries",
        tag,
        summary: "Create a query",
        description:
          "With the approval workflow on, subscriptions run it only after an Admin has approved it. " +
          "A step has `sql` for a database or `request` for a REST API; without a data source its SQL reads the " +
          "results of earlier steps as the tables `@@result1`, `@@result2`, …",
        status: 201,
        problems: ["not_found"],
      },
    })
    .input(createQueryInput)
    .output(querySchema)
    .mutation(({ ctx, input }) => createQuery(ctx, input)),

  update: procedureFor("queries:configure")
    .meta({
      audit: "query",
      rest: {
        method: "PUT",
        path: "/queries/{id}",
        tag,
        summary: "Update a query",
        description:
          "Replaces the query. Changed steps create a new version and archive the previous one. Returns 409 if " +
          "`baseVersion` is no longer the active version or the query is locked.",
        problems: ["conflict"],
      },
    })
    .input(updateQueryInput)
    .output(querySchema)
    .mutation(({ ctx, input }) => updateQuery(ctx, input)),

  archive: procedureFor("queries:configure")
    .meta({
      audit: "query",
      auditDetail: archivedDetail,
      rest: {
        method: "DELETE",
        path: "/queries/{id}",
        tag,
        summary: "Archive a query",
        description:
          "Returns 409 if it is locked, or if subscriptions run it and are not archived with it. With the " +
          "approval workflow on, a query that subscriptions run or that is under review is archived after an Admin " +
          "approves: the response is then 202 with the `approvalId`.",
        status: 204,
        waits: "/approvals",
        problems: ["conflict"],
      },
    })
    .input(archiveQueryInput)
    .mutation(({ ctx, input }) => archiveQuery(ctx, input)),

  lock: procedureFor("queries:lock")
    .meta({
      audit: "query",
      rest: {
        method: "POST",
        path: "/queries/{id}/lock",
        tag,
        summary: "Lock a query against changes",
      },
    })
    .input(byId)
    .output(querySchema)
    .mutation(({ ctx, input }) => setLocked(ctx, input.id, true)),

  unlock: procedureFor("queries:lock")
    .meta({
      audit: "query",
      rest: { method: "POST", path: "/queries/{id}/unlock", tag, summary: "Unlock a query" },
    })
    .input(byId)
    .output(querySchema)
    .mutation(({ ctx, input }) => setLocked(ctx, input.id, false)),

  versions: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/queries/{id}/versions",
        tag,
        summary: "A query's versions, newest first",
      },
    })
    .input(byId)
    .output(listOf(versionSchema))
    .query(({ ctx, input }) => listVersions(ctx, input.id)),

  restoreVersion: procedureFor("queries:configure")
    .meta({
      audit: "query",
      rest: {
        method: "POST",
        path: "/queries/{id}/versions/{number}/restore",
        tag,
        summary: "Restore a version as a new one",
        description: "If its steps equal the active ones, no version is created.",
        problems: ["conflict"],
      },
    })
    .input(restoreVersionInput)
    .output(querySchema)
    .mutation(({ ctx, input }) => restoreVersion(ctx, input)),

  unarchive: procedureFor("archive:manage")
    .meta({ audit: "query" })
    .input(byId)
    .output(querySchema)
    .mutation(({ ctx, input }) => unarchiveQuery(ctx, input.id)),
});
