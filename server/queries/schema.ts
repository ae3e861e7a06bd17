import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import {
  description,
  identifier,
  momentOut,
  name,
  pageOf,
  paging,
  record,
  sorting,
  text,
} from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { maxSteps } from "./max-steps.ts";

export const versionStatuses = ["Active", "Archived", "PendingApproval", "Rejected", "Superseded"] as const;
export type VersionStatus = (typeof versionStatuses)[number];

/** The value of a `{{name}}` in a query. */
export const parameterValue = z.union([text(10_000), z.number(), z.boolean(), z.null()]);
export type ParameterValue = z.output<typeof parameterValue>;

/** One SQL text on one data source. */
export const previewQueryInput = z.strictObject({
  dataSourceId: identifier,
  sql: text(100_000).refine((sql) => sql.trim() !== "", "is required"),
  parameters: record(z.string().max(100), parameterValue).default({}).meta({
    description: "A value for each `{{name}}`, sent as a bound parameter",
  }),
});

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const previewSchema = z
  .object({
    columns: z.array(
      z.object({ name: z.string(), type: z.string().meta({ description: "The engine's type name" }) }),
    ),
    rows: z.array(z.array(cell)).meta({
      description: "In column order. Integers beyond 32 bits, decimals, dates, and times are exact text.",
    }),
    rowCount: z.int().meta({ description: "Number of rows in this response" }),
    truncated: z.boolean().meta({ description: "Whether there were more rows" }),
    executionTimeMs: z.int(),
  })
  .meta({ id: "Preview" });
export type Preview = z.output<typeof previewSchema>;

// --- folders

export const folderSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    parentId: identifier.nullable(),
    name: z.string(),
    path: z.string().meta({ description: "The names from the top level down, separated by ` / `" }),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
  })
  .meta({ id: "Folder" });
export type Folder = z.output<typeof folderSchema>;

export const listFoldersInput = z.strictObject({ projectId: identifier.optional() });
export const createFolderInput = z.strictObject({
  projectId: identifier,
  parentId: identifier.nullish(),
  name,
});
export const updateFolderInput = createFolderInput.extend({
  id: identifier,
  projectId: identifier
    .optional()
    .meta({ description: "Must be the folder's current project, which cannot change" }),
  baseRevision,
});

// --- steps

/** A name that Zod would silently drop is rejected. */
const queryString = record(text(200).min(1), text(10_000));

const maxBodyDepth = 50;

/** JSON that can be stored unchanged, and is safe to walk: not nested too deeply, and without `__proto__`. */
const jsonBody = z.preprocess((given, context) => {
  const fault = jsonFault(given);
  if (fault) context.addIssue({ code: "custom", message: fault, input: given });
  return given;
}, z.json());

function jsonFault(body: unknown): string | null {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxBodyDepth) return `must not be nested deeper than ${maxBodyDepth}`;
    const names = level.flatMap((value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [],
    );
    if (names.includes("__proto__")) return "must not contain the name __proto__";
    const unfit = [...names, ...level].find(
      (value) => typeof value === "string" && !text(Number.MAX_SAFE_INTEGER).safeParse(value).success,
    );
    if (unfit !== undefined) return "must not contain NUL or unpaired surrogates";
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return null;
}

/** A step on a REST API. Its texts may contain `{{name}}` parameters. */
const requestStep = z.strictObject({
  method: z.enum(["GET", "POST"]),
  path: text(2000).meta({ description: "Relative to the data source's base URL" }),
  query: queryString.optional(),
  body: jsonBody.optional().meta({ description: "Sent as JSON, with POST" }),
  rowsPath: text(500).optional().meta({
    description: "Path to the rows in the response, such as `data.items`. Defaults to the response itself",
  }),
});
export type RequestStep = z.output<typeof requestStep>;

const stepSql = text(100_000).refine((sql) => sql.trim() !== "", "is required");

const stepWrite = z.strictObject({
  order: z
    .int()
    .optional()
    .meta({ description: "Optional. If given, must be the step's position, starting at 1" }),
  name: name.optional().meta({ description: "Defaults to `Step 1` and so on" }),
  dataSourceId: identifier.nullish().meta({
    description: "Omit for a step that only reads earlier results, as `@@result1`, `@@result2`, …",
  }),
  sql: stepSql.optional(),
  request: requestStep.optional(),
});
export type StepWrite = z.output<typeof stepWrite>;

const steps = z.array(stepWrite).min(1, "needs at least one step").max(maxSteps);

const stepOut = z
  .object({
    order: z.int().min(1),
    name: z.string(),
    dataSourceId: identifier.nullable(),
    sql: z.string().optional(),
    request: requestStep.optional(),
  })
  .meta({ id: "Step" });
export type Step = z.output<typeof stepOut>;

// --- queries

export const versionSchema = z
  .object({
    number: z.int().min(1),
    status: z.enum(versionStatuses),
    steps: z.array(stepOut),
    changeSummary: z.string().nullable(),
    createdBy: userReference.nullable(),
    createdAt: momentOut,
  })
  .meta({ id: "QueryVersion" });
export type Version = z.output<typeof versionSchema>;

export const querySchema = z
  .object({
    id: identifier,
    projectId: identifier,
    folderId: identifier.nullable(),
    folderPath: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    isLocked: z.boolean(),
    ownerActorId: identifier.nullable(),
    steps: z.array(stepOut).meta({ description: "Of the active version" }),
    parameters: z.array(z.string()).meta({ description: "The parameters that the steps use as `{{name}}`" }),
    activeVersion: z.int().min(1),
    pendingVersion: z.int().min(1).nullable(),
    subscriptionCount: z.int().meta({ description: "Number of subscriptions that run it" }),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
    createdAt: momentOut,
    updatedAt: momentOut,
  })
  .meta({ id: "Query" });
export type Query = z.output<typeof querySchema>;

const queryFields = z.strictObject({
  folderId: identifier.nullish(),
  name,
  description: description.nullish(),
  steps,
  changeSummary: text(1000).nullish(),
});
export const createQueryInput = queryFields.extend({ projectId: identifier });
export const updateQueryInput = queryFields.extend({
  id: identifier,
  projectId: identifier
    .optional()
    .meta({ description: "Must be the query's current project, which cannot change" }),
  baseVersion: z.int().min(1).optional().meta({
    description: "The version that the edit is based on: returns 409 if it is no longer active",
  }),
  baseRevision,
});
export type QueryWrite = z.output<typeof createQueryInput>;

export const querySorts = ["Name", "Changed"] as const;
export type QuerySort = (typeof querySorts)[number];

export const listQueriesInput = z.strictObject({
  projectId: identifier.optional(),
  folderId: identifier.optional().meta({ description: "Includes its subfolders" }),
  search: text(200).optional().meta({ description: "Part of the name, in any case" }),
  ...paging,
  ...sorting(querySorts, "Name", { description: "Changed: last changed first" }),
});
export const queryPageSchema = pageOf(querySchema);

export const archiveQueryInput = z.strictObject({
  id: identifier,
  cascade: z.boolean().default(false).meta({ description: "Also archives the subscriptions that run it" }),
});

// --- runs

/** The input of both previews of a stored query. */
const parameters = record(z.string().max(100), parameterValue).default({});
export const previewStoredInput = z.strictObject({ id: identifier, parameters });
export const previewStepInput = z.strictObject({ id: identifier, stepOrder: identifier, parameters });

/** Unsaved work: SQL or a request on one data source, or all steps of a query. */
export const previewInput = z
  .strictObject({
    ...previewQueryInput.partial({ dataSourceId: true, sql: true }).shape,
    request: requestStep.optional().meta({ description: "Instead of `sql`, for a REST API" }),
    steps: steps.optional().meta({ description: "Instead of `dataSourceId`: all steps of a query" }),
    stepOrder: identifier.optional().meta({
      description: "With `steps`: run only this step and the earlier steps that it reads",
    }),
  })
  .superRefine(({ dataSourceId, sql, request, steps, stepOrder }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (steps) {
      if (dataSourceId !== undefined) issue("dataSourceId", "is not allowed with steps");
      if (sql !== undefined) issue("sql", "is not allowed with steps");
      if (request) issue("request", "is not allowed with steps");
      if (stepOrder !== undefined && stepOrder > steps.length) issue("stepOrder", "is not one of the steps");
      return;
    }
    if (dataSourceId === undefined) issue("dataSourceId", "is required");
    if (sql === undefined && !request) issue("sql", "is required");
    if (sql !== undefined && request) issue("request", "is not allowed with sql");
    if (stepOrder !== undefined) issue("stepOrder", "is only allowed with steps");
  });
export type PreviewInput = z.output<typeof previewInput>;

/** Part of what the caller ran in the editor. */
export const historyEntrySchema = z.object({
  id: identifier,
  dataSource: z.object({ id: identifier, name: z.string() }).nullable(),
  sql: z.string(),
  ranAt: momentOut,
  tookMs: z.int(),
  rowCount: z.int().nullable(),
  /** What kind of problem ended it, as the API names it. */
  problem: z.string().nullable(),
});
export type HistoryEntry = z.output<typeof historyEntrySchema>;
export const historyInput = z.strictObject({
  search: text(200).optional(),
  page: paging.page,
  pageSize: z.int().min(1).max(50).default(20),
});
export const historyPageSchema = pageOf(historyEntrySchema);

export const restoreVersionInput = z.strictObject({
  id: identifier,
  number: z.int().min(1).max(2_147_483_647),
  changeSummary: text(1000).nullish(),
});
