import { pageOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { detailInWords, healthInWords, statisticsInWords } from "./in-words.ts";
import {
  detailInput,
  type HealthPage,
  healthInput,
  healthPageSchema,
  notRunYetSchema,
  type Statistics,
  type SubscriptionDetail,
  statisticsInput,
  statisticsSchema,
  subscriptionDetailSchema,
} from "./schema.ts";
import { getDetail } from "./service/detail.ts";
import { listHealth } from "./service/health.ts";
import { getStatistics } from "./service/statistics.ts";
import { toldDetail, toldHealth, toldStatistics } from "./tool-answers.ts";

const tag = "Control Tower";

export const controlTowerRouter = router({
  statistics: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/control-tower/statistics",
        tag,
        summary: "Subscription counts by health, and their overall success rate",
        description:
          "Same calculation as the rows, cached for up to 30 s (STATISTICS_CACHE_S). Created (waiting or running) and BelowThreshold executions count as not successful.",
      },
      tool: {
        name: "get_statistics",
        title: "Overall health",
        description: "How many subscriptions do well or badly; their tasks, anomalies, and success rate.",
        annotations: { readOnlyHint: true },
        plainArguments: ["folderId", "dataSourceId", "hasUnresolvedTasks", "searchKeyword"],
        answer: toldStatistics,
        text: (statistics: Statistics) => statisticsInWords(statistics),
      },
    })
    .input(statisticsInput)
    .output(statisticsSchema)
    .query(({ ctx, input }) => getStatistics(ctx, input)),

  /** For the healthy card. From the same cached calculation as the statistics. */
  notRunYet: procedureFor("everything:read")
    .input(statisticsInput)
    .output(notRunYetSchema)
    .query(async ({ ctx, input }) => ({ count: (await getStatistics(ctx, input)).notRunYetSubscriptions })),

  health: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/control-tower/health",
        tag,
        summary: "The health of each subscription, worst first",
        description:
          "Green: at least 90% of the executions in the window were successful; Amber: at least 70%; Red: fewer; Stalled: none, though the subscription is more than a day old. Every subscription that is not archived counts, enabled or not.",
      },
      tool: {
        name: "list_subscription_health",
        title: "Health of subscriptions",
        description:
          "Each subscription's status (Green: 90% of its runs successful, Amber: 70%, Red: fewer, Stalled: none), tasks, and anomalies.",
        annotations: { readOnlyHint: true },
        plainArguments: ["folderId", "dataSourceId", "hasUnresolvedTasks", "searchKeyword"],
        answer: pageOf(toldHealth),
        text: (page: HealthPage) => healthInWords(page),
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
        summary: "One subscription's latest executions, open tasks, and anomalies",
      },
      tool: {
        name: "get_subscription_detail",
        title: "One subscription's health",
        description: "Latest executions with errors, open tasks, and explained anomalies; at most 20 each.",
        annotations: { readOnlyHint: true },
        argumentNames: { id: "subscription_id" },
        answer: toldDetail,
        text: (detail: SubscriptionDetail) => detailInWords(detail),
      },
    })
    .input(detailInput)
    .output(subscriptionDetailSchema)
    .query(({ ctx, input }) => getDetail(ctx, input)),
});
