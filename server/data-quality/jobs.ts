import { cron } from "inngest";
import { schemaRead, tableTagged } from "../data-sources/events.ts";
import { perSource } from "../data-sources/per-source.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries, maxRetries } from "../jobs/retries.ts";
import { defineSchedule, ifClaimed } from "../jobs/schedules.ts";
import { contractDue, evaluationStored, templatesChanged } from "./events.ts";
import { applyTemplates, lookForNewTables } from "./service/apply-templates.ts";
import { collectSamplesOnSchedule } from "./service/collect-samples.ts";
import { sourcesOfContracts } from "./service/contract-sources.ts";
import { evaluateDueContract, recoverAbandonedEvaluations } from "./service/evaluate.ts";
import { removeOldEvaluations, removeOldResults, removeOldSamples } from "./service/remove-old.ts";
import { sendEvaluationRun } from "./service/send-evaluation-run.ts";
import { contracts } from "./tables.ts";

export const contractSchedule = defineSchedule({
  kind: "contract",
  table: contracts,
  sources: sourcesOfContracts,
  event: ({ objectId, scheduledFor, dataSourceId }) =>
    contractDue.create({ contractId: objectId, scheduledFor: scheduledFor.toISOString(), dataSourceId }),
});

/**
 * Evaluates a contract that is due. The result gives the reason if it was skipped. Retried as often as Inngest
 * allows: a job may only be waiting for another evaluation, and one that crashes processes has its own limit.
 */
export const runEvaluation = inngest.createFunction(
  { id: "run-evaluation", triggers: contractDue, retries: maxRetries, concurrency: perSource },
  ({ event, step, runId }) => {
    const { contractId } = event.data;
    const scheduledFor = new Date(event.data.scheduledFor);
    const occurrence = { kind: contractSchedule.kind, objectId: contractId, scheduledFor };
    return step.run("evaluate", () =>
      ifClaimed(occurrence, runId, () => evaluateDueContract(contractId, scheduledFor)),
    );
  },
);

/** Finishes evaluations of processes that died, within about a minute. */
export const recoverEvaluations = inngest.createFunction(
  { id: "recover-evaluations", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("recover", () => recoverAbandonedEvaluations()),
);

/** Collects samples that waited for a free connection or that a dead process left, within about a minute. */
export const takeSamples = inngest.createFunction(
  { id: "take-samples", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("take", () => collectSamplesOnSchedule()),
);

export const cleanSamples = inngest.createFunction(
  { id: "clean-samples", triggers: cron("41 * * * *"), retries: cronRetries },
  ({ step }) => step.run("clean", () => removeOldSamples()),
);

export const cleanEvaluations = inngest.createFunction(
  { id: "clean-evaluations", triggers: cron("33 * * * *"), retries: cronRetries },
  async ({ step }) => {
    await step.run("clean-results", () => removeOldResults());
    await step.run("clean-evaluations", () => removeOldEvaluations());
  },
);

/** Brings contracts to what their project's rule templates say. */
export const applyChangedTemplates = inngest.createFunction(
  { id: "apply-templates", triggers: templatesChanged, retries: 2 },
  ({ event, step }) => step.run("apply", () => applyTemplates({ projectId: event.data.projectId })),
);

/** Finds tables that are new, where templates wait for them, within about a day. */
export const findNewTables = inngest.createFunction(
  { id: "find-new-tables", triggers: cron("23 * * * *"), retries: cronRetries },
  ({ step }) => step.run("read", () => lookForNewTables()),
);

/** Gives tables and columns that are new, and tables with other tags, what templates have for them. */
export const applyTemplatesToSchema = inngest.createFunction(
  { id: "apply-templates-to-schema", triggers: [schemaRead, tableTagged], retries: 2 },
  ({ event, step }) => step.run("apply", () => applyTemplates({ dataSourceId: event.data.dataSourceId })),
);

/** Tells an OpenLineage service about an evaluation; one that is away is asked again for about a day. */
export const sendLineage = inngest.createFunction(
  { id: "send-lineage", triggers: evaluationStored, retries: maxRetries },
  ({ event, step }) => step.run("send", () => sendEvaluationRun(event.data.evaluationId)),
);
