import { z } from "zod";
import { identifier, momentOut, name, text, timezone } from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { cronExpression } from "../jobs/cron-schema.ts";
import {
  connectionInput,
  connectionSchema,
  fitsKind,
  type GivenConnection,
} from "./connections/connection.ts";
import { costUnitOf, isServer, type Kind, kinds } from "./kinds.ts";
import { passwordProblem } from "./password-over-tls.ts";

/** A function name, optionally qualified by schema. Engines compare case-insensitively. */
const functionName = text(257)
  .trim()
  .toLowerCase()
  .regex(/^[^\s.,;()"'`[\]]+(\.[^\s.,;()"'`[\]]+)?$/, "must be the name of a function, or schema.name");
const allowedFunctions = z
  .array(functionName)
  .max(200)
  .transform((names) => [...new Set(names)])
  .meta({
    description:
      "Functions that SQL may call here in addition to the safe built-in ones, as `name` or `schema.name`; case-insensitive. An update that omits them keeps them.",
  });

const scanSchedule = z.strictObject({
  cronExpression,
  timezone: timezone.default("UTC").meta({ description: "IANA time zone" }),
});
export type ScanSchedule = z.output<typeof scanSchedule>;
const scanScheduleInput = scanSchedule.nullable().optional().meta({
  description:
    "When a database is scanned for faults on its own; null for never, which is the default. An update that omits it keeps it.",
});

const dailyBudget = z
  .number()
  .positive("must be more than 0; null removes it")
  .max(1e18)
  .nullable()
  .optional()
  .meta({
    description:
      "What the statements on the data source may cost in a day of UTC, in the unit of its kind: bytes, credits, or seconds. When it is spent, statements are refused until the next day. null for no limit, which is the default. An update that omits it keeps it.",
  });

export const dataSourceSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    name: z.string(),
    kind: z.enum(kinds),
    connection: connectionSchema,
    hasPassword: z.boolean().meta({
      description: "Whether a secret is stored: a password, a key, or secret headers",
    }),
    secretReferences: z.array(z.string()).meta({
      description:
        "Where the password, or parts of the secret headers, are kept instead, such as {{vault:kv/sales#password}}",
    }),
    canWrite: z.boolean().nullable(),
    allowedFunctions: z.array(z.string()),
    scanSchedule: z
      .object({
        cronExpression: z.string(),
        timezone: z.string(),
        nextRunAt: momentOut.nullable().meta({ description: "When the next scan begins on its own" }),
      })
      .nullable()
      .meta({ description: "null: it is scanned only when someone asks" }),
    dailyBudget: z.number().nullable().meta({
      description:
        "What its statements may cost in a day of UTC, in the unit of its kind; null: there is no limit",
    }),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
    createdAt: momentOut,
    updatedAt: momentOut,
  })
  .meta({ id: "DataSource" });
export type DataSource = z.output<typeof dataSourceSchema>;

export const onlyWithCosts = "must be empty for a kind of data source whose statements cost nothing";
export const onlyDatabases = "must be empty for a REST API, which is not scanned";

const mustFit = { path: ["connection"], message: "must match the kind of data source" };

function checkPassword(
  { kind, connection }: { kind: Kind; connection: GivenConnection },
  context: z.RefinementCtx,
): void {
  const message = isServer(connection) ? passwordProblem(kind, connection) : null;
  if (message) context.addIssue({ code: "custom", path: ["connection", "password"], message });
}

export const createDataSourceInput = z
  .strictObject({
    projectId: identifier,
    name,
    kind: z.enum(kinds),
    connection: connectionInput,
    allowedFunctions: allowedFunctions.optional(),
    scanSchedule: scanScheduleInput,
    dailyBudget,
  })
  .refine(fitsKind, mustFit)
  .superRefine(checkPassword)
  .refine(({ kind, scanSchedule }) => kind !== "RestApi" || !scanSchedule, {
    path: ["scanSchedule"],
    message: onlyDatabases,
  })
  .refine(({ kind, dailyBudget }) => costUnitOf(kind) !== null || !dailyBudget, {
    path: ["dailyBudget"],
    message: onlyWithCosts,
  });

/**
 * An omitted password stays the same, unless host, port, or user changed: then it is required. Likewise for secret
 * headers if the base URL changed.
 */
export const updateDataSourceInput = z.strictObject({
  id: identifier,
  baseRevision,
  name,
  connection: connectionInput,
  allowedFunctions: allowedFunctions.optional(),
  scanSchedule: scanScheduleInput,
  dailyBudget,
});

/** With `dataSourceId`, an omitted secret is the stored one, provided it would not be sent elsewhere. */
export const testConnectionInput = z
  .strictObject({
    projectId: identifier.optional(),
    name: name.optional(),
    kind: z.enum(kinds),
    connection: connectionInput,
    dataSourceId: identifier.optional(),
  })
  .refine(fitsKind, mustFit)
  .superRefine(checkPassword);

export const connectionTestSchema = z
  .object({
    ok: z.boolean(),
    serverVersion: z.string().optional(),
    canWrite: z.boolean().optional(),
    message: z.string().optional(),
  })
  .meta({ id: "ConnectionTest" });
export type ConnectionTest = z.output<typeof connectionTestSchema>;

/** Configured by an operator, with FILES_ALLOW. */
export const allowedFoldersSchema = z.object({ folders: z.array(z.string()) }).meta({ id: "AllowedFolders" });

export const listDataSourcesInput = z.strictObject({ projectId: identifier.optional() });
