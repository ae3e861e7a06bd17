import { expirePlansOfQuery, expirePlansOfSchema, recoverActors, wakeOwner } from "./actors/jobs.ts";
import { cleanAudit } from "./audit/jobs.ts";
import { indexSchema } from "./catalog/jobs.ts";
import {
  cleanEvaluations,
  cleanSamples,
  contractSchedule,
  recoverEvaluations,
  runEvaluation,
  takeSamples,
} from "./data-quality/jobs.ts";
import { replayDepartures } from "./db/demo/jobs.ts";
import { env } from "./env.ts";
import { cleanJobs, cleanSessions } from "./jobs/jobs.ts";
import { scheduleTick } from "./jobs/schedules.ts";
import { cleanAttachments, deliverNotification, queueDeliveries } from "./notifications/jobs.ts";
import { forwardHubEvent } from "./realtime/jobs.ts";
import {
  cleanExecutions,
  recoverExecutions,
  runSubscription,
  subscriptionSchedule,
  watchDeliveries,
  watchTheWatchers,
} from "./subscriptions/jobs.ts";

/** What people schedule; the minute tick looks after it. */
export const schedules = [contractSchedule, subscriptionSchedule];

/** Every background job, from the domains' `jobs.ts`, and the schedules that the minute tick looks after. */
export function jobFunctions() {
  return [
    scheduleTick(schedules),
    runEvaluation,
    recoverEvaluations,
    takeSamples,
    cleanSamples,
    cleanEvaluations,
    runSubscription,
    recoverExecutions,
    watchTheWatchers,
    watchDeliveries,
    cleanExecutions,
    wakeOwner,
    recoverActors,
    expirePlansOfQuery,
    expirePlansOfSchema,
    indexSchema,
    deliverNotification,
    queueDeliveries,
    cleanAttachments,
    forwardHubEvent,
    cleanAudit,
    cleanJobs,
    cleanSessions,
    ...(env().DEMO ? [replayDepartures] : []),
  ];
}
