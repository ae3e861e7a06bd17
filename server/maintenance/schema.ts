import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { scopeTags } from "../data-sources/tag-schema.ts";
import { byId, identifier, listOf, momentIn, momentOut, name, text, timezone } from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { cronExpression } from "../jobs/cron-schema.ts";

/** Times in which nobody is notified about some data sources or tables. The browser loads this file too. */

export const maxWindowMinutes = 7 * 24 * 60;

const fields = {
  name,
  reason: text(500).trim().nullish(),
  dataSourceIds: z
    .array(identifier)
    .max(100)
    .nullish()
    .meta({ description: "Of the project; null or omitted: all of them, also later ones" }),
  tags: scopeTags,
  startsAt: momentIn.nullish().meta({ description: "Of a window that happens once" }),
  endsAt: momentIn.nullish(),
  cronExpression: cronExpression.nullish().meta({ description: "When a window begins that repeats" }),
  durationMinutes: z.int().min(1).max(maxWindowMinutes).nullish().meta({
    description: "How long each of a repeating window lasts",
  }),
  timezone: timezone.default("UTC").meta({ description: "Of the cron expression" }),
};

type Times = {
  startsAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
  cronExpression?: string | null | undefined;
  durationMinutes?: number | null | undefined;
};

/** Once, from a time until another, or again and again. */
function isOneOfBoth(window: Times, context: z.RefinementCtx) {
  const { startsAt, endsAt, cronExpression: cron, durationMinutes } = window;
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (cron != null) {
    if (durationMinutes == null) refuse("durationMinutes", "is required with a cron expression");
    if (startsAt != null) refuse("startsAt", "cannot be combined with a cron expression");
    if (endsAt != null) refuse("endsAt", "cannot be combined with a cron expression");
    return;
  }
  if (durationMinutes != null) refuse("durationMinutes", "needs a cron expression");
  if (startsAt == null) refuse("startsAt", "is required without a cron expression");
  if (endsAt == null) refuse("endsAt", "is required without a cron expression");
  if (startsAt != null && endsAt != null && endsAt <= startsAt) refuse("endsAt", "must be after the start");
}

export const createWindowInput = z
  .strictObject({ projectId: identifier, ...fields })
  .superRefine(isOneOfBoth);
export const updateWindowInput = byId.extend({ ...fields, baseRevision }).superRefine(isOneOfBoth);
export type WindowWrite = Omit<z.output<typeof updateWindowInput>, "id" | "baseRevision">;

export const listWindowsInput = z.strictObject({ projectId: identifier.optional() });

export const windowSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    name: z.string(),
    reason: z.string().nullable(),
    dataSources: z
      .array(z.object({ id: identifier, name: z.string() }))
      .nullable()
      .meta({ description: "null: all of the project" }),
    tags: z.array(z.string()).nullable().meta({ description: "null: all tables" }),
    startsAt: momentOut.nullable(),
    endsAt: momentOut.nullable(),
    cronExpression: z.string().nullable(),
    durationMinutes: z.int().nullable(),
    timezone: z.string(),
    activeUntil: momentOut
      .nullable()
      .meta({ description: "The end of the window that is now; null if none is" }),
    nextStart: momentOut.nullable().meta({ description: "null if none is to come" }),
    createdBy: userReference.nullable(),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
  })
  .meta({ id: "MaintenanceWindow" });
export type MaintenanceWindow = z.output<typeof windowSchema>;
export const windowsSchema = listOf(windowSchema);
