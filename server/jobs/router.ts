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
        summary: "Run a failed or cancelled job again",
        description:
          "It goes on after the last step that was completed. One that waits for its next attempt has it now; one that runs is left to it.",
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
        summary: "Cancel a job that waits or runs",
        description: "One that runs ends after the step that it is at, of which nothing is kept.",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(jobSchema)
    .mutation(({ input }) => cancelJob(input.id)),

  /** For the page and the badge in the navigation alone. */
  engine: procedureFor("jobs:manage")
    .output(jobEngineSchema)
    .query(() => describeEngine()),
});
