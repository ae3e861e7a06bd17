import { z } from "zod";
import { flag, optionalText, type Refuse, type Values, wholeNumber } from "./values.ts";

/** Where jobs run, and how many at once. */
export const backgroundWorkSettings = {
  JOBS_CONCURRENCY: wholeNumber(1, 1000, 80).describe(
    "Maximum number of jobs that a process runs at once. Most of them wait for data sources.",
  ),
  JOBS: flag
    .default(true)
    .describe(
      "on|off: whether this process runs jobs. Off for a process that only answers requests, where others on the same DATABASE_URL run them.",
    ),
  INNGEST_EVENT_KEY: optionalText.describe(
    "With INNGEST_SIGNING_KEY: jobs run on Inngest instead of in this process.",
  ),
  INNGEST_SIGNING_KEY: optionalText.describe("Verifies that a request to run a job comes from Inngest."),
  INNGEST_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("The URL of a self-hosted Inngest. Defaults to Inngest Cloud."),
  INNGEST_SERVE_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "The URL at which Inngest reaches this service, such as http://plumbline:3000. Defaults to PUBLIC_URL.",
    ),
};

type BackgroundWork = Values<typeof backgroundWorkSettings> & { DATABASE_URL?: string | undefined };

/** Refuses an incomplete Inngest, and a process without jobs that has its database for itself. */
export function checkBackgroundWork(s: BackgroundWork, refuse: Refuse): void {
  if (Boolean(s.INNGEST_EVENT_KEY) !== Boolean(s.INNGEST_SIGNING_KEY))
    refuse(
      "INNGEST_EVENT_KEY",
      "and INNGEST_SIGNING_KEY go together: set both, or neither for the embedded engine",
    );
  for (const name of ["INNGEST_BASE_URL", "INNGEST_SERVE_ORIGIN"] as const)
    if (s[name] && !s.INNGEST_SIGNING_KEY)
      refuse(name, "also requires INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY");
  if (!s.JOBS && !s.DATABASE_URL)
    refuse("JOBS", "off requires DATABASE_URL: no other process could run the jobs");
}
