import { byId } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { jobEngineSchema, jobSchema, jobsSchema, listJobsInput } from "./schema.ts";
import { cancelJob, describeEngine, listJobs, retryJob } from "./service.ts";

const tag = "Jobs";

export const jobsRouter = router({
  list: procedureFor("jobs:manage")
    .meta({
      rest: {
        method: "GET",
        path: "/jobs",
        tag,
        summary: "Background jobs, newest first",
        description:
          "Those of the last three days; failed and cancelled ones of the last 30. `housekeeping=false` leaves out what comes by the clock and has completed. Where jobs run on Inngest, they are seen there.",
      },
    })
    .input(listJobsInput)
    .output(jobsSchema)
    .query(({ input }) => listJobs(input)),

  retry: procedureFor("jobs:manage")
    .meta({
      audit: "job",
      rest: {
        method: "POST",
        path: "/jobs/{id}/retry",
        tag,
        summary: "Retry a failed or cancelled job",
        description:
          "It continues after the last completed step. A job waiting for its next attempt runs now; a running job is left alone.",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(jobSchema)
    .mutation(({ input }) => retryJob(input.id)),

  cancel: procedureFor("jobs:manage")
    .meta({
      audit: "job",
      rest: {
        method: "POST",
        path: "/jobs/{id}/cancel",
        tag,
        summary: "Cancel a waiting or running job",
        description: "A running job ends after its current step, whose result is discarded.",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(jobSchema)
    .mutation(({ input }) => cancelJob(input.id)),

  /** Only for the page and the badge in the navigation. */
  engine: procedureFor("jobs:manage")
    .output(jobEngineSchema)
    .query(() => describeEngine()),
});
