import { z } from "zod";
import { identifier, momentOut, pageOf, paging, text } from "../db/schema-parts.ts";
import { jobStatuses } from "./statuses.ts";

/** The subject of a job, by the id in its event. */
export const jobSubjectKinds = [
  "Plan",
  "Actor",
  "Contract",
  "Delivery",
  "Subscription",
  "Query",
  "DataSource",
] as const;

export const jobSchema = z
  .object({
    id: identifier,
    name: z.string().meta({ description: "The function that runs, as `run-evaluation`" }),
    status: z.enum(jobStatuses),
    attempts: z.int().meta({ description: "How often it has been begun" }),
    error: z.string().nullable().meta({ description: "Why the last attempt that failed did" }),
    subject: z
      .object({ kind: z.enum(jobSubjectKinds), id: identifier })
      .nullable()
      .meta({ description: "What it is about, where its event says so" }),
    createdAt: momentOut,
    startedAt: momentOut.nullable(),
    finishedAt: momentOut.nullable(),
    nextAttemptAt: momentOut
      .nullable()
      .meta({ description: "When a waiting job may be begun, at the earliest" }),
  })
  .meta({ id: "Job" });
export type Job = z.output<typeof jobSchema>;

export const listJobsInput = z.strictObject({
  ...paging,
  status: z.enum(jobStatuses).optional(),
  name: text(200).optional(),
  /** false omits completed cron jobs, which are numerous and uninteresting. */
  housekeeping: z.boolean().default(true),
});
export type JobFilter = z.output<typeof listJobsInput>;

export const jobsSchema = pageOf(jobSchema);

/** Where jobs run; `url` is Inngest's dashboard, if they run there. */
export const jobEngineSchema = z.object({
  engine: z.enum(["Embedded", "Inngest"]),
  url: z.string().nullable(),
  failedLastDay: z.int(),
});
