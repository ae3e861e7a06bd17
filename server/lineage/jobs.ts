import { cron } from "inngest";
import { schemaRead } from "../data-sources/events.ts";
import { perSource } from "../data-sources/per-source.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries, maxRetries } from "../jobs/retries.ts";
import { loadReported } from "../reported-events/events.ts";
import { learnLoad } from "./service/learn-load.ts";
import { refreshLineage, sourcesWithChangedQueries } from "./service/refresh.ts";
import { removeOldEdges } from "./service/store-edges.ts";

/** Reads views again after their schema was. */
export const refreshLineageOfSchema = inngest.createFunction(
  { id: "refresh-lineage", triggers: schemaRead, retries: maxRetries, concurrency: perSource },
  ({ event, step }) => step.run("refresh", () => refreshLineage(event.data.dataSourceId)),
);

/** Reads queries that changed. Versions are compared, so that none is missed, whoever changed it. */
export const refreshLineageOfQueries = inngest.createFunction(
  { id: "refresh-lineage-of-queries", triggers: cron("*/5 * * * *"), retries: cronRetries },
  async ({ step }) => {
    const ids = await step.run("find", () => sourcesWithChangedQueries());
    for (const id of ids) await step.run(`refresh ${id}`, () => refreshLineage(id, { readsViews: false }));
    return ids.length;
  },
);

/** Learns from loads that others report. */
export const learnLineageOfLoad = inngest.createFunction(
  { id: "learn-lineage-of-load", triggers: loadReported, retries: maxRetries },
  ({ event, step }) => step.run("learn", () => learnLoad(event.data.eventId)),
);

export const cleanLineage = inngest.createFunction(
  { id: "clean-lineage", triggers: cron("41 4 * * *"), retries: cronRetries },
  ({ step }) => step.run("clean", () => removeOldEdges()),
);
