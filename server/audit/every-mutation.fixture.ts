import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { appRouter } from "../app-router.ts";
import { chatLinkToken } from "../auth/service/chat-accounts.ts";
import { chatAccounts, passkeys } from "../auth/tables.ts";
import { rules } from "../data-quality/tables.ts";
import { db } from "../db/client.ts";
import { createContext } from "../doors/context.ts";
import { handleTrpc } from "../doors/trpc.ts";
import { env } from "../env.ts";
import { deliveries } from "../notifications/tables.ts";
import { unsubscribeLinks } from "../notifications/unsubscribe.ts";
import { addressHeader } from "../request-headers.ts";
import { managedThings } from "../stacks/tables.ts";
import { anAuthenticator } from "../test/authenticator.ts";
import { anActor, aPlan } from "../test/factories/actors.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aDataSource, aProject, ownConnection } from "../test/factories/data-sources.ts";
import { aFinding, aRunningScan } from "../test/factories/findings.ts";
import { aJob } from "../test/factories/jobs.ts";
import { aRecipient } from "../test/factories/notifications.ts";
import { asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aMember, cookieOf } from "../test/factories/sessions.ts";
import { anAnomaly, aSubscription } from "../test/factories/subscriptions.ts";
import { aTableAlert } from "../test/factories/watch.ts";
import { startModelServer } from "../test/model-server.ts";
import { rest } from "../test/rest-client.ts";
import { saveView } from "../views/service.ts";

const inChat = { service: "Slack", teamId: "T1", accountId: "U1", name: "ada" } as const;

/** Secrets that must not appear anywhere; the service's own are added once they are returned. */
export const secrets = {
  first: "First-Admin-Hunter2!",
  next: "Next-Hunter2-ø#/ %",
  user: "New-User-Hunter2?x=1",
  connection: "Connection-Hunter2@host:5432/",
  parameter: "Parameter-Hunter2' or 1=1",
  literal: "Literal-Hunter2",
  header: "Bearer Header-Hunter2",
  destination: "Destination-Hunter2",
  property: "Unknown-Property-Hunter2",
  key: "sk-Model-Hunter2",
};

type Answer = Awaited<ReturnType<typeof rest>>;
export const headers = { [addressHeader]: "203.0.113.7" };
/** The caller, and the key that they created. */
export const caller = { cookie: "", rawKey: "" };
/** The ids of objects created so far. */
export const made: Record<string, number> = {};
/** A hook that runs before each request, for example to inspect what is stored. */
export const before: { request: () => Promise<void> } = { request: async () => {} };

export async function send(method: string, path: string, json?: unknown, more: object = {}) {
  await before.request();
  const { cookie } = caller;
  return rest(method, path, {
    cookie,
    headers,
    mayBreak: true,
    ...(json !== undefined && { json }),
    ...more,
  });
}

export const connection = (more: object = {}) => ({
  ...ownConnection(),
  user: "nobody_of_this_name",
  password: secrets.connection,
  ...more,
});

async function byTrpc(procedure: string, input: object): Promise<{ status: number }> {
  await before.request();
  const { cookie } = caller;
  return handleTrpc(
    new Request(`http://localhost:3000/svc/trpc/${procedure}`, {
      method: "POST",
      headers: { cookie, host: "localhost:3000", "content-type": "application/json", ...headers },
      body: JSON.stringify(input),
    }),
  );
}

const askModel = () =>
  withModel({ explanation: "", dataSourceId: null, sql: `select '${secrets.literal}' as literal` }, () =>
    byTrpc("questions.ask", { dataSourceId: made.watched, question: `Who has ${secrets.literal}?` }),
  );

/** Calls what asks a language model, which exists for this call only. */
async function withModel(
  answer: unknown,
  call: () => Promise<{ status: number }>,
): Promise<{ status: number }> {
  const model = await startModelServer();
  model.reply({ answer });
  const settings = env();
  const usual = { ...settings };
  Object.assign(settings, { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: secrets.key, LLM_MODEL: "scripted" });
  try {
    return await call();
  } finally {
    Object.assign(
      settings,
      { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined, LLM_MODEL: undefined },
      usual,
    );
    await model.close();
  }
}

const contract = () => ({
  name: "Orders",
  dataSourceId: made.watched,
  tableName: "users",
  cronExpression: "0 6 * * *",
  rules: [aRule("CustomSql", { sql: "select 1 as passed" })],
});

const template = () => ({
  name: "Has rows",
  rule: { name: "{table} has rows", type: "Volume", configuration: { minRows: 1 } },
  selector: { dataSourceIds: [made.watched] },
});
/** On a contract that has the template's rule from the beginning, beside one of its own. */
async function ofTemplate(act: string): Promise<string> {
  made.templated ??= (await aContract({ dataSourceId: made.watched ?? 0, tableName: "users" })).id;
  return `/data-quality/contracts/${made.templated}/templates/${made.template}/${act}`;
}

const folder = () => ({ projectId: made.itsProject, name: "Orders" });
const query = (sql: string) => ({
  projectId: made.itsProject,
  name: "Orders",
  steps: [{ dataSourceId: made.watched, sql }],
  changeSummary: secrets.literal,
});

const subscription = () => ({
  queryId: made.query,
  cronExpression: "0 6 * * *",
  condition: { kind: "RowsFound" },
  createTasks: true,
});

const actor = (more: object = {}) => ({
  ...{ name: "Watch", instructions: secrets.literal, additionalContext: secrets.literal },
  ...{ activateImmediately: false, ...more },
});

export const preview = (dataSourceId: number | undefined, typed = "text") =>
  send("POST", "/queries/preview", {
    dataSourceId,
    sql: `select '${secrets.literal}' as literal, cast({{value}} as ${typed}) as value`,
    parameters: { value: secrets.parameter },
  });

/** One successful call of each mutation, in an order that works, with secrets wherever one can be entered. */
export const calls: Record<string, () => Promise<{ status: number }>> = {
  "session.setUp": () =>
    send("POST", "/setup", { name: "Ada", email: "ada@example.com", password: secrets.first }),
  "session.changePassword": async () => {
    caller.cookie = await cookieOf({ id: 1 });
    const changed = await send("POST", "/auth/change-password", {
      current: secrets.first,
      next: secrets.next,
    });
    // Needed because this call ended every session.
    if (changed.status < 300) caller.cookie = await cookieOf({ id: 1 });
    return changed;
  },
  "users.create": () =>
    send("POST", "/users", { name: "Bo", email: "bo@example.com", password: secrets.user, role: "Editor" }),
  "users.update": () => send("PUT", "/users/2", { name: "Bo", role: "Admin" }),
  "serviceAccounts.create": () =>
    keep("serviceAccount", send("POST", "/service-accounts", { name: "Pipeline", role: "Editor" })),
  "serviceAccounts.update": () =>
    send("PUT", `/service-accounts/${made.serviceAccount}`, { name: "Nightly pipeline", role: "Viewer" }),
  "views.save": () => byTrpc("views.save", { page: "tasks", name: "Late", filters: "status=all" }),
  "views.delete": async () => {
    const ctx = await asEditor();
    made.view ??= (await saveView(ctx, { page: "tasks", name: "Shared", filters: "", isShared: true })).id;
    return byTrpc("views.delete", { id: made.view });
  },
  "notifications.setPreferences": () =>
    send("PUT", "/auth/me/notifications", {
      topics: { Incidents: "Now", Tasks: "Never", Mentions: "Now", Decisions: "Now" },
      ...{ quietHours: { from: "22:00", until: "07:00" }, urgentInQuietHours: true },
      digest: { at: "07:30", days: "Weekdays", evenIfNothingIsNew: false },
    }),
  "notifications.unsubscribe": () =>
    byTrpc("notifications.unsubscribe", { token: unsubscribeLinks(1).page.split("token=")[1] }),
  "session.addTotp": async () => {
    const { body } = await send("GET", "/auth/second-factor/new-totp");
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate();
    return send("POST", "/auth/second-factor/totp", { ticket: body.ticket, code });
  },
  "session.addPasskey": async () => {
    const { session } = appRouter.createCaller(await createContext(new Headers({ cookie: caller.cookie })));
    const { options, ticket } = await session.newPasskey();
    const response = anAuthenticator().create(String(options.challenge));
    return byTrpc("session.addPasskey", { ticket, name: "Laptop", response });
  },
  "session.newRecoveryCodes": () => send("POST", "/auth/second-factor/recovery-codes", {}),
  "session.removePasskey": async () => {
    const { body } = await send("GET", "/auth/second-factor");
    return send("POST", `/auth/second-factor/passkeys/${body.passkeys[0].id}/remove`, {});
  },
  "session.removeTotp": () => send("POST", "/auth/second-factor/totp/remove", {}),
  "users.resetSecondFactor": async () => {
    const lost = { userId: 2, name: "Lost", credentialId: "lost", publicKey: Buffer.alloc(1) };
    await db
      .insert(passkeys)
      .values({ ...lost, counter: 0, transports: [] })
      .onConflictDoNothing();
    return send("POST", "/users/2/second-factor/reset", {});
  },
  "users.setSignInPolicy": () => send("PUT", "/settings/sign-in", { secondFactorRoles: [] }),
  "session.updateMe": () => send("PUT", "/auth/me", { timeZone: "Europe/Berlin" }),
  "session.signOutEverywhere": () => send("POST", "/auth/sign-out-everywhere", {}),
  "session.linkChat": () => byTrpc("session.linkChat", { token: chatLinkToken(inChat) }),
  "session.unlinkChat": async () => {
    const [account] = await db.select().from(chatAccounts);
    return byTrpc("session.unlinkChat", { id: account?.id });
  },
  "session.revoke": async () => {
    const other = await cookieOf({ id: 1 });
    const listed = await rest("GET", "/auth/sessions", { cookie: other });
    const { id } = listed.body.items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    return send("POST", `/auth/sessions/${id}/revoke`, {});
  },
  "users.revokeSession": async () => {
    await cookieOf({ id: 2 });
    const { body } = await rest("GET", "/users/2/sessions", { cookie: caller.cookie });
    return send("POST", `/users/2/sessions/${body.items[0].id}/revoke`, {});
  },
  "users.revokeSessions": () => send("POST", "/users/2/sign-out", {}),
  "apiKeys.create": async () => {
    const created = await send("POST", "/api-keys", { name: "CI", scopes: ["Admin"] });
    caller.rawKey = created.body.rawKey;
    made.key = created.body.id;
    return created;
  },
  // A key pasted into the name field.
  "projects.create": () => keep("project", send("POST", "/projects", { name: `Mine ${caller.rawKey}` })),
  "projects.update": () => send("PUT", `/projects/${made.project}`, { name: `Mine ${caller.rawKey}` }),
  "projects.setMember": async () => {
    made.member ??= (await aMember()).id;
    return send("PUT", `/projects/${made.project}/members/${made.member}`, { role: "Editor" });
  },
  "projects.removeMember": async () => {
    const { id } = await aMember({ projectId: made.project ?? 0, role: "Viewer" });
    return send("DELETE", `/projects/${made.project}/members/${id}`);
  },
  "recipients.create": async () => {
    const fields = {
      projectId: made.project,
      name: "Hook",
      type: "Webhook",
      destination: `https://127.0.0.1/${secrets.destination}`,
    };
    const created = await keep("recipient", send("POST", "/recipients", fields));
    Object.assign(secrets, { signing: created.body.signingSecret });
    return created;
  },
  "recipients.update": () =>
    send("PUT", `/recipients/${made.recipient}`, {
      ...{ name: "Hook", type: "Webhook", destination: `https://127.0.0.1/${secrets.destination}` },
    }),
  // Fails, because the address is not public.
  "recipients.test": () => send("POST", `/recipients/${made.recipient}/test`),
  "notifications.retry": async () => {
    const { body } = await send("GET", `/notifications?recipientId=${made.recipient}`);
    return send("POST", `/notifications/${body.items[0].id}/retry`);
  },
  "notifications.retryMany": async () => {
    const { body } = await rest("GET", `/notifications?recipientId=${made.recipient}`, {
      cookie: caller.cookie,
    });
    const { id } = body.items[0];
    await db
      .update(deliveries)
      .set({ status: "Failed", nextAttemptAt: null, failedAt: new Date() })
      .where(eq(deliveries.id, id));
    return send("POST", "/bulk/notifications/retry", { ids: [id] });
  },
  "stacks.takeOver": async () => {
    const { recipient = 0, project = 0 } = made;
    await db
      .insert(managedThings)
      .values({
        ...{ kind: "Recipient", objectId: recipient, projectId: project, revision: 1 },
        ...{ stack: "acme/shop", path: "recipients.yaml", appliedBy: "Deploy" },
      })
      // It may be tried again.
      .onConflictDoNothing();
    return send("POST", "/stacks/take-over", { kind: "Recipient", id: recipient });
  },
  "recipients.delete": () => send("DELETE", `/recipients/${made.recipient}`),
  "dataSources.testConnection": () =>
    send("POST", "/data-sources/test-connection", { kind: "PostgreSql", connection: connection() }),
  "dataSources.create": () =>
    keep(
      "source",
      send("POST", "/data-sources", {
        ...{ projectId: made.project, name: "Warehouse", kind: "PostgreSql", connection: connection() },
      }),
    ),
  "dataSources.update": () =>
    send("PUT", `/data-sources/${made.source}`, { name: "Warehouse 2", connection: connection({ port: 1 }) }),
  "favorites.set": () => byTrpc("favorites.set", { kind: "DataSource", id: made.source, isFavorite: true }),
  "dataSources.refreshSchema": async () => {
    const source = await aDataSource({ projectId: (await aProject()).id });
    Object.assign(made, { watched: source.id, itsProject: source.projectId });
    return send("POST", `/data-sources/${made.watched}/refresh-schema`);
  },
  "dataSources.describe": () =>
    send("PUT", `/data-sources/${made.watched}/descriptions`, {
      ...{ schemaName: "public", tableName: "users", columnName: "name", description: secrets.literal },
    }),
  "dataSources.tagTable": () =>
    send("PUT", `/data-sources/${made.watched}/tags`, {
      schemaName: "public",
      tableName: "users",
      tags: ["pii"],
    }),
  "queries.preview": () => preview(made.watched),
  "queries.query": () =>
    byTrpc("queries.query", { dataSourceId: made.watched, sql: `select '${secrets.literal}' as literal` }),
  "queries.explain": () =>
    byTrpc("queries.explain", { dataSourceId: made.watched, sql: `select '${secrets.literal}' as literal` }),
  "queries.dryRun": () =>
    byTrpc("queries.dryRun", {
      dataSourceId: made.watched,
      sql: `select '${secrets.literal}' as literal, cast({{value}} as text) as value`,
      parameters: { value: secrets.parameter },
    }),
  "questions.ask": askModel,
  "queries.createFolder": () => keep("folder", send("POST", "/query-folders", folder())),
  "queries.updateFolder": () => send("PUT", `/query-folders/${made.folder}`, folder()),
  "queries.create": () => keep("query", send("POST", "/queries", query("select 1 as one"))),
  "queries.update": () =>
    send("PUT", `/queries/${made.query}`, query(`select '${secrets.literal}' as literal`)),
  "queries.previewStored": () => send("POST", `/queries/${made.query}/preview`),
  "queries.previewStep": () => send("POST", `/queries/${made.query}/steps/1/preview`),
  "queries.clearHistory": () => byTrpc("queries.clearHistory", {}),
  "gettingStarted.skip": () => byTrpc("gettingStarted.skip", { step: "Recipient", isSkipped: true }),
  "gettingStarted.dismiss": () => byTrpc("gettingStarted.dismiss", { isDismissed: true }),
  "queries.restoreVersion": () => send("POST", `/queries/${made.query}/versions/1/restore`),
  "queries.lock": () => send("POST", `/queries/${made.query}/lock`),
  "queries.unlock": () => send("POST", `/queries/${made.query}/unlock`),
  "subscriptions.create": () => keep("subscription", send("POST", "/subscriptions", subscription())),
  "subscriptions.update": () => send("PUT", `/subscriptions/${made.subscription}`, subscription()),
  "subscriptions.silence": () =>
    send("POST", `/subscriptions/${made.subscription}/silence`, { until: "2999-01-01T00:00:00Z" }),
  "subscriptions.silenceMany": () =>
    send("POST", "/bulk/subscriptions/silence", {
      ...{ ids: [made.subscription], until: "2999-02-01T00:00:00Z", reason: secrets.literal },
    }),
  "subscriptions.enableMany": () =>
    send("POST", "/bulk/subscriptions/enable", { ids: [made.subscription], enabled: true }),
  "subscriptions.addRecipientToMany": async () => {
    made.told ??= (await aRecipient({ projectId: made.itsProject ?? 0 })).id;
    return send("POST", "/bulk/subscriptions/add-recipient", {
      ...{ ids: [made.subscription], recipientId: made.told },
    });
  },
  "subscriptions.archiveMany": async () => {
    made.another ??= (await aSubscription()).id;
    return send("POST", "/bulk/subscriptions/archive", { ids: [made.another] });
  },
  "subscriptions.execute": () =>
    send("POST", `/subscriptions/${made.subscription}/execute`, undefined, {
      headers: { ...headers, prefer: "wait" },
    }),
  "tasks.comment": async () => {
    const { body } = await send("GET", `/tasks?subscriptionId=${made.subscription}`);
    made.task = body.items[0].id;
    return send("POST", `/tasks/${made.task}/comments`, { text: secrets.literal });
  },
  "tasks.assign": () => send("POST", `/tasks/${made.task}/assign`, { userId: 1 }),
  "tasks.prioritise": () => send("POST", `/tasks/${made.task}/priority`, { priority: "High" }),
  "tasks.snooze": () => send("POST", `/tasks/${made.task}/snooze`, { until: "2999-01-01T00:00:00Z" }),
  "tasks.assignMany": () => send("POST", "/bulk/tasks/assign", { ids: [made.task], userId: 1 }),
  "tasks.prioritizeMany": () => send("POST", "/bulk/tasks/priority", { ids: [made.task], priority: "Low" }),
  "tasks.snoozeMany": () =>
    send("POST", "/bulk/tasks/snooze", { ids: [made.task], until: "2999-01-01T00:00:00Z" }),
  "tasks.resolveMany": () =>
    send("POST", "/bulk/tasks/resolve", { ids: [made.task], resolutionNotes: secrets.literal }),
  "tasks.resolve": () => send("POST", `/tasks/${made.task}/resolve`, { resolutionNotes: secrets.literal }),
  "anomalies.acknowledge": async () =>
    send("POST", `/anomalies/${await anAnomaly(made.subscription ?? 0)}/acknowledge`),
  "subscriptions.archive": () => send("DELETE", `/subscriptions/${made.subscription}`),
  "jobs.cancel": async () => {
    made.job = await aJob();
    return send("POST", `/jobs/${made.job}/cancel`);
  },
  "jobs.retry": () => send("POST", `/jobs/${made.job}/retry`),
  "settings.update": () => send("PUT", "/settings", { approvalWorkflow: true, fourEyes: false }),
  "settings.rejectChange": async () => {
    await send("PUT", "/settings", { approvalWorkflow: true, fourEyes: true });
    const { body } = await send("PUT", "/settings", { approvalWorkflow: true, fourEyes: false });
    return send("POST", `/settings/changes/${body.pendingChange.id}/reject`);
  },
  "settings.approveChange": async () => {
    const { body } = await send("PUT", "/settings", { approvalWorkflow: true, fourEyes: false });
    const other = { cookie: await cookieOf({ id: 2 }) };
    return send("POST", `/settings/changes/${body.pendingChange.id}/approve`, undefined, other);
  },
  "approvals.reject": () => decide("reject", `select '${secrets.literal}' as refused`),
  "approvals.approve": () => decide("approve", `select '${secrets.literal}' as accepted`),
  "approvals.comment": async () => {
    const { body } = await send("GET", "/approvals");
    return send("POST", `/approvals/${body.items[0].id}/comments`, { text: secrets.literal });
  },
  "approvals.acknowledge": async () => {
    const { body } = await send("GET", "/approvals");
    return send("POST", `/approvals/${body.items[0].id}/acknowledge`);
  },
  "actors.create": async () => {
    await send("PUT", "/settings", { approvalWorkflow: false, fourEyes: false });
    return keep("actor", send("POST", "/ai-actors", actor({ dataSourceId: made.watched })));
  },
  "actors.update": () => send("PUT", `/ai-actors/${made.actor}`, actor()),
  "actors.resume": () => send("POST", `/ai-actors/${made.actor}/resume`),
  "actors.think": () =>
    send("POST", `/ai-actors/${made.actor}/think`, undefined, { headers: { ...headers, prefer: "wait" } }),
  "actors.refine": () =>
    send(
      "POST",
      `/ai-actors/${made.actor}/refine`,
      { feedback: secrets.literal },
      { headers: { ...headers, prefer: "wait" } },
    ),
  "actors.proposePlan": async () => {
    // In the name of an actor of its own: another may have a plan that waits.
    made.proposer ??= (await anActor({ dataSourceId: made.watched ?? 0 })).id;
    return byTrpc("actors.proposePlan", {
      ...{ actorId: made.proposer, analysis: secrets.literal },
      actions: [
        { kind: "CreateQuery", reasoning: secrets.literal, name: "Proposed", sql: "select 1 as one" },
      ],
    });
  },
  "actors.approvePlan": async () =>
    send("POST", `/ai-actors/plans/${(await aPlan(made.actor ?? 0)).id}/approve`, {
      comment: secrets.literal,
    }),
  "actors.rejectPlan": async () =>
    send("POST", `/ai-actors/plans/${(await aPlan(made.actor ?? 0)).id}/reject`, { reason: secrets.literal }),
  "actors.requestRevision": async () =>
    send("POST", `/ai-actors/plans/${(await aPlan(made.actor ?? 0)).id}/request-revision`, {
      feedback: secrets.literal,
    }),
  "actors.pause": () => send("POST", `/ai-actors/${made.actor}/pause`),
  "actors.archive": () => send("DELETE", `/ai-actors/${made.actor}`),
  "actors.unarchive": () => byTrpc("actors.unarchive", { id: made.actor }),
  "queries.moveMany": () => send("POST", "/bulk/queries/move", { ids: [made.query] }),
  "queries.archiveMany": async () => {
    made.spare ??= (await aQuery()).id;
    return send("POST", "/bulk/queries/archive", { ids: [made.spare] });
  },
  "queries.archive": () => send("DELETE", `/queries/${made.query}`),
  "queries.unarchive": () => byTrpc("queries.unarchive", { id: made.query }),
  "queries.deleteFolder": () => send("DELETE", `/query-folders/${made.folder}`),
  "dataQuality.createContract": () => keep("contract", send("POST", "/data-quality/contracts", contract())),
  "dataQuality.updateContract": () => send("PUT", `/data-quality/contracts/${made.contract}`, contract()),
  "dataQuality.restoreVersion": () =>
    send("POST", `/data-quality/contracts/${made.contract}/versions/1/restore`),
  "dataQuality.markKnownFailure": async () => {
    const [rule] = await db
      .select({ key: rules.key })
      .from(rules)
      .where(eq(rules.contractId, made.contract ?? 0));
    return keep(
      "knownFailure",
      send("POST", `/data-quality/contracts/${made.contract}/known-failures`, {
        ...{ ruleKey: rule?.key, until: "2999-01-01T00:00:00Z", reason: secrets.literal },
      }),
    );
  },
  "dataQuality.endKnownFailure": () =>
    send("POST", `/data-quality/contracts/${made.contract}/known-failures/${made.knownFailure}/end`),
  "dataQuality.createTemplate": () =>
    keep("template", send("POST", "/data-quality/templates", { projectId: made.itsProject, ...template() })),
  "dataQuality.updateTemplate": () => send("PUT", `/data-quality/templates/${made.template}`, template()),
  "dataQuality.detachRule": async () => send("POST", await ofTemplate("detach"), { reason: secrets.literal }),
  "dataQuality.returnRule": async () => send("POST", await ofTemplate("return"), {}),
  "dataQuality.leaveOutRule": async () =>
    send("POST", await ofTemplate("leave-out"), { reason: secrets.literal }),
  "dataQuality.removeTemplate": () => send("DELETE", `/data-quality/templates/${made.template}?rules=Keep`),
  "dataQuality.silence": () =>
    send("POST", `/data-quality/contracts/${made.contract}/silence`, { until: "2999-01-01T00:00:00Z" }),
  "dataQuality.assign": () => send("POST", `/data-quality/contracts/${made.contract}/assign`),
  "dataQuality.silenceMany": () =>
    send("POST", "/bulk/contracts/silence", { ids: [made.contract], until: "2999-01-01T00:00:00Z" }),
  "dataQuality.assignMany": () => send("POST", "/bulk/contracts/assign", { ids: [made.contract], userId: 1 }),
  "dataQuality.archiveMany": async () => {
    made.spareContract ??= (await aContract()).id;
    return send("POST", "/bulk/contracts/archive", { ids: [made.spareContract] });
  },
  "dataQuality.evaluate": () => send("POST", `/data-quality/contracts/${made.contract}/evaluate`),
  "dataQuality.startEvaluation": () => byTrpc("dataQuality.startEvaluation", { id: made.contract }),
  "dataQuality.importContracts": () =>
    send("POST", `/data-quality/contracts/import?dataSourceId=${made.watched}`, undefined, {
      headers: { ...headers, "content-type": "application/yaml" },
      body: [
        "{apiVersion: v3.1.0, kind: DataContract, id: users, version: 1.0.0, status: active, schema: [",
        "{name: users, quality: [{type: sql, query: select count(*) from users, mustBe: 0}]}]}",
      ].join("\n"),
    }),
  "dataQuality.importDbt": () =>
    send("POST", "/data-quality/imports/dbt", {
      dataSourceId: made.watched,
      manifest: { metadata: {}, nodes: {} },
    }),
  "dataQuality.importSoda": () =>
    send("POST", "/data-quality/imports/soda", {
      dataSourceId: made.watched,
      files: [{ path: "checks.yml", yaml: "checks for users: [row_count > 0]" }],
    }),
  "dataQuality.importGx": () =>
    send("POST", "/data-quality/imports/gx", {
      dataSourceId: made.watched,
      files: [{ path: "users.json", suite: { name: "users", expectations: [] } }],
    }),
  "dataQuality.dryRunContract": () => send("POST", "/data-quality/contracts/dry-run", contract()),
  "dataQuality.dryRunRule": () => {
    const { dataSourceId, tableName, rules } = contract();
    return send("POST", "/data-quality/rules/dry-run", { dataSourceId, tableName, rule: rules[0] });
  },
  "dataQuality.suggestRules": () =>
    send("POST", "/data-quality/suggestions", { dataSourceId: made.watched, tableName: "users" }),
  "findings.scan": () =>
    send("POST", "/data-quality/findings/scans", {
      dataSourceId: made.watched,
      tables: [{ schemaName: "public", tableName: "users" }],
    }),
  "findings.scanAndWait": () =>
    byTrpc("findings.scanAndWait", {
      dataSourceId: made.watched,
      tables: [{ schemaName: "public", tableName: "users" }],
    }),
  "findings.stopScan": async () => {
    // Of a data source of its own: of the others, one may be in progress.
    made.scan ??= (await aRunningScan((await aDataSource({ projectId: made.itsProject ?? 0 })).id)).id;
    return send("POST", `/data-quality/findings/scans/${made.scan}/stop`);
  },
  "findings.accept": async () => send("POST", `/data-quality/findings/${await keptFinding()}/accept`),
  "findings.dismiss": async () =>
    send("POST", `/data-quality/findings/${await keptFinding()}/dismiss`, { reason: secrets.literal }),
  "findings.teachAnswer": () =>
    send("POST", "/data-quality/findings/teach/answers", {
      ...{ dataSourceId: made.watched, schemaName: "public", tableName: "users" },
      ...{ column: "email", cell: `${"0".repeat(32)}-${"1".repeat(32)}`, verdict: "Wrong" },
    }),
  "findings.teachInTurn": () =>
    byTrpc("findings.teachInTurn", {
      ...{ dataSourceId: made.watched, schemaName: "public", tableName: "users" },
      answer: { column: "email", cell: `${"2".repeat(32)}-${"3".repeat(32)}`, verdict: "Wrong" },
    }),
  "findings.teachUndo": () =>
    send("POST", "/data-quality/findings/teach/undo", {
      ...{ dataSourceId: made.watched, schemaName: "public", tableName: "users" },
    }),
  "incidents.comment": async () =>
    send("POST", `/incidents/${await anIncident()}/comments`, { text: secrets.literal }),
  "incidents.assign": async () => send("POST", `/incidents/${await anIncident()}/assign`, { userId: 1 }),
  "incidents.acknowledge": async () => send("POST", `/incidents/${await anIncident()}/acknowledge`, {}),
  "incidents.silence": async () =>
    send("POST", `/incidents/${await anIncident()}/silence`, {
      ...{ until: "2999-01-01T00:00:00Z", reason: secrets.literal },
    }),
  "incidents.resolve": async () =>
    send("POST", `/incidents/${await anIncident()}/resolve`, { note: secrets.literal }),
  "incidents.createPolicy": () =>
    keep("policy", send("POST", "/incident-policies", { projectId: made.itsProject, ...policy() })),
  "incidents.updatePolicy": () => send("PUT", `/incident-policies/${made.policy}`, policy()),
  "incidents.removePolicy": () => send("DELETE", `/incident-policies/${made.policy}`),
  "reportedEvents.report": () =>
    keep(
      "event",
      send("POST", "/events", {
        ...{ projectId: made.itsProject, kind: "Deployment", name: "shop 4.2", description: secrets.literal },
      }),
    ),
  "causes.account": async () => {
    const incidentId = await anIncident();
    const sentences = [{ text: secrets.literal, sources: ["C1"] }];
    return withModel({ sentences }, () => send("POST", "/why/account", { incidentId }));
  },
  "reportedEvents.openLineage": () =>
    send("POST", `/openlineage/${made.itsProject}`, {
      ...{ eventType: "COMPLETE", eventTime: "2026-01-01T00:00:00Z", run: { runId: "1" } },
      job: { namespace: "airflow", name: "orders" },
    }),
  "reportedEvents.remove": () => send("DELETE", `/events/${made.event}`),
  "watch.set": () => send("PUT", `/data-sources/${made.watched}/watch`, { enabled: true }),
  "watch.expect": async () => {
    made.alert ??= (
      await aTableAlert({ dataSourceId: made.watched ?? 0, sentence: secrets.literal })
    ).alert.id;
    return send("POST", `/table-alerts/${made.alert}/expect`, {});
  },
  "maintenance.create": () =>
    keep("window", send("POST", "/maintenance-windows", { projectId: made.itsProject, ...maintenance() })),
  "maintenance.update": () => send("PUT", `/maintenance-windows/${made.window}`, maintenance()),
  "maintenance.end": () => send("POST", `/maintenance-windows/${made.window}/end`, {}),
  "maintenance.remove": () => send("DELETE", `/maintenance-windows/${made.window}`),
  "dataQuality.archiveContract": () => send("DELETE", `/data-quality/contracts/${made.contract}`),
  "dataSources.delete": () => send("DELETE", `/data-sources/${made.source}`),
  "projects.delete": async () => {
    const { body } = await send("POST", "/projects", { name: "Short" });
    return send("DELETE", `/projects/${body.id}`);
  },
  "apiKeys.rotate": async () => {
    const rotated = await send("POST", `/api-keys/${made.key}/rotate`, { overlapHours: 1 });
    if (rotated.body.id) made.key = rotated.body.id;
    return rotated;
  },
  "apiKeys.revoke": () => send("POST", `/api-keys/${made.key}/revoke`),
};

/** Of a contract that was evaluated once and failed. */
async function anIncident(): Promise<number> {
  if (made.incident === undefined) {
    const failing = await aContract({
      ...{ dataSourceId: made.watched ?? 0, tableName: "users" },
      rules: [aRule("CustomSql", { sql: "select false as passed" })],
    });
    await rest("POST", `/data-quality/contracts/${failing.id}/evaluate`, { cookie: caller.cookie });
    const { body } = await rest("GET", `/incidents?contractId=${failing.id}`, { cookie: caller.cookie });
    made.incident = body.items[0].id;
  }
  return made.incident ?? 0;
}
const policy = () => ({ name: "On call", recipientIds: [made.told] });
const maintenance = () => ({
  ...{ name: "Deployment", reason: secrets.literal },
  ...{ startsAt: "2020-01-01T00:00:00Z", endsAt: "2999-01-01T00:00:00Z" },
});

const keptFinding = async () => (await aFinding({ dataSourceId: made.watched ?? 0 })).id;

async function decide(how: "approve" | "reject", text: string): Promise<Answer> {
  await send("PUT", `/queries/${made.query}`, query(text));
  const { body } = await send("GET", "/approvals/pending");
  return send("POST", `/approvals/${body.items[0].id}/${how}`, { comment: secrets.literal });
}

async function keep(what: string, answer: Promise<Answer>): Promise<Answer> {
  made[what] = (await answer).body.id;
  return answer;
}
