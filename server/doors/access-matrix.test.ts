import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "../app-router.ts";
import type { Role, Scope } from "../auth/schema.ts";
import { projectMembers, users } from "../auth/tables.ts";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aMember, aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { maxBatchCalls } from "./batch-size.ts";
import { openApiDocument } from "./rest/openapi.ts";
import { handleTrpc } from "./trpc.ts";

/**
 * Who may call what, stated independently and checked on every API: a new procedure that is not listed here, or one
 * with different access, fails.
 */
const roles: readonly Role[] = ["Viewer", "Editor", "Admin"];
const scopes: readonly Scope[] = ["Read", "Execute", "Admin"];

/** `limited`: which callers limited to projects may call it; both people and keys, if it is left out. */
type Rule = { role: Role; scope: Scope | "no key"; limited?: "people" | "nobody" } | "anyone";
const read: Rule = { role: "Viewer", scope: "Read" };
const ownKeys: Rule = { role: "Viewer", scope: "Admin", limited: "people" };
const run: Rule = { role: "Editor", scope: "Execute" };
const configure: Rule = { role: "Editor", scope: "Admin" };
const administer: Rule = { role: "Admin", scope: "Admin" };
/** About the whole service. */
const administerAll: Rule = { role: "Admin", scope: "Admin", limited: "nobody" };

const rules: Record<string, Rule> = {
  "session.me": read,
  "notifications.preferences": { role: "Viewer", scope: "no key" },
  "notifications.setPreferences": { role: "Viewer", scope: "no key" },
  "notifications.mail": read,
  "notifications.isSubscribed": "anyone",
  "notifications.unsubscribe": "anyone",
  "session.updateMe": { role: "Viewer", scope: "no key" },
  "session.changePassword": { role: "Viewer", scope: "no key" },
  "session.sessions": { role: "Viewer", scope: "no key" },
  "session.revoke": { role: "Viewer", scope: "no key" },
  "session.chatAccounts": { role: "Viewer", scope: "no key" },
  "session.chatLink": { role: "Viewer", scope: "no key" },
  "session.linkChat": { role: "Viewer", scope: "no key" },
  "session.unlinkChat": { role: "Viewer", scope: "no key" },
  "session.signOutEverywhere": { role: "Viewer", scope: "no key" },
  "views.list": { role: "Viewer", scope: "no key" },
  "views.save": { role: "Viewer", scope: "no key" },
  "views.delete": { role: "Viewer", scope: "no key" },
  "session.setupStatus": "anyone",
  "session.setUp": "anyone",
  "session.signInOptions": "anyone",
  "session.passkeyChallenge": "anyone",
  "session.secondFactors": { role: "Viewer", scope: "no key" },
  "session.newTotp": { role: "Viewer", scope: "no key" },
  "session.addTotp": { role: "Viewer", scope: "no key" },
  "session.removeTotp": { role: "Viewer", scope: "no key" },
  "session.newPasskey": { role: "Viewer", scope: "no key" },
  "session.addPasskey": { role: "Viewer", scope: "no key" },
  "session.removePasskey": { role: "Viewer", scope: "no key" },
  "session.newRecoveryCodes": { role: "Viewer", scope: "no key" },
  "apiKeys.list": ownKeys,
  "apiKeys.page": ownKeys,
  "apiKeys.policy": ownKeys,
  "apiKeys.create": ownKeys,
  "apiKeys.rotate": ownKeys,
  "apiKeys.revoke": ownKeys,
  "projects.list": read,
  "projects.page": read,
  "projects.get": read,
  "projects.create": administerAll,
  "projects.members": read,
  "projects.setMember": administerAll,
  "projects.removeMember": administerAll,
  "projects.update": administer,
  "projects.delete": administer,
  "dataSources.list": read,
  "dataSources.page": read,
  "dataSources.get": read,
  "dataSources.create": administer,
  "dataSources.update": administer,
  "dataSources.delete": administer,
  "dataSources.testConnection": administer,
  "dataSources.allowedFolders": administer,
  "dataSources.cost": read,
  "dataSources.schema": read,
  "dataSources.refreshSchema": administer,
  "dataSources.descriptions": read,
  "dataSources.tags": read,
  "dataSources.tagTable": configure,
  "dataSources.describe": configure,
  "queries.preview": run,
  "queries.history": { role: "Editor", scope: "no key" },
  "queries.clearHistory": { role: "Editor", scope: "no key" },
  "queries.previewStored": run,
  "queries.previewStep": run,
  "queries.folders": read,
  "queries.createFolder": configure,
  "queries.updateFolder": configure,
  "queries.deleteFolder": configure,
  "queries.list": read,
  "queries.get": read,
  "queries.create": configure,
  "queries.update": configure,
  "queries.archive": configure,
  "queries.archiveMany": configure,
  "queries.moveMany": configure,
  "queries.lock": administer,
  "queries.unlock": administer,
  "queries.versions": read,
  "queries.restoreVersion": configure,
  "queries.archived": administer,
  "queries.unarchive": administer,
  "queries.query": run,
  "queries.dryRun": run,
  "queries.explain": run,
  "subscriptions.list": read,
  "subscriptions.get": read,
  "subscriptions.create": configure,
  "subscriptions.update": configure,
  "subscriptions.edits": read,
  "subscriptions.archive": configure,
  "subscriptions.archiveMany": configure,
  "subscriptions.enableMany": configure,
  "subscriptions.addRecipientToMany": configure,
  "subscriptions.silenceMany": run,
  "subscriptions.silence": run,
  "subscriptions.execute": run,
  "subscriptions.executionRows": read,
  "subscriptions.executions": read,
  "subscriptions.execution": read,
  "subscriptions.incidents": read,
  "subscriptions.recentValues": read,
  "subscriptions.backtest": read,
  "hub.config": read,
  "favorites.list": { role: "Viewer", scope: "no key" },
  "favorites.set": { role: "Viewer", scope: "no key" },
  "gettingStarted.guide": read,
  "gettingStarted.tour": read,
  "gettingStarted.skip": { role: "Viewer", scope: "no key" },
  "gettingStarted.dismiss": { role: "Viewer", scope: "no key" },
  "needsAttention.list": read,
  "needsAttention.count": read,
  "needsAttention.allClear": read,
  "controlTower.statistics": read,
  "controlTower.notRunYet": read,
  "controlTower.health": read,
  "controlTower.detail": read,
  "actors.list": read,
  "actors.page": read,
  "actors.get": read,
  "actors.create": configure,
  "actors.update": configure,
  "actors.archive": configure,
  "actors.pause": configure,
  "actors.resume": configure,
  "actors.think": run,
  "actors.refine": run,
  "actors.executions": read,
  "actors.execution": read,
  "actors.pendingPlans": read,
  "actors.plansThatWait": read,
  "actors.plan": read,
  "actors.plans": read,
  "actors.planVersions": read,
  "actors.pendingCount": read,
  "actors.model": read,
  "actors.proposePlan": run,
  "actors.approvePlan": configure,
  "actors.rejectPlan": configure,
  "actors.requestRevision": configure,
  "actors.archived": administer,
  "actors.unarchive": administer,
  "questions.ask": run,
  "approvals.list": read,
  "approvals.pending": read,
  "approvals.get": read,
  "approvals.workflow": read,
  "approvals.comments": read,
  "approvals.people": read,
  "approvals.comment": configure,
  "approvals.acknowledge": configure,
  "approvals.approve": administer,
  "approvals.reject": administer,
  "settings.get": administerAll,
  "settings.origin": administerAll,
  "settings.update": administerAll,
  "settings.approveChange": administerAll,
  "settings.rejectChange": administerAll,
  "incidents.list": read,
  "incidents.figures": read,
  "incidents.assignees": run,
  "incidents.get": read,
  "incidents.changes": read,
  "incidents.acknowledge": run,
  "incidents.assign": run,
  "incidents.silence": run,
  "incidents.resolve": run,
  "incidents.comment": run,
  "incidents.policies": read,
  "incidents.policiesPage": read,
  "incidents.policy": read,
  "incidents.createPolicy": configure,
  "incidents.updatePolicy": configure,
  "incidents.removePolicy": configure,
  "reportedEvents.list": read,
  "reportedEvents.report": run,
  "reportedEvents.openLineage": run,
  "reportedEvents.remove": run,
  "gate.open": read,
  "watch.get": read,
  "watch.set": administer,
  "watch.list": read,
  "watch.table": read,
  "watch.expect": run,
  "maintenance.list": read,
  "maintenance.page": read,
  "maintenance.get": read,
  "maintenance.create": configure,
  "maintenance.update": configure,
  "maintenance.end": configure,
  "maintenance.remove": configure,
  "tasks.list": read,
  "tasks.assignees": run,
  "tasks.get": read,
  "tasks.resolve": run,
  "tasks.resolveMany": run,
  "tasks.assignMany": run,
  "tasks.snoozeMany": run,
  "tasks.prioritizeMany": run,
  "tasks.assign": run,
  "tasks.snooze": run,
  "tasks.prioritise": run,
  "tasks.comments": read,
  "tasks.comment": run,
  "anomalies.list": read,
  "anomalies.get": read,
  "anomalies.acknowledge": run,
  "actors.edits": read,
  "causes.ofFinding": run,
  "causes.ofRule": run,
  "causes.why": read,
  "causes.account": run,
  "catalog.search": read,
  "catalog.find": read,
  "catalog.glance": read,
  "catalog.overview": read,
  "catalog.documentation": read,
  "catalog.projectDocumentation": read,
  "catalog.page": read,
  "catalog.sources": read,
  "catalog.tables": read,
  "catalog.table": read,
  "catalog.lineage": read,
  "catalog.figures": run,
  "catalog.export": read,
  "dataQuality.overview": read,
  "dataQuality.tableHistory": read,
  "dataQuality.contracts": read,
  "dataQuality.searchContracts": read,
  "dataQuality.contract": read,
  "dataQuality.createContract": configure,
  "dataQuality.updateContract": configure,
  "dataQuality.cost": read,
  "dataQuality.contractEdits": read,
  "dataQuality.versions": read,
  "dataQuality.version": read,
  "dataQuality.restoreVersion": configure,
  "dataQuality.archiveContract": configure,
  "dataQuality.templates": read,
  "dataQuality.templatesPage": read,
  "dataQuality.template": read,
  "dataQuality.previewTemplate": run,
  "dataQuality.createTemplate": configure,
  "dataQuality.updateTemplate": configure,
  "dataQuality.removeTemplate": configure,
  "dataQuality.contractTemplates": read,
  "dataQuality.leaveOutRule": configure,
  "dataQuality.detachRule": configure,
  "dataQuality.returnRule": configure,
  "dataQuality.knownFailures": read,
  "dataQuality.markKnownFailure": configure,
  "dataQuality.endKnownFailure": configure,
  "dataQuality.silence": run,
  "dataQuality.silenceMany": run,
  "dataQuality.assignMany": configure,
  "dataQuality.archiveMany": configure,
  "dataQuality.owners": configure,
  "dataQuality.assign": configure,
  "dataQuality.evaluate": run,
  "dataQuality.suggestRules": run,
  "dataQuality.startEvaluation": run,
  "dataQuality.exportContract": read,
  "dataQuality.importContracts": configure,
  "dataQuality.previewImport": run,
  "dataQuality.importDbt": configure,
  "dataQuality.previewDbt": run,
  "dataQuality.importSoda": configure,
  "dataQuality.previewSoda": run,
  "dataQuality.importGx": configure,
  "dataQuality.previewGx": run,
  "dataQuality.evaluations": read,
  "dataQuality.evaluation": read,
  "dataQuality.backtestRule": read,
  "dataQuality.samples": read,
  "dataQuality.series": read,
  "dataQuality.ruleStates": read,
  "dataQuality.changes": read,
  "dataQuality.columns": run,
  "dataQuality.dryRunRule": run,
  "dataQuality.dryRunContract": run,
  "findings.scan": run,
  "findings.scanAndWait": run,
  "findings.stopScan": run,
  "findings.scans": read,
  "findings.tables": read,
  "findings.scanById": read,
  "findings.list": read,
  "findings.get": read,
  "findings.samples": read,
  "findings.teach": configure,
  "findings.teachAnswer": configure,
  "findings.teachUndo": configure,
  "findings.teachInTurn": configure,
  "findings.accept": configure,
  "findings.dismiss": configure,
  "stacks.things": read,
  "stacks.takeOver": administer,
  "recipients.list": read,
  "recipients.page": read,
  "recipients.create": configure,
  "recipients.update": configure,
  "recipients.delete": configure,
  "recipients.test": configure,
  "notifications.get": read,
  "notifications.list": read,
  "notifications.retry": run,
  "notifications.retryMany": run,
  "users.list": administerAll,
  "users.page": administerAll,
  "users.resetSecondFactor": { role: "Admin", scope: "no key", limited: "nobody" },
  "users.signInPolicy": administerAll,
  "users.setSignInPolicy": administerAll,
  "users.create": administerAll,
  "users.update": administerAll,
  "users.sessions": administerAll,
  "users.revokeSession": administerAll,
  "users.revokeSessions": administerAll,
  "serviceAccounts.list": administerAll,
  "serviceAccounts.page": administerAll,
  "serviceAccounts.create": administerAll,
  "serviceAccounts.update": administerAll,
  "jobs.list": administerAll,
  "jobs.retry": administerAll,
  "jobs.cancel": administerAll,
  "jobs.engine": administerAll,
  "auditLog.list": administerAll,
  "auditLog.choices": administerAll,
  "auditLog.verify": administerAll,
};

type Caller = {
  name: string;
  headers: Record<string, string>;
  role: Role | null;
  scope: Scope | null;
  isLimited?: true;
};
const callers: Caller[] = [];

beforeAll(async () => {
  callers.push({ name: "nobody", headers: {}, role: null, scope: null });
  for (const role of roles) {
    const cookie = await cookieOf(await aUser(role));
    callers.push({ name: `a session of ${role}`, headers: { cookie }, role, scope: null });
    for (const scope of scopes) {
      // Created while its user was an Admin: a key keeps its scopes, and is limited by its user's current role.
      const owner = await asAdmin();
      const { headers } = await aKey({ scopes: [scope] }, owner);
      await db.update(users).set({ role }).where(eq(users.id, owner.principal.userId));
      callers.push({ name: `a ${scope} key of ${role}`, headers, role, scope });
    }
    // Limited to one project: the person, and an unlimited key of theirs; and a limited key of someone who is not.
    const { id: projectId } = await aProject();
    const member = await cookieOf(await aMember({ projectId, role }));
    const limited = { role, isLimited: true } as const;
    callers.push({ name: `a member as ${role}`, headers: { cookie: member }, scope: null, ...limited });
    const owner = await asAdmin();
    const ofMember = await aKey({ scopes: ["Admin"] }, owner);
    const { userId } = owner.principal;
    await db.update(users).set({ role: "Viewer", limitedToProjects: true }).where(eq(users.id, userId));
    await db.insert(projectMembers).values({ userId, projectId, role });
    callers.push({
      name: `a key of a member as ${role}`,
      headers: ofMember.headers,
      scope: "Admin",
      ...limited,
    });
    const other = await asAdmin();
    const limitedKey = await aKey({ scopes: ["Admin"], allowedProjectIds: [projectId] }, other);
    await db.update(users).set({ role }).where(eq(users.id, other.principal.userId));
    callers.push({
      name: `a limited key of ${role}`,
      headers: limitedKey.headers,
      scope: "Admin",
      ...limited,
    });
  }
});

type Answer = "passes" | 401 | 403;

function expected(rule: Rule, { role, scope, isLimited }: Caller): Answer {
  if (rule === "anyone") return "passes";
  if (role === null) return 401;
  if (roles.indexOf(role) < roles.indexOf(rule.role)) return 403;
  if (isLimited && rule.limited === "nobody") return 403;
  if (scope === null) return "passes";
  if (isLimited && rule.limited === "people") return 403;
  if (rule.scope === "no key") return 403;
  return scopes.indexOf(scope) >= scopes.indexOf(rule.scope) ? "passes" : 403;
}

/** The result once access is granted: 400 for the empty input, 404 for the unknown id, or 200. */
const answerOf = (status: number): Answer => (status === 401 || status === 403 ? status : "passes");

const nowhere = 2_000_000_000;

type Procedure = { _def: { type: "query" | "mutation" } };
const procedures = appRouter._def.procedures as unknown as Record<string, Procedure>;

/** The document's operations that are procedures, excluding those of next-auth. */
const operations = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, { operationId: string }>)
    .filter(([, { operationId }]) => operationId in procedures)
    .map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, operationId })),
);

test("every procedure has a rule here, and every rule a procedure", () => {
  expect(Object.keys(rules).sort()).toEqual(Object.keys(procedures).sort());
});

test("the document contains every path that the service serves, and no others", () => {
  const others = [
    ...["hub.batchEvents", "hub.events", "hub.userAuth"],
    ...["process.health", "process.metrics", "process.ready"],
    ...["session.csrf", "session.signIn", "session.signInByOidc"],
    ...["session.signInByPasskey", "session.signInSecondStep", "session.signOut"],
  ];
  const all = Object.values(openApiDocument().paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
  );
  expect(all.filter((id) => !(id in procedures)).sort()).toEqual(others);
});

describe("REST", () => {
  test.each(operations)("$method $path", async ({ method, path, operationId }) => {
    for (const caller of callers) {
      const { cookie, ...headers } = caller.headers;
      const { status } = await rest(method, path.replaceAll(/\{\w+\}/g, String(nowhere)), {
        headers,
        ...(cookie && { cookie }),
        ...(method !== "GET" && method !== "DELETE" && { json: {} }),
      });
      const rule = rules[operationId] ?? "anyone";
      expect.soft(answerOf(status), caller.name).toBe(expected(rule, caller));
    }
  });
});

describe("tRPC", () => {
  test.each(Object.keys(procedures))("%s", async (name) => {
    const answers = await answersInBatch(name);
    for (const caller of callers) {
      const rule = rules[name] ?? "anyone";
      expect.soft(answerOf(answers.get(caller.name) ?? 0), caller.name).toBe(expected(rule, caller));
    }
  });

  test.each(["projects.list", "users.list", "queries.create", "views.save", "session.signInOptions"])(
    "%s by itself is answered as in a batch",
    async (name) => {
      const answers = await answersInBatch(name);
      for (const caller of callers) {
        const [status] = await statusesOf([name], caller, "alone");
        expect.soft(status, caller.name).toBe(answers.get(caller.name));
      }
    },
  );
});

/** Queries and mutations, as many together as a batch may have: each is authorized by itself, but the caller is looked up once. */
const batches = Object.values(
  Object.groupBy(Object.keys(procedures), (name) => procedures[name]?._def.type ?? "query"),
).flatMap((names) =>
  Array.from({ length: Math.ceil(names.length / maxBatchCalls) }, (_, index) =>
    names.slice(index * maxBatchCalls, (index + 1) * maxBatchCalls),
  ),
);
const asked = new Map<string[], Promise<Map<string, Map<string, number>>>>();

/** The status of each caller's call to a procedure, which is made with the others of its batch, once. */
async function answersInBatch(name: string): Promise<Map<string, number>> {
  const batch = batches.find((names) => names.includes(name)) ?? [];
  const answers = asked.get(batch) ?? askAll(batch);
  asked.set(batch, answers);
  return (await answers).get(name) ?? new Map();
}

async function askAll(names: string[]): Promise<Map<string, Map<string, number>>> {
  const byName = new Map(names.map((name) => [name, new Map<string, number>()]));
  for (const caller of callers)
    for (const [index, status] of (await statusesOf(names, caller, "together")).entries())
      byName.get(names[index] ?? "")?.set(caller.name, status);
  return byName;
}

async function statusesOf(names: string[], caller: Caller, how: "alone" | "together"): Promise<number[]> {
  const one = { id: nowhere };
  const input = JSON.stringify(how === "alone" ? one : Object.fromEntries(names.map((_, at) => [at, one])));
  const url = `http://localhost:3000/svc/trpc/${names.join(",")}?${how === "alone" ? "" : "batch=1&"}`;
  const headers = { host: "localhost:3000", "content-type": "application/json", ...caller.headers };
  const response = await (procedures[names[0] ?? ""]?._def.type === "query"
    ? handleTrpc(new Request(`${url}input=${encodeURIComponent(input)}`, { headers }))
    : handleTrpc(new Request(url, { method: "POST", headers, body: input })));
  if (how === "alone") return [response.status];
  const answers = (await response.json()) as { error?: { data: { httpStatus: number } } }[];
  expect(answers).toHaveLength(names.length);
  return answers.map(({ error }) => error?.data.httpStatus ?? 200);
}
