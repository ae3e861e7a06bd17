import { cron } from "inngest";
import { env } from "../env.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { replayFlights } from "./feed.ts";
import { connectToWarehouse } from "./warehouse.ts";

/** Keeps departures up to date, so that schedules find new data. */
export const replayDepartures = inngest.createFunction(
  { id: "replay-departures", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) =>
    step.run("replay", async () => {
      const warehouse = connectToWarehouse(env().DATABASE_URL ?? "");
      try {
        await replayFlights(warehouse);
        return "The departures are up to now";
      } catch (error) {
        // The warehouse was dropped, so the demo is no longer used.
        if ((error as { code?: string }).code === "3D000") return "There is no warehouse";
        throw error;
      } finally {
        await warehouse.end();
      }
    }),
);
