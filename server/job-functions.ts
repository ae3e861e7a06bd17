import { expirePlansOfQuery, expirePlansOfSchema, recoverActors, wakeOwner } from "./actors/jobs.ts";
import { chainAudit, cleanAudit } from "./audit-chain/jobs.ts";
import { indexSchema } from "./catalog/jobs.ts";
import {
  applyChangedTemplates,
  applyTemplatesToSchema,
  cleanEvaluations,
  cleanSamples,
  contractSchedule,
  findNewTables,
  recoverEvaluations,
  runEvaluation,
  sendLineage,
  takeSamples,
} from "./data-quality/jobs.ts";
import { scanSchedule } from "./data-sources/jobs.ts";
import { replayDepartures } from "./demo/jobs.ts";
import { env } from "./env.ts";
import { recoverScans, startScheduledScan } from "./findings/jobs.ts";
import { noticeIncidentsEachMinute } from "./incidents/jobs.ts";
import { cleanJobs, cleanSessions } from "./jobs/jobs.ts";
import { scheduleTick } from "./jobs/schedules.ts";
import {
  cleanLineage,
  learnLineageOfLoad,
  refreshLineageOfQueries,
  refreshLineageOfSchema,
} from "./lineage/jobs.ts";
import { recordAllClear } from "./needs-attention/jobs.ts";
import { cleanAttachments, deliverNotification, queueDeliveries } from "./notifications/jobs.ts";
import { sendPersonalDigestsEachMinute } from "./personal-digests/jobs.ts";
import { cleanQueryHistory } from "./queries/jobs.ts";
import { forwardHubEvent } from "./realtime/jobs.ts";
import { cleanReportedEvents } from "./reported-events/jobs.ts";
import {
  cleanExecutions,
  detectIncidents,
  recoverExecutions,
  runSubscription,
  subscriptionSchedule,
  watchDeliveries,
} from "./subscriptions/jobs.ts";
import { compactWatchHistory, lookSchedule, watchSource } from "./watch/jobs.ts";

/** User-defined schedules, which the minute tick processes. */
export const schedules = [contractSchedule, subscriptionSchedule, scanSchedule, lookSchedule];

/** Every background job, from the domains' `jobs.ts`, and the schedules that the minute tick processes. */
export function jobFunctions() {
  return [
    scheduleTick(schedules),
    runEvaluation,
    recoverEvaluations,
    takeSamples,
    cleanSamples,
    cleanEvaluations,
    applyChangedTemplates,
    applyTemplatesToSchema,
    findNewTables,
    sendLineage,
    startScheduledScan,
    recoverScans,
    runSubscription,
    recoverExecutions,
    detectIncidents,
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
    watchSource,
    compactWatchHistory,
    cleanReportedEvents,
    refreshLineageOfSchema,
    refreshLineageOfQueries,
    learnLineageOfLoad,
    cleanLineage,
    noticeIncidentsEachMinute,
    recordAllClear,
    sendPersonalDigestsEachMinute,
    forwardHubEvent,
    chainAudit,
    cleanAudit,
    cleanJobs,
    cleanQueryHistory,
    cleanSessions,
    ...(env().DEMO ? [replayDepartures] : []),
  ];
}
