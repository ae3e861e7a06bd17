import { procedureFor, router } from "../trpc.ts";
import {
  detailInput,
  healthInput,
  healthPageSchema,
  statisticsInput,
  statisticsSchema,
  subscriptionDetailSchema,
} from "./schema.ts";
import { getDetail } from "./service/detail.ts";
import { listHealth } from "./service/health.ts";
import { getStatistics } from "./service/statistics.ts";

const tag = "Control Tower";

export const controlTowerRouter = router({
  statistics: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/control-tower/statistics",
        tag,
        summary: "How many subscriptions are in which health, and how well they do together",
        description:
          "Of the same calculation as the rows, and up to 30 s older than those (STATISTICS_CACHE_S). An execution that waits or runs (Created) and one BelowThreshold count as not successful.",
      },
    })
    .input(statisticsInput)
    .output(statisticsSchema)
    .query(({ ctx, input }) => getStatistics(ctx, input)),

  health: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/control-tower/health",
        tag,
        summary: "The health of each subscription, the worst first",
        description:
          "Green: at least 90 % of the executions in the window were successful; Amber: at least 70 %; Red: fewer; Stalled: none, though the subscription is more than a day old. Every subscription that is not archived counts, enabled or not.",
      },
    })
    .input(healthInput)
    .output(healthPageSchema)
    .query(({ ctx, input }) => listHealth(ctx, input)),

  detail: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/control-tower/subscriptions/{id}/detail",
        tag,
        summary: "One subscription's latest executions, open tasks and anomalies",
      },
    })
    .input(detailInput)
    .output(subscriptionDetailSchema)
    .query(({ ctx, input }) => getDetail(ctx, input)),
});
