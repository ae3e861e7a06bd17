import { cron } from "inngest";
import { perSource } from "../data-sources/per-source.ts";
import { db } from "../db/client.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries, maxRetries } from "../jobs/retries.ts";
import { databaseNow, defineSchedule, ifClaimed } from "../jobs/schedules.ts";
import { lookDue } from "./events.ts";
import { compactHistory } from "./service/remove-old.ts";
import { runLook, runProfile } from "./service/run.ts";
import { watches } from "./tables.ts";

export const lookSchedule = defineSchedule({
  kind: "look",
  table: watches,
  event: ({ objectId, scheduledFor }) =>
    lookDue.create({ dataSourceId: objectId, scheduledFor: scheduledFor.toISOString() }),
});

/** Looks at a watched data source, and once a day profiles its tables. */
export const watchSource = inngest.createFunction(
  { id: "watch-source", triggers: lookDue, retries: maxRetries, concurrency: perSource },
  async ({ event, step, runId }) => {
    const { dataSourceId } = event.data;
    const occurrence = {
      ...{ kind: lookSchedule.kind, objectId: dataSourceId },
      scheduledFor: new Date(event.data.scheduledFor),
    };
    const looked = await step.run("look", () =>
      ifClaimed(occurrence, runId, async () => runLook(dataSourceId, await databaseNow(db))),
    );
    if ("skipped" in looked) return looked;
    return step.run("profile", async () => runProfile(dataSourceId, await databaseNow(db)));
  },
);

export const compactWatchHistory = inngest.createFunction(
  { id: "compact-watch-history", triggers: cron("47 3 * * *"), retries: cronRetries },
  ({ step }) => step.run("compact", () => compactHistory()),
);
