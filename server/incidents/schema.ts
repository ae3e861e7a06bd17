import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { scopeTags } from "../data-sources/tag-schema.ts";
import {
  byId,
  identifier,
  listOf,
  momentOut,
  name,
  pageOf,
  paging,
  searching,
  text,
  timezone,
} from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { silenceFields, silenceOut } from "../notifications/silence.ts";
import { type Severity, severities } from "./kinds.ts";

/** What belongs together and is not over yet. The browser loads this file too. */

export const incidentStates = ["Open", "Acknowledged", "Resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

/**
 * What can be wrong with a subscription, a contract, or a watched table. The first four say nothing about the data: the check did not
 * run, so it is blind.
 */
export const problemKinds = [
  "Failing",
  "NotEvaluated",
  "Stalled",
  "CouldNotRun",
  "BelowThreshold",
  "Unusual",
  "Found",
  "Late",
  "Changed",
] as const;
export type ProblemKind = (typeof problemKinds)[number];

export const subjects = ["Subscription", "Contract", "Table"] as const;
export type Subject = (typeof subjects)[number];

export const incidentEventKinds = [
  "Opened",
  "Joined",
  "Changed",
  "Ended",
  "Acknowledged",
  "Assigned",
  "Silenced",
  "Commented",
  "Notified",
  "Escalated",
  "Resolved",
] as const;
export type IncidentEventKind = (typeof incidentEventKinds)[number];

export const tableReference = z
  .object({ dataSourceId: identifier, schemaName: z.string(), tableName: z.string() })
  .meta({ id: "TableReference" });
export type TableReference = z.output<typeof tableReference>;

const namedReference = z.object({ id: identifier, name: z.string() });

export const problemSchema = z
  .object({
    id: identifier,
    subject: z.enum(subjects),
    subjectId: identifier.meta({ description: "The ID of the subscription, contract, or watched table" }),
    name: z.string(),
    kind: z.enum(problemKinds),
    severity: z.enum(severities),
    reason: z.string().meta({ description: "Of the latest run" }),
    dataSources: z.array(namedReference),
    tables: z.array(tableReference),
    owner: userReference.nullable(),
    beganAt: momentOut,
    lastSeenAt: momentOut.meta({ description: "The latest run that showed it" }),
    seenCount: z.int().meta({ description: "The number of runs that showed it" }),
    endedAt: momentOut.nullable(),
    ended: z.string().nullable().meta({ description: "How it ended: recovered, or no longer checked" }),
    path: z.string().meta({ description: "Its page in the console" }),
  })
  .meta({ id: "IncidentProblem" });
export type IncidentProblem = z.output<typeof problemSchema>;

export const incidentEventSchema = z
  .object({
    id: identifier,
    kind: z.enum(incidentEventKinds),
    at: momentOut,
    user: userReference.nullable().meta({ description: "null if it happened automatically" }),
    text: z.string(),
    more: z.int().meta({ description: "How many others like it follow, which are left out (see `most`)" }),
  })
  .meta({ id: "IncidentEvent" });
export type IncidentEvent = z.output<typeof incidentEventSchema>;

export const incidentSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    title: z.string().meta({ description: "What happened, in one sentence" }),
    state: z.enum(incidentStates),
    severity: z.enum(severities).meta({
      description: "That of its worst current problem; once it is over, of its worst",
    }),
    openedAt: momentOut,
    acknowledgedAt: momentOut.nullable(),
    acknowledgedBy: userReference.nullable(),
    resolvedAt: momentOut.nullable(),
    resolvedBy: userReference.nullable().meta({ description: "null if all problems ended by themselves" }),
    assignee: userReference.nullable(),
    ...silenceOut,
    problemCount: z.int(),
    currentCount: z.int().meta({ description: "Problems that have not ended" }),
    dataSources: z.array(namedReference),
    tables: z.array(tableReference).meta({ description: "In lists, the first 100" }),
    tableCount: z.int(),
  })
  .meta({ id: "Incident" });
export type Incident = z.output<typeof incidentSchema>;

export const incidentPageSchema = pageOf(incidentSchema);

export const incidentDetailSchema = incidentSchema
  .extend({
    subjects: z.array(z.enum(subjects)).meta({ description: "What has problems" }),
    problems: z.array(problemSchema).meta({ description: "Those that began first, first" }),
    timeline: z.array(incidentEventSchema).meta({ description: "Oldest first" }),
    owners: z.array(userReference),
  })
  .meta({ id: "IncidentDetail" });
export type IncidentDetail = z.output<typeof incidentDetailSchema>;

export const getIncidentInput = byId.extend({
  most: z.int().min(1).max(1000).optional().meta({
    description:
      "Return at most so many problems and tables, and a few of many entries of the timeline that are alike; without it, all",
  }),
});

export const listIncidentsInput = z.strictObject({
  projectId: identifier.optional(),
  state: z.enum(incidentStates).optional(),
  current: z
    .boolean()
    .optional()
    .meta({ description: "true: open and acknowledged ones; false: resolved ones" }),
  severity: z.enum(severities).optional(),
  dataSourceId: identifier.optional(),
  assigneeId: identifier.optional(),
  subscriptionId: identifier.optional(),
  contractId: identifier.optional(),
  ...searching("its sentence, or the names of its tables"),
  ...paging,
});
export type ListIncidents = z.output<typeof listIncidentsInput>;

export const assignIncidentInput = byId.extend({
  userId: identifier.nullish().meta({ description: "null or omitted unassigns it" }),
  unlessAssigned: z
    .boolean()
    .optional()
    .meta({ description: "true: 409 if someone else has it, so that nobody's incident is taken away" }),
});
export const resolveIncidentInput = byId.extend({ note: text(4000).trim().nullish() });
export const commentOnIncidentInput = byId.extend({ text: text(4000).trim().min(1, "is required") });
export const silenceIncidentInput = byId.extend(silenceFields);

export const incidentFiguresInput = z.strictObject({
  projectId: identifier.optional(),
  days: z.int().min(1).max(366).default(30),
});

/** How long it takes to notice and to resolve, in the window. Seconds; null without any. */
export const incidentFiguresSchema = z
  .object({
    current: z.int().meta({ description: "Incidents that are not resolved now" }),
    bySeverity: z.object({ Critical: z.int(), High: z.int(), Medium: z.int(), Low: z.int() }),
    opened: z.int().meta({ description: "Incidents opened in the window" }),
    resolved: z.int().meta({ description: "Incidents resolved in the window" }),
    secondsToNotice: z.number().nullable().meta({
      description:
        "Mean time from opening until someone acknowledged, assigned, or resolved it, of those opened in the window",
    }),
    secondsToResolve: z.number().nullable().meta({
      description: "Mean time from opening until it was over, of those resolved in the window",
    }),
  })
  .meta({ id: "IncidentFigures" });

/** How near what changed is to an incident: nearest first. */
export const relations = ["Affected", "Upstream", "Linked", "Project"] as const;
export const changeKinds = [
  "Reported",
  "ContractVersion",
  "QueryVersion",
  "Table",
  "DataSource",
  "Incident",
] as const;

export const changesSchema = z
  .object({
    since: momentOut,
    items: z.array(
      z.object({
        kind: z.enum(changeKinds),
        id: identifier.meta({
          description: "Of the event, contract, query, alert, data source, or incident",
        }),
        at: momentOut,
        relation: z.enum(relations).meta({
          description:
            "Of an affected table or its checks; of a table that it is made from; of one that a foreign key links; of the whole project",
        }),
        isFailure: z.boolean(),
        words: z.string(),
        detail: z.string().nullable(),
        path: z.string().nullable().meta({ description: "Its page in the console" }),
        url: z.string().nullable().meta({ description: "What its reporter refers to" }),
      }),
    ),
    omitted: z.int().meta({ description: "How many more there were, further away" }),
  })
  .meta({ id: "IncidentChanges" });
export type IncidentChanges = z.output<typeof changesSchema>;

/** What a policy notifies of. */
export const policySteps = ["Opened", "Escalated", "Resolved"] as const;
export type PolicyStep = (typeof policySteps)[number];

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 22:00");

const policyHours = z
  .strictObject({
    days: z
      .array(z.int().min(1).max(7))
      .min(1, "is required")
      .meta({ description: "Days of the week on which they begin: 1 is Monday, 7 Sunday" }),
    from: timeOfDay,
    until: timeOfDay.meta({ description: "On the next day, if it is not after the start" }),
    timezone: timezone.default("UTC"),
  })
  .meta({ id: "PolicyHours" });
export type PolicyHours = z.output<typeof policyHours>;

const policyDigest = z
  .strictObject({
    days: z.array(z.int().min(1).max(7)).min(1, "is required").meta({ description: "1 is Monday, 7 Sunday" }),
    at: timeOfDay,
    timezone: timezone.default("UTC"),
  })
  .meta({ id: "PolicyDigest" });
export type PolicyDigest = z.output<typeof policyDigest>;

const policyFields = {
  name,
  enabled: z.boolean().default(true),
  minSeverity: z
    .enum(severities)
    .nullable()
    .default("High")
    .meta({ description: "null: nobody is notified of single incidents, only by the digest" }),
  dataSourceIds: z
    .array(identifier)
    .min(1, "is required; leave it out for all data sources")
    .max(100)
    .nullish()
    .meta({ description: "Of the project; null or omitted: all of them, also later ones" }),
  tags: scopeTags,
  hours: policyHours.nullish().meta({ description: "When it applies; null or omitted: always" }),
  digest: policyDigest
    .nullish()
    .meta({ description: "When the recipients get a summary of the project; null or omitted: never" }),
  recipientIds: z.array(identifier).min(1, "is required").max(20),
  escalateAfterMinutes: z
    .int()
    .min(1)
    .max(7 * 24 * 60)
    .nullish()
    .meta({ description: "After so long without anybody acknowledging it, the others are notified too" }),
  escalationRecipientIds: z.array(identifier).max(20).default([]),
};

type PolicyAims = {
  minSeverity: Severity | null;
  digest?: PolicyDigest | null | undefined;
  escalateAfterMinutes?: number | null | undefined;
  escalationRecipientIds: number[];
};

function notifiesOfSomething(
  { minSeverity, digest, escalateAfterMinutes, escalationRecipientIds }: PolicyAims,
  context: z.RefinementCtx,
) {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (escalateAfterMinutes != null && escalationRecipientIds.length === 0)
    refuse("escalationRecipientIds", "is required to escalate");
  if (escalateAfterMinutes == null && escalationRecipientIds.length > 0)
    refuse("escalateAfterMinutes", "is required to escalate");
  if (minSeverity === null && escalateAfterMinutes != null)
    refuse("escalateAfterMinutes", "needs a severity to notify of");
  if (minSeverity === null && digest == null) refuse("minSeverity", "is required without a digest");
}

export const createPolicyInput = z
  .strictObject({ projectId: identifier, ...policyFields })
  .superRefine(notifiesOfSomething);
export const updatePolicyInput = byId
  .extend({ ...policyFields, baseRevision })
  .superRefine(notifiesOfSomething);
export type PolicyWrite = Omit<z.output<typeof updatePolicyInput>, "id" | "baseRevision">;

export const listPoliciesInput = z.strictObject({ projectId: identifier.optional() });

export const policySchema = z
  .object({
    id: identifier,
    projectId: identifier,
    name: z.string(),
    enabled: z.boolean(),
    minSeverity: z.enum(severities).nullable(),
    digest: policyDigest.nullable(),
    dataSources: z.array(namedReference).nullable().meta({ description: "null: all of the project" }),
    tags: z.array(z.string()).nullable().meta({ description: "null: all tables" }),
    hours: policyHours.nullable(),
    recipients: z.array(namedReference),
    escalateAfterMinutes: z.int().nullable(),
    escalationRecipients: z.array(namedReference),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
  })
  .meta({ id: "IncidentPolicy" });
export type IncidentPolicy = z.output<typeof policySchema>;
export const policiesSchema = listOf(policySchema);
