import type { AnyTRPCProcedure } from "@trpc/server";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "../app-router.ts";
import { type Permission, permissions } from "../auth/permissions.ts";
import type { SignedIn } from "../auth/principal.ts";
import type { Role } from "../auth/schema.ts";
import { projectMembers, users } from "../auth/tables.ts";
import { collectDueSamples } from "../data-quality/service/collect-samples.ts";
import { evaluateContract } from "../data-quality/service/evaluate.ts";
import { markKnownFailure } from "../data-quality/service/known-failures.ts";
import { createTemplate } from "../data-quality/service/templates.ts";
import { createTemplateInput } from "../data-quality/templates/schema.ts";
import { templateRules } from "../data-quality/templates/tables.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db } from "../db/client.ts";
import { createContext } from "../doors/context.ts";
import { routes } from "../doors/rest/routes.ts";
import { problemIn, problems } from "../errors.ts";
import { findingScans } from "../findings/tables.ts";
import { createPolicyInput, listIncidentsInput } from "../incidents/schema.ts";
import { listIncidents } from "../incidents/service/load-incidents.ts";
import { createPolicy } from "../incidents/service/policies.ts";
import { createWindowInput } from "../maintenance/schema.ts";
import { createWindow } from "../maintenance/service.ts";
import { listDeliveries } from "../notifications/service/ledger.ts";
import { createRecipient } from "../notifications/service/recipients.ts";
import { testRecipient } from "../notifications/service/test-recipient.ts";
import { projects } from "../projects/tables.ts";
import { reportInput } from "../reported-events/schema.ts";
import { reportEvent } from "../reported-events/service.ts";
import { managedThings } from "../stacks/tables.ts";
import { executeNow } from "../subscriptions/service/execute.ts";
import { listTasks } from "../tasks/service/tasks.ts";
import { anActor, aPlan } from "../test/factories/actors.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aDataSource, aProject, ownConnection } from "../test/factories/data-sources.ts";
import { aFinding } from "../test/factories/findings.ts";
import { aRecipient } from "../test/factories/notifications.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aChangeRequest, aFolder, aQuery } from "../test/factories/queries.ts";
import { aMember, aUser, cookieOf } from "../test/factories/sessions.ts";
import { anAnomaly, aSubscription } from "../test/factories/subscriptions.ts";
import { aTableAlert } from "../test/factories/watch.ts";
import { rest } from "../test/rest-client.ts";
import { createCallerFactory, type ProcedureMeta } from "../trpc.ts";
import { apiKeys } from "./tables.ts";

/**
 * Tries keys and people limited to some projects on every procedure, by tRPC and REST: other projects' objects must not
 * exist for them. A new procedure must be added here, or the first test fails.
 */

/** A project with one of everything, each named after the project. */
type World = Awaited<ReturnType<typeof aWorld>>;

async function aWorld(name: string) {
  const admin = await asAdmin();
  const project = await aProject({ name });
  const source = await aDataSource({ projectId: project.id, name: `${name} warehouse` });
  const recipient = await createRecipient(admin, {
    projectId: project.id,
    name: `${name} desk`,
    type: "Email",
    destination: "desk@example.com",
  });
  // Fails permanently, since no mail server is configured.
  await testRecipient(admin, recipient.id);
  const [delivery] = (await listDeliveries(admin, { page: 0, pageSize: 1, recipientId: recipient.id })).items;
  const contract = await aContract({
    name: `${name} orders`,
    dataSourceId: source.id,
    tableName: "projects",
    recipientIds: [recipient.id],
    rules: [aRule("NullRate", { column: "description", maxNullPercent: 0 })],
  });
  const evaluation = await evaluateContract(admin, contract.id);
  const known = await markKnownFailure(admin, {
    ...{ id: contract.id, ruleKey: contract.rules[0]?.key ?? "", reason: "Known" },
    until: new Date("2999-01-01T00:00:00Z"),
  });
  const write = createTemplateInput.parse({
    ...{ projectId: project.id, name: `${name} template`, selector: { columns: ["description"] } },
    rule: { name: "{column} is rarely NULL", type: "NullRate", configuration: { maxNullPercent: 5 } },
  });
  const template = await createTemplate(admin, write);
  const [{ key } = { key: "" }] = contract.rules;
  await db
    .insert(templateRules)
    .values({ contractId: contract.id, templateId: template.id, columnName: "description", key });
  await collectDueSamples();
  const folder = await aFolder({ projectId: project.id, name: `${name} folder` });
  const query = await aQuery({ name: `${name} query`, dataSource: source, folderId: folder.id });
  const subscription = await aSubscription({ query, createTasks: true });
  const execution = await executeNow(admin, subscription.id);
  const [task] = (await listTasks(admin, { page: 0, pageSize: 1, subscriptionId: subscription.id })).items;
  const anomaly = { id: await anAnomaly(subscription.id) };
  const changed = await aQuery({ name: `${name} changed`, dataSource: source });
  const approval = await aChangeRequest(changed, "select 3 as three");
  const { schemaName, tableName } = contract;
  const watched = { dataSourceId: source.id, schemaName, tableName, statement: `Of ${name}` };
  const finding = await aFinding(watched);
  const unfounded = await aFinding({ ...watched, tableName: `${name} table` });
  const skipped = [{ schemaName: "public", tableName: `${name} table`, reason: "It is locked" }];
  await db.update(findingScans).set({ skipped }).where(eq(findingScans.id, unfounded.scanId));
  const actor = await anActor({ name: `${name} actor`, dataSourceId: source.id }, admin);
  const proposer = await anActor({ name: `${name} proposer`, dataSourceId: source.id }, admin);
  const [plan, unwanted, unfinished] = [await aPlan(actor.id), await aPlan(actor.id), await aPlan(actor.id)];
  const standby = await aRecipient({ projectId: project.id, name: `${name} standby` });
  const policy = await createPolicy(
    admin,
    createPolicyInput.parse({ projectId: project.id, name: `${name} policy`, recipientIds: [standby.id] }),
  );
  // Taken over, so that what follows can edit it.
  await db.insert(managedThings).values({
    ...{ kind: "IncidentPolicy", objectId: policy.id, projectId: project.id, revision: 1 },
    ...{ stack: name, path: "policies.yaml", appliedBy: "Ada", takenOverAt: new Date(), takenOverBy: "Ada" },
  });
  const always = { startsAt: "2020-01-01T00:00:00Z", endsAt: "2999-01-01T00:00:00Z" };
  const window = await createWindow(
    admin,
    createWindowInput.parse({ projectId: project.id, name: `${name} window`, ...always }),
  );
  const reported = await reportEvent(
    admin,
    reportInput.parse({
      projectId: project.id,
      kind: "Load",
      name: `${name} load`,
      outputs: [{ dataSourceId: source.id, schemaName: "public", tableName: "users" }],
    }),
  );
  const { alert } = await aTableAlert({ dataSourceId: source.id, tableName: `${name} watched` });
  const [incident] = await incidentsOf(admin, contract.id);
  return {
    ...{ actor, proposer, plan, unwanted, unfinished },
    ...{ incident, policy, standby, window, alert, reported },
    approval: { ...approval, queryId: changed.id },
    ...{ name, project, source, recipient, delivery, contract, evaluation, known, folder, query },
    ...{ subscription, execution, task, anomaly, finding, unfounded, template },
  };
}

const incidentsOf = async (by: SignedIn, contractId: number) =>
  (await listIncidents(by, listIncidentsInput.parse({ contractId }))).items;

type Attempt = [procedure: string, input: Record<string, unknown> | undefined, whereAllowed: number];

/** Every procedure that touches a project, applied to this one; destructive ones come last. */
function attemptsOn(world: World): Attempt[] {
  const { name, project, source, recipient, delivery, contract, evaluation, known, folder, query } = world;
  const { subscription, execution, task, anomaly, approval, incident, policy, standby, window, alert } =
    world;
  const policyWrite = { name: `${name} policy 2`, recipientIds: [standby.id] };
  const windowWrite = { name: `${name} window 2`, cronExpression: "0 2 * * *", durationMinutes: 60 };
  const { actor, proposer, plan, unwanted, unfinished, finding, unfounded, template } = world;
  const ofTemplate = { id: contract.id, templateId: template.id, column: "description" };
  const { selector, rule: templateRule } = template;
  const templateWrite = { name: `${name} template 2`, selector, rule: templateRule };
  const proposal = {
    analysis: "Too few",
    actions: [{ kind: "CreateQuery", reasoning: "To see", name: `${name} proposed`, sql: "select 1 as one" }],
  };
  const actorWrite = { name: `${name} actor 2`, instructions: "Watch", activateImmediately: false };
  const subscriptionWrite = { queryId: query.id, cronExpression: "0 7 * * *" };
  const connection = ownConnection();
  const recipientWrite = { name: `${name} desk 2`, type: "Email", destination: "desk-2@example.com" };
  const queryWrite = { name: `${name} query 2`, steps: [{ dataSourceId: source.id, sql: "select 2" }] };
  // Not all tables of the database: who may scan does not depend on how many there are.
  const scanned = [{ schemaName: "public", tableName: "none" }];
  const contractWrite = {
    name: `${name} orders 2`,
    dataSourceId: source.id,
    tableName: "projects",
    cronExpression: "0 7 * * *",
    rules: [aRule("Volume", { minRows: 0 })],
  };
  const yaml = [
    "{apiVersion: v3.1.0, kind: DataContract, id: orders, version: 1.0.0, status: active, schema: [",
    "{name: projects, quality: [{metric: rowCount, mustBeGreaterOrEqualTo: 0, schedule: 0 7 * * *}]}]}",
  ].join("\n");
  const soda = { path: "checks.yml", yaml: "checks for projects: [row_count >= 0]" };
  const gx = { path: "projects.json", suite: { name: "projects", expectations: [] } };
  return [
    ["projects.list", undefined, 200],
    ["projects.page", {}, 200],
    ["projects.get", { id: project.id }, 200],
    ["projects.members", { id: project.id }, 200],
    ["projects.update", { id: project.id, name }, 200],
    ["dataSources.list", {}, 200],
    ["dataSources.list", { projectId: project.id }, 200],
    ["dataSources.page", {}, 200],
    ["dataSources.page", { projectId: project.id }, 200],
    ["dataSources.get", { id: source.id }, 200],
    ["dataSources.cost", { id: source.id }, 200],
    ["dataSources.schema", { id: source.id }, 200],
    ["dataSources.refreshSchema", { id: source.id }, 200],
    ["dataSources.descriptions", { id: source.id }, 200],
    [
      "dataSources.describe",
      { id: source.id, schemaName: "public", tableName: "projects", description: `Of ${name}` },
      200,
    ],
    ["dataSources.tags", { id: source.id }, 200],
    [
      "dataSources.tagTable",
      { id: source.id, schemaName: "public", tableName: "projects", tags: [`of ${name.toLowerCase()}`] },
      200,
    ],
    ["queries.preview", { dataSourceId: source.id, sql: "select 1 as one" }, 200],
    ["queries.query", { dataSourceId: source.id, sql: "select 1 as one" }, 200],
    // There is no language model here: callers with access get this error.
    ["questions.ask", { dataSourceId: source.id, question: "What?" }, 422],
    ["queries.explain", { dataSourceId: source.id, sql: "select 1 as one" }, 200],
    ["queries.dryRun", { dataSourceName: source.name, sql: "select 1 as one" }, 200],
    ["catalog.search", { q: name }, 200],
    ["catalog.find", { query: name, projectId: project.id }, 200],
    ["catalog.glance", { q: name }, 200],
    ["catalog.overview", { projectId: project.id }, 200],
    ["catalog.documentation", { id: source.id }, 200],
    ["catalog.projectDocumentation", { projectId: project.id }, 200],
    ["catalog.sources", {}, 200],
    ["catalog.sources", { projectId: project.id }, 200],
    ["catalog.tables", {}, 200],
    ["catalog.tables", { dataSourceId: source.id }, 200],
    ["catalog.table", { dataSourceId: source.id, schemaName: "public", tableName: "projects" }, 200],
    ["catalog.lineage", { dataSourceId: source.id, schemaName: "public", tableName: "projects" }, 200],
    ["catalog.figures", { id: source.id, schemaName: "public", tableName: "projects" }, 200],
    ["catalog.export", { projectId: project.id }, 200],
    ["catalog.export", { dataSourceId: source.id }, 200],
    ["catalog.page", { projectId: project.id, page: "report" }, 200],
    ["queries.preview", { steps: [{ dataSourceId: source.id, sql: "select 1 as one" }] }, 200],
    ["queries.previewStored", { id: query.id }, 200],
    ["queries.previewStep", { id: query.id, stepOrder: 1 }, 200],
    ["queries.folders", {}, 200],
    ["queries.folders", { projectId: project.id }, 200],
    ["queries.createFolder", { projectId: project.id, name: `${name} folder 2` }, 201],
    ["queries.createFolder", { projectId: project.id, name: `${name} below`, parentId: folder.id }, 201],
    ["queries.updateFolder", { id: folder.id, name: `${name} folder 3` }, 200],
    ["queries.list", {}, 200],
    ["queries.list", { projectId: project.id }, 200],
    ["queries.list", { folderId: folder.id }, 200],
    ["queries.list", { search: `${name} query` }, 200],
    ["queries.get", { id: query.id }, 200],
    ["queries.create", { projectId: project.id, ...queryWrite }, 201],
    ["queries.update", { id: query.id, ...queryWrite, folderId: folder.id }, 200],
    ["queries.versions", { id: query.id }, 200],
    ["queries.restoreVersion", { id: query.id, number: 1 }, 200],
    ["queries.lock", { id: query.id }, 200],
    ["queries.unlock", { id: query.id }, 200],
    ["subscriptions.list", {}, 200],
    ["subscriptions.list", { projectId: project.id }, 200],
    ["subscriptions.list", { queryId: query.id }, 200],
    ["subscriptions.get", { id: subscription.id }, 200],
    ["subscriptions.edits", { id: subscription.id }, 200],
    ["subscriptions.create", subscriptionWrite, 201],
    ["subscriptions.update", { id: subscription.id, ...subscriptionWrite }, 200],
    ["subscriptions.silence", { id: subscription.id }, 200],
    ["subscriptions.executions", { id: subscription.id }, 200],
    ["subscriptions.execution", { id: execution.id }, 200],
    ["subscriptions.executionRows", { id: subscription.id, executionId: execution.id }, 200],
    ["subscriptions.incidents", { id: subscription.id }, 200],
    ["subscriptions.backtest", { id: subscription.id, condition: { kind: "Always" } }, 200],
    ["subscriptions.execute", { id: subscription.id }, 202],
    ["gettingStarted.guide", { projectId: project.id }, 200],
    ["needsAttention.list", {}, 200],
    ["needsAttention.list", { projectId: project.id }, 200],
    ["controlTower.health", {}, 200],
    ["controlTower.health", { projectId: project.id }, 200],
    ["controlTower.health", { folderId: folder.id }, 200],
    ["controlTower.health", { dataSourceId: source.id }, 200],
    ["controlTower.detail", { id: subscription.id }, 200],
    ["actors.list", {}, 200],
    ["actors.list", { projectId: project.id }, 200],
    ["actors.page", {}, 200],
    ["actors.page", { projectId: project.id }, 200],
    ["actors.get", { id: actor.id }, 200],
    ["actors.edits", { id: actor.id }, 200],
    ["actors.create", { dataSourceId: source.id, ...actorWrite }, 201],
    ["actors.update", { id: actor.id, ...actorWrite }, 200],
    ["actors.pendingPlans", { id: actor.id }, 200],
    ["actors.plansThatWait", {}, 200],
    ["actors.plansThatWait", { projectId: project.id }, 200],
    ["actors.plan", { id: plan.id }, 200],
    ["actors.plans", {}, 200],
    ["actors.plans", { projectId: project.id }, 200],
    ["actors.plans", { actorId: actor.id }, 200],
    ["actors.planVersions", { id: plan.id }, 200],
    ["actors.executions", { id: actor.id }, 200],
    ["actors.execution", { id: plan.cycleId }, 200],
    ["actors.proposePlan", { actorId: proposer.id, ...proposal }, 200],
    ["actors.approvePlan", { id: plan.id }, 200],
    ["actors.rejectPlan", { id: unwanted.id, reason: "No" }, 200],
    ["actors.requestRevision", { id: unfinished.id, feedback: "More" }, 202],
    ["actors.think", { id: actor.id }, 202],
    ["actors.refine", { id: actor.id, feedback: "More" }, 202],
    ["actors.pause", { id: actor.id }, 200],
    ["actors.resume", { id: actor.id }, 200],
    ["actors.archive", { id: actor.id }, 204],
    ["actors.archived", {}, 200],
    ["actors.archived", { projectId: project.id }, 200],
    ["actors.unarchive", { id: actor.id }, 200],
    ["approvals.list", {}, 200],
    ["approvals.list", { projectId: project.id }, 200],
    ["approvals.list", { queryId: approval.queryId }, 200],
    ["approvals.pending", {}, 200],
    ["approvals.get", { id: approval.id }, 200],
    ["approvals.comments", { id: approval.id }, 200],
    ["approvals.comment", { id: approval.id, text: "Seen" }, 201],
    ["approvals.acknowledge", { id: approval.id }, 403],
    ["approvals.approve", { id: approval.id }, 200],
    ["approvals.reject", { id: approval.id }, 409],
    ["incidents.list", {}, 200],
    ["incidents.list", { projectId: project.id }, 200],
    ["incidents.list", { contractId: contract.id }, 200],
    ["incidents.list", { subscriptionId: subscription.id }, 200],
    ["incidents.list", { dataSourceId: source.id }, 200],
    ["incidents.get", { id: incident?.id }, 200],
    ["incidents.changes", { id: incident?.id }, 200],
    ["incidents.assign", { id: incident?.id }, 200],
    ["incidents.acknowledge", { id: incident?.id }, 200],
    ["incidents.silence", { id: incident?.id }, 200],
    ["incidents.comment", { id: incident?.id, text: "Seen" }, 200],
    ["incidents.resolve", { id: incident?.id }, 200],
    ["incidents.policies", {}, 200],
    ["incidents.policies", { projectId: project.id }, 200],
    ["incidents.policiesPage", {}, 200],
    ["incidents.policiesPage", { projectId: project.id }, 200],
    ["incidents.policy", { id: policy.id }, 200],
    ["stacks.things", {}, 200],
    ["stacks.things", { stack: name }, 200],
    ["stacks.things", { kind: "IncidentPolicy", id: policy.id }, 200],
    ["stacks.takeOver", { kind: "IncidentPolicy", id: policy.id }, 204],
    ["incidents.createPolicy", { projectId: project.id, ...policyWrite }, 201],
    ["incidents.updatePolicy", { id: policy.id, ...policyWrite }, 200],
    ["reportedEvents.list", {}, 200],
    ["reportedEvents.list", { projectId: project.id }, 200],
    ["reportedEvents.list", { dataSourceId: source.id }, 200],
    ["reportedEvents.report", { projectId: project.id, kind: "Load", name: `${name} load` }, 201],
    [
      "reportedEvents.openLineage",
      {
        projectId: project.id,
        eventTime: "2026-01-01T00:00:00Z",
        run: { runId: "1" },
        job: { namespace: "a", name: "b" },
      },
      201,
    ],
    ["reportedEvents.remove", { id: world.reported.id }, 204],
    ["gate.open", { table: `${name} watched`, dataSourceId: source.id }, 404],
    ["watch.get", { id: source.id }, 200],
    ["watch.list", {}, 200],
    ["watch.list", { projectId: project.id }, 200],
    ["watch.list", { dataSourceId: source.id }, 200],
    ["watch.table", { dataSourceId: source.id, schemaName: "public", tableName: `${name} watched` }, 200],
    ["watch.expect", { id: alert.id }, 200],
    ["watch.set", { id: source.id, enabled: false }, 200],
    ["maintenance.list", {}, 200],
    ["maintenance.list", { projectId: project.id }, 200],
    ["maintenance.page", {}, 200],
    ["maintenance.page", { projectId: project.id }, 200],
    ["maintenance.get", { id: window.id }, 200],
    ["maintenance.create", { projectId: project.id, ...windowWrite }, 201],
    ["maintenance.end", { id: window.id }, 200],
    ["maintenance.update", { id: window.id, ...windowWrite }, 200],
    ["tasks.list", {}, 200],
    ["tasks.list", { projectId: project.id }, 200],
    ["tasks.list", { subscriptionId: subscription.id }, 200],
    ["tasks.get", { id: task?.id }, 200],
    ["tasks.comments", { id: task?.id }, 200],
    ["tasks.comment", { id: task?.id, text: "Seen" }, 201],
    ["tasks.assign", { id: task?.id }, 200],
    ["tasks.snooze", { id: task?.id }, 200],
    ["tasks.prioritise", { id: task?.id, priority: "High" }, 200],
    ["anomalies.list", {}, 200],
    ["anomalies.list", { projectId: project.id }, 200],
    ["anomalies.list", { subscriptionId: subscription.id }, 200],
    ["anomalies.get", { id: anomaly.id }, 200],
    ["anomalies.acknowledge", { id: anomaly.id }, 200],
    ["tasks.resolve", { id: task?.id }, 200],
    ["tasks.assignMany", { ids: [task?.id] }, 200],
    ["tasks.snoozeMany", { ids: [task?.id] }, 200],
    ["tasks.prioritizeMany", { ids: [task?.id], priority: "Low" }, 200],
    ["tasks.resolveMany", { ids: [task?.id] }, 200],
    ["subscriptions.archive", { id: subscription.id }, 204],
    ["incidents.removePolicy", { id: policy.id }, 204],
    ["maintenance.remove", { id: window.id }, 204],
    ["queries.deleteFolder", { id: folder.id }, 409],
    ["dataSources.testConnection", { projectId: project.id, kind: "PostgreSql", connection }, 200],
    ["dataSources.testConnection", { dataSourceId: source.id, kind: "PostgreSql", connection }, 200],
    ["dataSources.update", { id: source.id, name: `${name} warehouse`, connection }, 200],
    [
      "dataSources.create",
      { projectId: project.id, name: `${name} warehouse 2`, kind: "PostgreSql", connection },
      201,
    ],
    ["recipients.list", {}, 200],
    ["recipients.list", { projectId: project.id }, 200],
    ["recipients.page", {}, 200],
    ["recipients.page", { projectId: project.id }, 200],
    ["recipients.update", { id: recipient.id, ...recipientWrite }, 200],
    ["recipients.create", { projectId: project.id, ...recipientWrite }, 201],
    ["recipients.test", { id: recipient.id }, 200],
    ["notifications.list", {}, 200],
    ["notifications.list", { projectId: project.id }, 200],
    ["notifications.list", { recipientId: recipient.id }, 200],
    ["notifications.get", { id: delivery?.id }, 200],
    ["notifications.retry", { id: delivery?.id }, 200],
    ["notifications.retryMany", { ids: [delivery?.id] }, 200],
    ["dataQuality.overview", {}, 200],
    ["dataQuality.overview", { projectId: project.id }, 200],
    ["dataQuality.overview", { dataSourceId: source.id }, 200],
    ["dataQuality.tableHistory", { dataSourceId: source.id, schemaName: "public", tableName: "orders" }, 200],
    ["dataQuality.contracts", {}, 200],
    ["dataQuality.searchContracts", {}, 200],
    ["dataQuality.searchContracts", { projectId: project.id }, 200],
    ["dataQuality.searchContracts", { dataSourceId: source.id }, 200],
    ["dataQuality.contracts", { projectId: project.id }, 200],
    ["dataQuality.contracts", { dataSourceId: source.id }, 200],
    ["dataQuality.contract", { id: contract.id }, 200],
    ["dataQuality.cost", { id: contract.id }, 200],
    ["dataQuality.contractEdits", { id: contract.id }, 200],
    ["dataQuality.versions", { id: contract.id }, 200],
    ["dataQuality.version", { id: contract.id, number: 1 }, 200],
    ["dataQuality.restoreVersion", { id: contract.id, number: 1 }, 200],
    ["dataQuality.evaluations", { id: contract.id }, 200],
    ["dataQuality.evaluation", { id: evaluation.id }, 200],
    ["dataQuality.changes", { id: evaluation.id }, 200],
    ["dataQuality.series", { id: contract.id }, 200],
    ["dataQuality.ruleStates", { id: contract.id }, 200],
    ["dataQuality.samples", { id: evaluation.id, ruleId: evaluation.ruleResults[0]?.ruleId }, 200],
    ["dataQuality.silence", { id: contract.id }, 200],
    ["dataQuality.knownFailures", { id: contract.id }, 200],
    [
      "dataQuality.markKnownFailure",
      { id: contract.id, ruleKey: contract.rules[0]?.key, until: "2999-01-01T00:00:00Z", reason: "Known" },
      201,
    ],
    ["dataQuality.endKnownFailure", { id: contract.id, failureId: known.id }, 200],
    ["dataQuality.assign", { id: contract.id }, 200],
    ["dataQuality.startEvaluation", { id: contract.id }, 200],
    // Joins the evaluation and waits, so that nothing keeps running in the background.
    ["dataQuality.evaluate", { id: contract.id }, 200],
    ["findings.scans", {}, 200],
    ["findings.scans", { projectId: project.id }, 200],
    ["findings.tables", {}, 200],
    ["findings.tables", { projectId: project.id }, 200],
    ["findings.scan", { dataSourceId: source.id, tables: scanned }, 202],
    // Joins the scan and waits, so that nothing keeps running in the background.
    ["findings.scanAndWait", { dataSourceId: source.id, tables: scanned }, 200],
    // It has ended.
    ["findings.stopScan", { id: finding.scanId }, 409],
    ["findings.scanById", { id: finding.scanId }, 200],
    ["findings.list", {}, 200],
    ["findings.list", { projectId: project.id }, 200],
    ["findings.get", { id: finding.id }, 200],
    ["findings.samples", { id: finding.id }, 200],
    // The table has no such column.
    ["causes.ofFinding", { id: finding.id }, 422],
    ["causes.ofRule", { id: contract.id, ruleId: contract.rules[0]?.id }, 200],
    ["causes.why", { contractId: contract.id, ruleId: contract.rules[0]?.id }, 200],
    ["causes.why", { incidentId: incident?.id }, 200],
    // There is no language model here.
    ["causes.account", { contractId: contract.id }, 422],
    ["findings.accept", { id: finding.id, contractId: contract.id }, 200],
    ["findings.dismiss", { id: unfounded.id }, 200],
    ["findings.teach", { dataSourceId: source.id, schemaName: "public", tableName: "projects" }, 200],
    [
      "findings.teachAnswer",
      {
        ...{ dataSourceId: source.id, schemaName: "public", tableName: "projects" },
        ...{ column: "name", cell: `${"0".repeat(32)}-${"1".repeat(32)}`, verdict: "Right" },
      },
      200,
    ],
    ["findings.teachUndo", { dataSourceId: source.id, schemaName: "public", tableName: "projects" }, 200],
    ["findings.teachInTurn", { dataSourceId: source.id, schemaName: "public", tableName: "projects" }, 200],
    ["dataQuality.columns", { dataSourceId: source.id, tableName: "projects" }, 200],
    [
      "dataQuality.dryRunRule",
      {
        dataSourceId: source.id,
        tableName: "projects",
        rule: aRule("NullRate", { column: "description", maxNullPercent: 0 }),
      },
      200,
    ],
    [
      "dataQuality.backtestRule",
      { dataSourceId: source.id, tableName: "projects", rule: aRule("Volume", { usual: "Both" }) },
      200,
    ],
    ["dataQuality.dryRunContract", contractWrite, 200],
    ["dataQuality.createContract", contractWrite, 201],
    ["dataQuality.suggestRules", { dataSourceId: source.id, tableName: "projects" }, 200],
    ["dataQuality.exportContract", { id: contract.id }, 200],
    ["dataQuality.previewImport", { dataSourceId: source.id, yaml }, 200],
    ["dataQuality.importContracts", { dataSourceId: source.id, yaml }, 201],
    ["dataQuality.previewDbt", { dataSourceId: source.id, manifest: { metadata: {}, nodes: {} } }, 200],
    ["dataQuality.importDbt", { dataSourceId: source.id, manifest: { metadata: {}, nodes: {} } }, 200],
    ["dataQuality.previewSoda", { dataSourceId: source.id, files: [soda] }, 200],
    ["dataQuality.importSoda", { dataSourceId: source.id, files: [soda] }, 200],
    ["dataQuality.previewGx", { dataSourceId: source.id, files: [gx] }, 200],
    ["dataQuality.importGx", { dataSourceId: source.id, files: [gx] }, 200],
    ["dataQuality.templates", {}, 200],
    ["dataQuality.templates", { projectId: project.id }, 200],
    ["dataQuality.templatesPage", {}, 200],
    ["dataQuality.templatesPage", { projectId: project.id }, 200],
    ["dataQuality.template", { id: template.id }, 200],
    ["dataQuality.previewTemplate", { projectId: project.id, selector, rule: templateRule }, 200],
    ["dataQuality.createTemplate", { projectId: project.id, ...templateWrite }, 201],
    ["dataQuality.updateTemplate", { id: template.id, ...templateWrite }, 200],
    ["dataQuality.contractTemplates", { id: contract.id }, 200],
    ["dataQuality.detachRule", { ...ofTemplate, reason: "Ours" }, 200],
    ["dataQuality.returnRule", ofTemplate, 200],
    ["dataQuality.leaveOutRule", { ...ofTemplate, reason: "Not here" }, 200],
    ["dataQuality.updateContract", { id: contract.id, ...contractWrite }, 200],
    ["dataQuality.archiveContract", { id: contract.id }, 204],
    ["dataQuality.silenceMany", { ids: [contract.id] }, 200],
    ["dataQuality.assignMany", { ids: [contract.id] }, 200],
    ["dataQuality.archiveMany", { ids: [contract.id] }, 200],
    ["dataQuality.removeTemplate", { id: template.id, rules: "Keep" }, 204],
    ["recipients.delete", { id: recipient.id }, 204],
    ["queries.archive", { id: query.id, cascade: true }, 204],
    ["queries.moveMany", { ids: [query.id] }, 200],
    ["queries.archiveMany", { ids: [query.id] }, 200],
    ["subscriptions.silenceMany", { ids: [subscription.id] }, 200],
    ["subscriptions.enableMany", { ids: [subscription.id], enabled: false }, 200],
    ["subscriptions.addRecipientToMany", { ids: [subscription.id], recipientId: recipient.id }, 200],
    ["subscriptions.archiveMany", { ids: [subscription.id] }, 200],
    ["queries.archived", {}, 200],
    ["queries.archived", { projectId: project.id }, 200],
    ["queries.unarchive", { id: query.id }, 200],
    // Archived contracts still reference it.
    ["dataSources.delete", { id: source.id }, 409],
    ["projects.delete", { id: project.id }, 409],
  ];
}

/** These say for each object that it was not found. */
const inBulk = [
  ...["dataQuality.archiveMany", "dataQuality.assignMany", "dataQuality.silenceMany"],
  ...["notifications.retryMany", "queries.archiveMany", "queries.moveMany"],
  ...["subscriptions.addRecipientToMany", "subscriptions.archiveMany", "subscriptions.enableMany"],
  "subscriptions.silenceMany",
  ...["tasks.assignMany", "tasks.prioritizeMany", "tasks.resolveMany", "tasks.snoozeMany"],
];

/** Any reader may call these; they return only what the caller may see. */
const lists = [
  "stacks.things",
  ...["projects.list", "dataSources.list", "recipients.list", "notifications.list"],
  ...["projects.page", "dataSources.page", "recipients.page", "actors.page", "dataQuality.templatesPage"],
  ...["dataQuality.searchContracts", "dataQuality.templates"],
  ...["dataQuality.overview", "dataQuality.contracts", "catalog.sources", "catalog.tables"],
  ...["catalog.search", "catalog.find", "catalog.glance"],
  ...["queries.folders", "queries.list", "queries.archived"],
  ...["subscriptions.list", "tasks.list", "anomalies.list", "findings.list", "controlTower.health"],
  ...["findings.scans", "findings.tables", "needsAttention.list", "incidents.list"],
  ...["incidents.policiesPage", "maintenance.page"],
  ...["incidents.policies", "maintenance.list", "watch.list", "reportedEvents.list"],
  ...["approvals.list", "approvals.pending"],
  ...["actors.list", "actors.plans", "actors.plansThatWait", "actors.archived"],
];

/** About the caller alone, or about no project yet; and counts, which are tested where they are counted. */
const besides = [
  "controlTower.statistics",
  "controlTower.notRunYet",
  "subscriptions.recentValues",
  "needsAttention.count",
  "needsAttention.allClear",
  "approvals.workflow",
  "approvals.people",
  "actors.pendingCount",
  "actors.model",
  "dataSources.allowedFolders",
  "hub.config",
  "notifications.mail",
  ...["tasks.assignees", "incidents.assignees", "incidents.figures"],
  "dataQuality.owners",
  "session.me",
  "session.changePassword",
  // Null in another project, which tour.test.ts tries.
  ...["gettingStarted.tour", "gettingStarted.skip", "gettingStarted.dismiss"],
  "projects.create",
];

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>,
).map(([name, procedure]) => ({
  name,
  permission: (procedure._def as { meta?: ProcedureMeta }).meta?.permission as Permission,
}));
const isGlobal = (permission: Permission) => {
  const rule = permissions[permission];
  return rule !== null && "isGlobal" in rule;
};
const isOwn = (permission: Permission) => {
  const rule = permissions[permission];
  return rule !== null && "isOwn" in rule;
};

type Answer = { status: number; text: string };

/** Null for a procedure without a REST endpoint. */
async function byRest(
  headers: Record<string, string>,
  procedure: string,
  input: Record<string, unknown> = {},
): Promise<Answer | null> {
  const route = routes.find((each) => each.procedure === procedure);
  if (!route) return null;
  const inPath = new Set(route.pathParameters);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(input[name] ?? 1));
  const others = Object.entries(input).filter(([name]) => !inPath.has(name));
  const isRead = route.method === "GET" || route.method === "DELETE";
  const inQuery = route.takes
    ? others.filter(([name]) => name !== route.takes?.property)
    : isRead
      ? others
      : [];
  const query = inQuery.length > 0 ? `?${new URLSearchParams(inQuery as [string, string][])}` : "";
  const { status, body } = await rest(route.method, path + query, {
    headers: { ...headers, ...(route.takes && { "content-type": route.takes.type }) },
    ...(route.takes && { body: String(input[route.takes.property]) }),
    ...(!isRead && !route.takes && others.length > 0 && { json: Object.fromEntries(others) }),
  });
  return { status, text: JSON.stringify(body) };
}

const createCaller = createCallerFactory(appRouter);

async function byTrpc(
  headers: Record<string, string>,
  procedure: string,
  input?: Record<string, unknown>,
): Promise<Answer> {
  return (await trpcOf(headers))(procedure, input);
}

/** Calls that share a context, as those of a batch do: the caller is looked up once. */
async function trpcOf(headers: Record<string, string>) {
  const caller = createCaller(await createContext(new Headers(headers)));
  return (procedure: string, input?: Record<string, unknown>) => answerOf(caller, procedure, input);
}

async function answerOf(
  caller: ReturnType<typeof createCaller>,
  procedure: string,
  input?: Record<string, unknown>,
): Promise<Answer> {
  const call = procedure
    .split(".")
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller) as (
    input: unknown,
  ) => Promise<unknown>;
  try {
    return { status: 200, text: JSON.stringify((await call(input)) ?? null) };
  } catch (error) {
    const problem = problemIn(error);
    if (!problem) throw error;
    return { status: problems[problem.code].status, text: JSON.stringify(problem) };
  }
}

/** Everything stored about projects: a digest of each table, as it comes to megabytes. */
async function storedState(): Promise<string> {
  const tables = [
    ...[
      "projects",
      "data_sources",
      "data_source_schemas",
      "catalog_descriptions",
      "recipients",
      "contracts",
      "rules",
    ],
    ...["contract_recipients", "evaluations", "rule_results", "table_scores"],
    ...["rule_templates", "template_rules"],
    ...["query_folders", "queries", "query_versions", "query_steps"],
    ...["notifications", "deliveries"],
    ...["subscriptions", "subscription_recipients", "executions", "anomalies", "tasks", "task_comments"],
    ...["incidents", "incident_problems", "incident_events", "incident_policies", "edits"],
    ...["incident_policy_recipients", "maintenance_windows", "watches", "table_alerts", "reported_events"],
    "managed_things",
  ];
  const texts = tables.map((table) =>
    db.execute<{ text: string }>(
      sql.raw(
        `select '${table} ' || count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as text from ${table} t`,
      ),
    ),
  );
  return (await Promise.all(texts)).map(([row]) => row?.text).join("\n");
}

/** Tries everything on a project the key must not see: nothing is found, and nothing changes. */
async function expectNothingOf(world: World, headers: Record<string, string>) {
  // Whoever looks at incidents notices which have ended: those of earlier tests.
  await listIncidents(await asAdmin(), listIncidentsInput.parse({}));
  const before = await storedState();
  const trpc = await trpcOf(headers);
  for (const [procedure, input] of attemptsOn(world)) {
    const answers = [await byRest(headers, procedure, input), await trpc(procedure, input)];
    for (const answer of answers.filter((each) => each !== null)) {
      const what = `${procedure} ${JSON.stringify(input)}`;
      expect.soft(answer.status, what).toBe([...lists, ...inBulk].includes(procedure) ? 200 : 404);
      expect.soft(answer.text, what).not.toContain(world.name);
    }
  }
  expect(await storedState()).toBe(before);
}

let north: World;
let south: World;

beforeAll(async () => {
  north = await aWorld("Northern");
  south = await aWorld("Southern");
});
afterAll(closeSources);

const limitedTo = (...worlds: World[]) =>
  aKey({ allowedProjectIds: worlds.map(({ project }) => project.id) });

const personIn = async (...worlds: [World, Role][]) => {
  const member = await aMember(...worlds.map(([{ project }, role]) => ({ projectId: project.id, role })));
  return { headers: { cookie: await cookieOf(member) } };
};

/** A key without a limit of its own, of someone limited to one project. */
const keyOfPersonIn = async (world: World) => {
  const key = await aKey();
  const { userId } = (await createContext(new Headers(key.headers))).principal ?? { userId: 0 };
  await db.update(users).set({ role: "Viewer", limitedToProjects: true }).where(eq(users.id, userId));
  await db.insert(projectMembers).values({ userId, projectId: world.project.id, role: "Admin" });
  return key;
};

const limitedCallers: [string, (world: World) => Promise<{ headers: Record<string, string> }>][] = [
  ["a key limited to one project", limitedTo],
  ["someone limited to one project", (world) => personIn([world, "Admin"])],
  ["a key of someone limited to one project", keyOfPersonIn],
];

test("every procedure is tried here or belongs to no project", () => {
  const tried = new Set([...attemptsOn(north).map(([procedure]) => procedure), ...besides]);
  const untried = procedures.filter(
    ({ name, permission }) =>
      permission !== "anonymous" && !isGlobal(permission) && !isOwn(permission) && !tried.has(name),
  );
  expect(untried.map(({ name }) => name)).toEqual([]);
});

describe.each(limitedCallers)("%s", (who, limitedTo) => {
  test("finds and changes nothing in another project", async () => {
    await expectNothingOf(north, (await limitedTo(south)).headers);
  });

  test("can do everything in its own project", async () => {
    for (const door of [byRest, byTrpc]) {
      const own = await aWorld("Own");
      const { headers } = await limitedTo(own);
      for (const [procedure, input, expected] of attemptsOn(own)) {
        const answer = await door(headers, procedure, input);
        const what = `${procedure} ${JSON.stringify(input)}`;
        const isDone = expected < 300 && door === byTrpc;
        if (answer) expect.soft(answer.status, what).toBe(isDone ? 200 : expected);
        if (answer && lists.includes(procedure)) {
          expect.soft(answer.text, what).toContain(own.name);
          expect.soft(answer.text, what).not.toMatch(/Northern|Southern/);
        }
      }
    }
  }, 180_000);

  test("can't combine its own objects with another project's", async () => {
    const { headers } = await limitedTo(south);
    const write = {
      name: "Joined",
      dataSourceId: south.source.id,
      tableName: "projects",
      cronExpression: "0 7 * * *",
      rules: [aRule("Volume", { minRows: 0 })],
    };
    const queryOn = ({ source }: World) => ({
      name: "Joined",
      steps: [{ dataSourceId: source.id, sql: "select 2" }],
    });
    const before = await storedState();
    const attempts: [string, Record<string, unknown>][] = [
      ["dataQuality.createContract", { ...write, recipientIds: [north.recipient.id] }],
      ["dataQuality.updateContract", { id: south.contract.id, ...write, recipientIds: [north.recipient.id] }],
      ["dataQuality.updateContract", { id: south.contract.id, ...write, dataSourceId: north.source.id }],
      ["queries.createFolder", { projectId: south.project.id, name: "Joined", parentId: north.folder.id }],
      ["queries.updateFolder", { id: south.folder.id, name: "Joined", parentId: north.folder.id }],
      ["queries.preview", { steps: [...queryOn(south).steps, ...queryOn(north).steps] }],
      ["queries.create", { projectId: south.project.id, ...queryOn(north) }],
      ["queries.update", { id: south.query.id, ...queryOn(north) }],
      ["queries.create", { projectId: south.project.id, ...queryOn(south), folderId: north.folder.id }],
      ["queries.update", { id: south.query.id, ...queryOn(south), folderId: north.folder.id }],
      ["subscriptions.create", { queryId: north.query.id, cronExpression: "0 7 * * *" }],
      [
        "subscriptions.create",
        { queryId: south.query.id, cronExpression: "0 7 * * *", recipientIds: [north.recipient.id] },
      ],
      [
        "subscriptions.update",
        {
          id: south.subscription.id,
          ...{ queryId: south.query.id, cronExpression: "0 7 * * *", recipientIds: [north.recipient.id] },
        },
      ],
      [
        "dataSources.testConnection",
        {
          projectId: south.project.id,
          dataSourceId: north.source.id,
          kind: "PostgreSql",
          connection: ownConnection(),
        },
      ],
    ];
    for (const [procedure, input] of attempts)
      for (const door of [byRest, byTrpc])
        expect.soft((await door(headers, procedure, input))?.status, procedure).toBe(404);
    expect(await storedState()).toBe(before);
  });

  test("can't do anything outside projects", async () => {
    const { headers } = await limitedTo(south);
    const isKey = who !== "someone limited to one project";
    const global = procedures.filter(
      ({ permission }) => isGlobal(permission) || (isKey && isOwn(permission)),
    );
    expect(global.map(({ name }) => name).includes("apiKeys.create")).toBe(isKey);
    expect(global.map(({ name }) => name)).toContain("users.list");
    const attempts: [string, Record<string, unknown>?][] = [
      ...global.map(({ name }): [string, Record<string, unknown>] => [name, {}]),
      ["projects.create", { name: "New" }],
      ["dataSources.testConnection", { kind: "PostgreSql", connection: ownConnection() }],
    ];
    for (const [procedure, input] of attempts)
      for (const door of [byRest, byTrpc])
        expect.soft((await door(headers, procedure, input))?.status ?? 403, procedure).toBe(403);
  });
});

describe("someone with a different role in each project", () => {
  test.each<[Role, string[]]>([
    ["Viewer", ["Viewer"]],
    ["Editor", ["Viewer", "Editor"]],
  ])(
    "as %s of one and Admin of another, does in the one only what this role allows",
    async (role, allowed) => {
      for (const door of [byRest, byTrpc]) {
        const own = await aWorld("Own");
        const { headers } = await personIn([own, role], [south, "Admin"]);
        const attempts = attemptsOn(own).map(([procedure, input, expected]) => {
          const permission = procedures.find(({ name }) => name === procedure)?.permission ?? "anonymous";
          const mayCall = allowed.includes(permissions[permission]?.role ?? "");
          return { procedure, input, expected, mayCall, what: `${procedure} ${JSON.stringify(input)}` };
        });
        // What is refused comes first, while everything that it names is still there.
        const before = await storedState();
        for (const { procedure, input, what } of attempts.filter(({ mayCall }) => !mayCall)) {
          const answer = await door(headers, procedure, input);
          if (!answer) continue;
          if ([...lists, ...inBulk].includes(procedure)) {
            expect.soft(answer.status, what).toBe(200);
            expect.soft(answer.text, what).not.toContain(own.name);
            if (inBulk.includes(procedure)) expect.soft(answer.text, what).toContain('"done":0');
          } else expect.soft([403, 404], what).toContain(answer.status);
        }
        expect(await storedState()).toBe(before);
        for (const { procedure, input, expected, what } of attempts.filter(({ mayCall }) => mayCall)) {
          const answer = await door(headers, procedure, input);
          // What an earlier attempt did not do has not happened: some of these are conflicts now, or still possible.
          if (answer)
            expect.soft([403, 404], what).not.toContain(answer.status === expected ? 0 : answer.status);
        }
      }
    },
    300_000,
  );

  test("is told so in a project that they see, and nothing of one that they do not see", async () => {
    const { headers } = await personIn([north, "Viewer"], [south, "Admin"]);
    const tried = async (id: number) =>
      (await rest("POST", `/data-quality/contracts/${id}/evaluate`, { headers })).status;
    const third = await aWorld("Third");
    expect(await tried(north.contract.id)).toBe(403);
    expect(await tried(third.contract.id)).toBe(404);
  });
});

test("a membership that ends, ends at the next request, for sessions and keys", async () => {
  const member = await aMember(
    { projectId: north.project.id, role: "Editor" },
    { projectId: south.project.id, role: "Admin" },
  );
  const cookie = await cookieOf(member);
  const { body: key } = await rest("POST", "/api-keys", {
    cookie,
    json: { name: "Pipeline", scopes: ["Admin"], allowedProjectIds: [north.project.id, south.project.id] },
  });
  const byKey = { headers: { authorization: `Bearer ${key.rawKey}` } };
  const seenBy = async (call: object) =>
    (await rest("GET", "/projects", call)).body.items.map(({ name }: { name: string }) => name);
  expect([await seenBy({ cookie }), await seenBy(byKey)]).toEqual([
    ["Northern", "Southern"],
    ["Northern", "Southern"],
  ]);
  const admin = await cookieOf(await aUser("Admin"));
  const path = `/projects/${north.project.id}/members/${member.id}`;
  expect((await rest("DELETE", path, { cookie: admin })).status).toBe(204);
  expect([await seenBy({ cookie }), await seenBy(byKey)]).toEqual([["Southern"], ["Southern"]]);
  await expectNothingOf(north, { cookie });
  await expectNothingOf(north, byKey.headers);
});

test("a key for two projects can access both and no third", async () => {
  const { headers } = await limitedTo(north, south);
  const third = await aWorld("Third");
  await expectNothingOf(third, headers);
  const { text } = (await byRest(headers, "dataSources.list")) as Answer;
  expect(text).toContain("Northern");
  expect(text).toContain("Southern");
});

describe("a damaged stored restriction denies everything", () => {
  const id = () => north.project.id;
  test.each<[string, () => string]>([
    ["SQL null", () => "null"],
    ["JSON null", () => "'null'"],
    ["an empty list", () => "'[]'"],
    ["a string for a number", () => `'["${id()}"]'`],
    ["a string among numbers", () => `'[${id()}, "${id()}"]'`],
    ["null among numbers", () => `'[${id()}, null]'`],
    ["a number that is no list", () => `'${id()}'`],
    ["a string", () => `'"all"'`],
    ["a list in text", () => `'"[${id()}]"'`],
    ["a nested list", () => `'[[${id()}]]'`],
    ["an object", () => `'{"ids": [${id()}]}'`],
    ["an object like a list", () => `'{"0": ${id()}, "length": 1}'`],
    ["true", () => "'true'"],
    ["a fraction", () => `'[${id()}.5]'`],
    ["zero and below", () => "'[0, -1]'"],
    ["a project that never was", () => "'[2000000000]'"],
    ["a number beyond all identifiers", () => "'[99999999999999999999]'"],
  ])("%s", async (_, stored) => {
    const key = await limitedTo(north);
    await db
      .update(apiKeys)
      .set({ allowedProjectIds: sql.raw(`${stored()}::jsonb`) })
      .where(eq(apiKeys.id, key.id));
    expect((await rest("GET", "/auth/me", key)).body.projectIds).toEqual([]);
    expect((await rest("GET", "/projects", key)).body).toEqual({ items: [] });
    expect((await rest("GET", `/projects/${id()}`, key)).status).toBe(404);
    expect((await rest("POST", "/projects", { ...key, json: { name: "New" } })).status).toBe(403);
    expect((await rest("GET", "/api-keys", key)).status).toBe(403);
  });

  test("in every procedure", async () => {
    const { id, headers } = await limitedTo(north);
    await db.update(apiKeys).set({ allowedProjectIds: sql`null` }).where(eq(apiKeys.id, id));
    await expectNothingOf(north, headers);
  });

  test("a list applies even if the flag says there is no restriction", async () => {
    const { id, headers } = await limitedTo(south);
    await db.update(apiKeys).set({ restricted: false }).where(eq(apiKeys.id, id));
    await expectNothingOf(north, headers);
    await db.update(apiKeys).set({ allowedProjectIds: sql`'null'::jsonb` }).where(eq(apiKeys.id, id));
    await expectNothingOf(north, headers);
  });
});

test("a key whose projects are deleted keeps the others, and finally has none", async () => {
  const [kept, gone] = [await aProject({ name: "Kept" }), await aProject({ name: "Gone" })];
  const key = await aKey({ allowedProjectIds: [kept.id, gone.id] });
  await db.delete(projects).where(eq(projects.id, gone.id));
  expect((await rest("GET", "/projects", key)).body.items).toMatchObject([{ name: "Kept" }]);
  expect((await rest("GET", "/auth/me", key)).body.projectIds).toEqual([kept.id]);
  await db.delete(projects).where(eq(projects.id, kept.id));
  expect((await rest("GET", "/projects", key)).body).toEqual({ items: [] });
  await expectNothingOf(north, key.headers);
});

test("a contract doesn't show recipients of a project its reader may not see", async () => {
  const shared = await aContract({ dataSourceId: south.source.id });
  // Not possible through the API.
  await db.execute(
    sql`insert into contract_recipients (contract_id, recipient_id) values (${shared.id}, ${north.recipient.id})`,
  );
  const answer = await rest("GET", `/data-quality/contracts/${shared.id}`, await limitedTo(south));
  expect([answer.status, answer.body.recipients]).toEqual([200, []]);
});
