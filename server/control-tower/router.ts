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
      tool: {
        name: "get_statistics",
        title: "The health of all subscriptions together",
        description:
          "How many subscriptions are healthy, warning, critical or stalled; their tasks, anomalies and success rate.",
        annotations: { readOnlyHint: true },
        text: (statistics: Statistics) => statisticsInWords(statistics),
      },
    })
    .input(statisticsInput)
    .output(statisticsSchema)
    .query(({ ctx, input }) => getStatistics(ctx, input)),

  /** What the card of the healthy ones says beside their number. From the same calculation, and as old. */
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
        summary: "The health of each subscription, the worst first",
        description:
          "Green: at least 90 % of the executions in the window were successful; Amber: at least 70 %; Red: fewer; Stalled: none, though the subscription is more than a day old. Every subscription that is not archived counts, enabled or not.",
      },
      tool: {
        name: "list_subscription_health",
        title: "The health of each subscription",
        description:
          "Each subscription's status (Green: 90 % of its runs successful, Amber: 70 %, Red: fewer, Stalled: none), tasks and anomalies, the worst first.",
        annotations: { readOnlyHint: true },
        leavesOut: [
          ...["anomaliesByDay", "aiActorName", "hasAiActor", "anomalyDetectionEnabled", "totalTaskCount"],
          // Its text says it in fewer words than a structure would take.
          ...["queryId", "dataSourceId", "lastExecution.id", "lastExecution.outcome"],
        ].map((property) => `items.${property}`),
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
        summary: "One subscription's latest executions, open tasks and anomalies",
      },
      tool: {
        name: "get_subscription_detail",
        title: "Why a subscription is as it is",
        description:
          "Its latest executions with errors, open tasks, and anomalies with why; at most 20 each.",
        annotations: { readOnlyHint: true },
        argumentNames: { id: "subscription_id" },
        leavesOut: [
          ...["openTasks.assignee.id", "folderPath", "executions.id", "anomalies.id"],
          "executions.outcome",
        ],
        text: (detail: SubscriptionDetail) => detailInWords(detail),
      },
    })
    .input(detailInput)
    .output(subscriptionDetailSchema)
    .query(({ ctx, input }) => getDetail(ctx, input)),
});
