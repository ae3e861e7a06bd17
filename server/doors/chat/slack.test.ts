import { and, desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { getPlan } from "../../actors/service/load-plans.ts";
import {
  anOwnActor,
  ctx as author,
  late,
  propose,
  source,
} from "../../actors/service/scripted-model.fixture.ts";
import { actorActions } from "../../actors/tables.ts";
import { appRouter } from "../../app-router.ts";
import { getApproval } from "../../approvals/service/approvals.ts";
import { auditLog } from "../../audit/tables.ts";
import type { Role } from "../../auth/schema.ts";
import { chatAccounts, projectMembers, signInPolicy, users } from "../../auth/tables.ts";
import { evaluations } from "../../data-quality/evaluations/tables.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { listIncidentsInput } from "../../incidents/schema.ts";
import { getIncident, listIncidents } from "../../incidents/service/load-incidents.ts";
import { noticeIncidents } from "../../incidents/service/notice.ts";
import { notifyIncidents } from "../../incidents/service/notify-incidents.ts";
import { createPolicy } from "../../incidents/service/policies.ts";
import { attemptDelivery } from "../../notifications/service/deliver.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { findDoor } from "../../process/doors.ts";
import { querySteps } from "../../queries/tables.ts";
import { addressHeader } from "../../request-headers.ts";
import { updateSettings } from "../../settings/service.ts";
import { getTask } from "../../tasks/service/tasks.ts";
import { tasks } from "../../tasks/tables.ts";
import { aProposal, toCreate } from "../../test/factories/actors.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { aNotification, aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aChangeRequest, aQuery } from "../../test/factories/queries.ts";
import { aMember, aUser, cookieOf } from "../../test/factories/sessions.ts";
import { aSubscription } from "../../test/factories/subscriptions.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import { createCallerFactory } from "../../trpc.ts";
import { createContext } from "../context.ts";
import { forgetRequests } from "../request-limits.ts";
import { slackSignatureOf } from "./slack-signature.ts";

/**
 * Presses in Slack, as Slack reports them: a stand-in for its Web API and its response addresses, and requests signed by
 * its published scheme.
 */

const secret = "a-signing-secret-of-these-tests";
const channel = "C0123456789";
let slack: Awaited<ReturnType<typeof anHttpReceiver>>;

beforeAll(async () => {
  slack = await anHttpReceiver();
  Object.assign(env(), {
    SLACK_SIGNING_SECRET: secret,
    SLACK_BOT_TOKEN: "xoxb-of-these-tests",
    SLACK_API_URL: `${slack.url}/api`,
    OUTBOUND_ALLOW: "127.0.0.1",
    PUBLIC_URL: "https://plumbline.example.com",
  });
  await aRecipient({
    ...{ projectId: source.projectId, name: "Reviews", type: "Slack", destination: channel, decisions: true },
  });
});
beforeEach(() => {
  slack.requests.length = 0;
  slack.answer = (response, { path }) =>
    response.end(path === "/api/chat.postMessage" ? '{"ok":true}' : "ok");
});
afterAll(() => slack.stop());

type Blocks = { type: string; block_id?: string; elements?: { value: string; text: { text: string } }[] }[];
type SlackMessage = { text: string; blocks: Blocks };
type User = { id: string; team_id: string; username: string };

let presses = 0;

/** What Slack sends when someone presses a button of a message. */
function aPress(message: SlackMessage, label: string, by: User, reason?: string) {
  presses += 1;
  const buttons = message.blocks.find((block) => block.type === "actions");
  const button = buttons?.elements?.find(({ text }) => text.text === label);
  if (!buttons || !button) throw new Error(`The message has no button ${label}`);
  return {
    ...{ type: "block_actions", api_app_id: "A1", trigger_id: `1.${presses}`, user: by },
    team: { id: by.team_id, domain: "acme" },
    response_url: `${slack.url}/actions/${by.team_id}/${presses}`,
    // Slack gives blocks an id, and more to pictures.
    message: { ...message, ts: "1.2", blocks: message.blocks.map((block) => ({ block_id: "x", ...block })) },
    actions: [{ ...button, block_id: buttons.block_id, action_ts: `1.${presses}` }],
    ...(reason && {
      state: { values: { "plumbline-reason": { reason: { type: "plain_text_input", value: reason } } } },
    }),
  };
}

type Sending = { secret?: string; at?: number; body?: string };

async function send(payload: object, { secret: by = secret, at = Date.now(), body }: Sending = {}) {
  const text = body ?? new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const timestamp = String(Math.floor(at / 1000));
  return sendSigned(text, {
    timestamp,
    signature: slackSignatureOf({ timestamp, body: Buffer.from(text) }, by),
  });
}

async function sendSigned(body: string, { timestamp, signature }: { timestamp: string; signature: string }) {
  const url = "http://localhost:3000/svc/chat/slack";
  const request = new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": signature,
      [addressHeader]: "203.0.113.9",
    },
    body,
  });
  const response = await findDoor(new URL(url).pathname)?.answer(request);
  return response?.status;
}

/** Presses a button, and returns what Slack was then told. */
async function pressed(message: SlackMessage, label: string, by: User, reason?: string) {
  const payload = aPress(message, label, by, reason);
  expect(await send(payload)).toBe(200);
  const path = new URL(payload.response_url).pathname;
  const answers = () => slack.requests.filter((each) => each.path === path);
  await vi.waitFor(() => expect(answers().length).toBeGreaterThan(0));
  return answers().map(({ json }) => json);
}
const labelsIn = ({ blocks }: SlackMessage) =>
  blocks.find(({ type }) => type === "actions")?.elements?.map(({ text }) => text.text) ?? [];

/** The message that a cause sent to the channel. */
async function posted(
  causeKind: "Plan" | "Approval" | "Incident" | "Execution",
  causeId: number,
): Promise<SlackMessage> {
  const [queued] = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(
      and(
        eq(notifications.causeKind, causeKind),
        eq(notifications.causeId, causeId),
        eq(deliveries.channel, "Slack"),
      ),
    )
    .orderBy(desc(deliveries.id));
  if (!queued) throw new Error("Nothing is queued for Slack");
  // A recipient gets one message at a time, the oldest first.
  const waiting = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.channel, "Slack"), eq(deliveries.status, "Queued")))
    .orderBy(deliveries.id);
  for (const { id } of waiting) expect(await attemptDelivery(id)).toBe("Sent");
  const call = slack.requests.findLast(({ path }) => path === "/api/chat.postMessage");
  expect(call?.headers.authorization).toBe("Bearer xoxb-of-these-tests");
  expect(call?.json.channel).toBe(channel);
  return call?.json;
}

let people = 0;
const inSlack = (): User => {
  people += 1;
  return { id: `U${1000 + people}`, team_id: "T1", username: `person.${people}` };
};

/** Links an account as its owner does: with the address that only they were told, signed in. */
async function link(account: User, user: { id: number }, message: SlackMessage, label: string) {
  const [told] = await pressed(message, label, account);
  expect(told).toMatchObject({ response_type: "ephemeral", replace_original: false });
  expect(told.text).toContain("not linked");
  const token = /https:\/\/plumbline\.example\.com\/link-chat\?token=([\w-]+)\|/.exec(told.text)?.[1] ?? "";
  const api = await signedIn(user);
  await api.session.linkChat({ token });
  return token;
}
const createCaller = createCallerFactory(appRouter);
const signedIn = async (user: { id: number }) =>
  createCaller(await createContext(new Headers({ cookie: await cookieOf(user) })));

/** A user of this role with an account in Slack. */
async function aLinked(role: Role = "Editor", user?: { id: number; name: string }) {
  const who = user ?? (await aUser(role));
  const account = inSlack();
  await db.insert(chatAccounts).values({
    ...{ userId: who.id, service: "Slack", teamId: account.team_id, accountId: account.id },
    ...{ name: account.username, signedInBy: "Password" },
  });
  return { user: who, account };
}

let checks = 0;
async function aWaitingPlan() {
  checks += 1;
  const actor = await anOwnActor({ name: `Watch ${checks}` });
  const plan = await propose(actor.id, aProposal([toCreate(`Late orders ${checks}`, late)]));
  return { plan, message: await posted("Plan", plan.id) };
}
const statusOf = async (planId: number) => (await getPlan(author, planId)).status;

describe("a request", () => {
  const payload = { type: "view_closed" };

  test("that Slack signed is taken once", async () => {
    const body = new URLSearchParams({ payload: JSON.stringify(payload), n: "1" }).toString();
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = slackSignatureOf({ timestamp, body: Buffer.from(body) }, secret);
    expect(await sendSigned(body, { timestamp, signature })).toBe(200);
    expect(await sendSigned(body, { timestamp, signature })).toBe(401);
  });

  test("that another has signed, or that is too old, is refused", async () => {
    expect(await send(payload, { secret: "another" })).toBe(401);
    expect(await send(payload, { at: Date.now() - 301_000 })).toBe(401);
    expect(await sendSigned("payload=%7B%7D", { timestamp: "1", signature: "" })).toBe(401);
  });

  test("that is no press is refused, or ignored", async () => {
    expect(await send({}, { body: "payload=%7B" })).toBe(400);
    expect(await send({}, { body: "x=1" })).toBe(400);
    expect(await send({ type: "block_actions", user: {} })).toBe(400);
    expect(await send({}, { body: `payload=${"x".repeat(520 * 1024)}` })).toBe(413);
    expect(await send({ type: "shortcut" })).toBe(200);
  });

  test("is not answered anywhere but at Slack", async () => {
    const { message } = await aWaitingPlan();
    const { account } = await aLinked();
    const other = { ...aPress(message, "Approve", account), response_url: "https://example.com/actions" };
    expect(await send(other)).toBe(400);
    const disguised = { ...other, response_url: "https://hooks.slack.com.example.com/actions" };
    expect(await send(disguised)).toBe(400);
  });

  test("finds nothing while there is no app", async () => {
    env().SLACK_SIGNING_SECRET = undefined;
    expect(await send(payload)).toBe(404);
    env().SLACK_SIGNING_SECRET = secret;
  });

  test("is limited by its address, and more so if it is not Slack's", async () => {
    const usual = env().RATE_LIMIT_REFUSED;
    forgetRequests();
    env().RATE_LIMIT_REFUSED = 2;
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push(await send(payload, { secret: "another" }));
    expect(statuses).toEqual([401, 401, 429]);
    env().RATE_LIMIT_REFUSED = usual;
    forgetRequests();
  });
});

describe("an account", () => {
  test("that is not linked is told how, and acts as whoever opens the link once", async () => {
    const { plan, message } = await aWaitingPlan();
    const user = await aUser("Editor");
    const account = inSlack();
    const token = await link(account, user, message, "Approve");
    expect(await statusOf(plan.id)).toBe("PendingApproval");
    const api = await signedIn(user);
    await expect(api.session.linkChat({ token })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await api.session.chatAccounts()).toMatchObject({
      items: [{ service: "Slack", teamId: "T1", name: account.username, lastUsedAt: null }],
    });

    const [replaced] = await pressed(message, "Approve", account);
    expect(replaced).toMatchObject({ replace_original: true });
    expect(await statusOf(plan.id)).not.toBe("PendingApproval");
    const [entry] = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, "actors.approvePlan"), eq(auditLog.objectId, plan.id)));
    expect(entry).toMatchObject({
      ...{ principalKind: "User", principalId: user.id, principalName: `${user.name} via Slack` },
      address: "203.0.113.9",
    });
  });

  test("acts in its own workspace alone, and no longer once it is unlinked", async () => {
    const { message } = await aWaitingPlan();
    const { account, user } = await aLinked();
    const [elsewhere] = await pressed(message, "Approve", { ...account, team_id: "T2" });
    expect(elsewhere.text).toContain("not linked");
    const api = await signedIn(user);
    const [linked] = (await api.session.chatAccounts()).items;
    await expect(
      (await signedIn(await aUser())).session.unlinkChat({ id: linked?.id ?? 0 }),
    ).rejects.toThrow();
    await api.session.unlinkChat({ id: linked?.id ?? 0 });
    const [after] = await pressed(message, "Approve", account);
    expect(after.text).toContain("not linked");
  });

  test("can only be linked by a link of ours", async () => {
    const api = await signedIn(await aUser("Editor"));
    await expect(api.session.linkChat({ token: "AAAA" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(api.session.chatLink({ token: "AAAA" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("of someone who is disabled ends for good", async () => {
    const { plan, message } = await aWaitingPlan();
    const { account, user } = await aLinked("Editor");
    const admin = await signedIn(await aUser("Admin"));
    const write = { id: user.id, name: user.name, role: "Editor" as const };
    await admin.users.update({ ...write, enabled: false });
    expect((await pressed(message, "Approve", account))[0].text).toContain("not linked");
    await admin.users.update({ ...write, enabled: true });
    expect((await pressed(message, "Approve", account))[0].text).toContain("not linked");
    expect(await statusOf(plan.id)).toBe("PendingApproval");
  });

  test("that was linked with a password does nothing while only OIDC signs in", async () => {
    const { message } = await aWaitingPlan();
    const { account } = await aLinked();
    env().PASSWORD_SIGN_IN = false;
    expect((await pressed(message, "Approve", account))[0].text).toContain("not linked");
    env().PASSWORD_SIGN_IN = true;
  });

  test("of someone who lacks a second factor that their role needs does nothing", async () => {
    const { plan, message } = await aWaitingPlan();
    const { account } = await aLinked("Editor");
    await db.insert(signInPolicy).values({ id: 1, secondFactorRoles: ["Editor"] });
    const [told] = await pressed(message, "Approve", account);
    await db.delete(signInPolicy);
    expect(told.text).toContain("Your role needs a second factor");
    expect(await statusOf(plan.id)).toBe("PendingApproval");
  });
});

describe("a plan", () => {
  test("is shown whole, and approved by its button", async () => {
    const { plan, message } = await aWaitingPlan();
    expect(JSON.stringify(message.blocks)).toContain("minutes_late &gt; 30");
    expect(labelsIn(message)).toEqual(["Approve", "Reject"]);
    const { account, user } = await aLinked();
    const [replaced] = await pressed(message, "Approve", account, "Looks <right>");
    expect(labelsIn(replaced)).toEqual([]);
    expect(JSON.stringify(replaced.blocks)).toContain(`Approved by ${user.name}: Looks &lt;right&gt;`);
    expect(replaced.blocks[0]).toEqual(message.blocks[0]);
    expect(await getPlan(author, plan.id)).toMatchObject({
      ...{ reviewer: { id: user.id }, decisionReason: "Looks <right>" },
    });
  });

  test("is rejected with a reason only", async () => {
    const { plan, message } = await aWaitingPlan();
    const { account } = await aLinked();
    const [told] = await pressed(message, "Reject", account);
    expect(told.text).toContain("Enter a reason first");
    expect(await statusOf(plan.id)).toBe("PendingApproval");
    await pressed(message, "Reject", account, "Too noisy");
    expect(await getPlan(author, plan.id)).toMatchObject({ status: "Rejected", decisionReason: "Too noisy" });
  });

  test("is decided once: whoever is late is told who was first", async () => {
    const { plan, message } = await aWaitingPlan();
    const [one, other] = [await aLinked(), await aLinked()];
    const answers = await Promise.all([
      pressed(message, "Approve", one.account),
      pressed(message, "Reject", other.account, "No"),
    ]);
    const decided = await getPlan(author, plan.id);
    const [first, second] = decided.reviewer?.id === one.user.id ? answers : [...answers].reverse();
    expect(first).toHaveLength(1);
    expect(second).toHaveLength(2);
    expect(second?.[0]).toMatchObject({ replace_original: true });
    expect(second?.[1].text).toContain("You were not the first");
    expect(second?.[1].text).toContain(decided.reviewer?.name);
    expect(labelsIn(second?.[0])).toEqual([]);
  });

  test("that is not what the message showed is left alone", async () => {
    const { plan, message } = await aWaitingPlan();
    const { account } = await aLinked();
    const [action] = await db.select().from(actorActions).where(eq(actorActions.planId, plan.id));
    const proposed = { ...toCreate("Late orders", "select * from orders"), reasoning: "x" };
    await db
      .update(actorActions)
      .set({ proposed })
      .where(eq(actorActions.id, action?.id ?? 0));
    const [told] = await pressed(message, "Approve", account);
    expect(told.text).toContain("It changed since this message");
    expect(told.text).toContain(`https://plumbline.example.com/ai-actors/plans/${plan.id}|Open`);
    expect(await statusOf(plan.id)).toBe("PendingApproval");
  });

  test("without its hash, or with another, is left alone", async () => {
    const { plan, message } = await aWaitingPlan();
    const { account } = await aLinked();
    for (const hash of ["", "0".repeat(64)]) {
      const blocks = message.blocks.map((block) => ({
        ...block,
        ...(block.elements?.[0]?.value && {
          elements: block.elements.map((each) => ({
            ...each,
            value: each.value.replace(/[0-9a-f]{64}/, hash),
          })),
        }),
      }));
      const [told] = await pressed({ ...message, blocks }, "Approve", account);
      expect(told.text).toContain("It changed since this message");
    }
    expect(await statusOf(plan.id)).toBe("PendingApproval");
  });

  test("that is too long to be shown can be rejected there, and approved on its page alone", async () => {
    const actor = await anOwnActor({ name: "Long" });
    const sql = `${late} and id not in (${Array.from({ length: 400 }, (_, n) => n + 10).join(", ")})`;
    const plan = await propose(actor.id, aProposal([toCreate("Long", sql)]));
    const message = await posted("Plan", plan.id);
    expect(labelsIn(message)).toEqual(["Reject"]);
    expect(JSON.stringify(message.blocks)).toContain("too long to show here");
  });

  test("is not decided by a Viewer, nor by a member of another project", async () => {
    const { plan, message } = await aWaitingPlan();
    const viewer = await aLinked("Viewer");
    expect((await pressed(message, "Approve", viewer.account))[0].text).toContain("do not have permission");
    const elsewhere = await aMember({ projectId: (await aProject()).id, role: "Admin" });
    const member = await aLinked("Editor", elsewhere);
    expect((await pressed(message, "Approve", member.account))[0].text).toContain("Plan not found");
    await db
      .insert(projectMembers)
      .values({ userId: elsewhere.id, projectId: source.projectId, role: "Viewer" });
    expect((await pressed(message, "Approve", member.account))[0].text).toContain("does not allow");
    expect(await statusOf(plan.id)).toBe("PendingApproval");
    await db
      .update(projectMembers)
      .set({ role: "Editor" })
      .where(and(eq(projectMembers.userId, elsewhere.id), eq(projectMembers.projectId, source.projectId)));
    expect((await pressed(message, "Approve", member.account))[0]).toMatchObject({ replace_original: true });
  });
});

describe("a query change", () => {
  async function aWaitingChange() {
    const editor = await asEditor();
    const query = await aQuery({ dataSource: source, sql: "select 1 as one" }, editor);
    const { id } = await aChangeRequest(query, "select 2 as two", editor);
    return { id, editor, message: await posted("Approval", id) };
  }

  test("is approved by an Admin, and not by its author with four eyes", async () => {
    const admin = await asAdmin();
    await updateSettings(admin, { approvalWorkflow: true, fourEyes: true });
    const requester = await asAdmin();
    const query = await aQuery({ dataSource: source, sql: "select 1 as one" }, requester);
    const { id } = await aChangeRequest(query, "select 2 as two", requester);
    const message = await posted("Approval", id);
    expect(JSON.stringify(message.blocks)).toContain("select 2 as two");
    const own = await aLinked("Admin", { id: requester.principal.userId, name: "The Admin" });
    const [refused] = await pressed(message, "Approve", own.account);
    expect(refused.text).toContain("Someone else must approve your change");
    expect(await getApproval(admin, id)).toMatchObject({ status: "Pending" });
    const other = await aLinked("Admin");
    await pressed(message, "Approve", other.account, "Fine");
    expect(await getApproval(admin, id)).toMatchObject({
      ...{ status: "Approved", comment: "Fine", reviewer: { id: other.user.id } },
    });
    await updateSettings(admin, { approvalWorkflow: false, fourEyes: false });
  });

  test("is not decided by an Editor, and only as it was shown", async () => {
    const { id, message } = await aWaitingChange();
    const editor = await aLinked("Editor");
    expect((await pressed(message, "Approve", editor.account))[0].text).toContain("do not have permission");
    const admin = await aLinked("Admin");
    const ctx = await asAdmin();
    const { proposedVersion, queryId } = await getApproval(ctx, id);
    await db
      .update(querySteps)
      .set({ sql: "select 3 as three" })
      .where(eq(querySteps.sql, "select 2 as two"));
    const [told] = await pressed(message, "Approve", admin.account);
    expect(told.text).toContain("It changed since this message");
    expect(await getApproval(ctx, id)).toMatchObject({ status: "Pending", queryId });
    expect(proposedVersion.number).toBe(2);
    await db
      .update(querySteps)
      .set({ sql: "select 2 as two" })
      .where(eq(querySteps.sql, "select 3 as three"));
    await pressed(message, "Reject", admin.account);
    expect(await getApproval(ctx, id)).toMatchObject({ status: "Rejected", comment: null });
  });
});

describe("an incident", () => {
  async function scored(contractId: number, score: number, tableName = "parcels") {
    await db.insert(evaluations).values({
      ...{ contractId, dataSourceId: source.id, schemaName: "public", tableName, trigger: "Scheduled" },
      ...{ status: "Completed", overallScore: score, evaluatedAt: new Date(), startedAt: new Date() },
      ...{ leaseToken: crypto.randomUUID(), leaseUntil: new Date() },
    });
    await noticeIncidents();
  }
  const aContractOn = (tableName: string, name: string) =>
    aContract({ name, dataSourceId: source.id, tableName }, author);

  let policy = false;
  async function aToldIncident(tableName: string) {
    if (!policy) {
      const desk = await aRecipient({
        ...{ projectId: source.projectId, name: "Desk", type: "Slack", destination: channel },
      });
      await createPolicy(author, {
        ...{ projectId: source.projectId, name: "All", enabled: true, minSeverity: "Low" },
        ...{ dataSourceIds: null, recipientIds: [desk.id] },
        ...{ escalateAfterMinutes: null, escalationRecipientIds: [], digest: null, hours: null },
      });
      policy = true;
    }
    const contract = await aContractOn(tableName, tableName);
    await scored(contract.id, 10, tableName);
    const [incident] = (await listIncidents(author, listIncidentsInput.parse({ contractId: contract.id })))
      .items;
    await notifyIncidents();
    const id = incident?.id ?? 0;
    return { id, message: await posted("Incident", id) };
  }

  test("is acknowledged, taken, silenced, and resolved in one message", async () => {
    const { id, message } = await aToldIncident("parcels");
    expect(labelsIn(message)).toEqual(["Acknowledge", "Assign to me", "Silence 1 h", "Resolve"]);
    const [one, other] = [await aLinked(), await aLinked()];
    const [acknowledged] = await pressed(message, "Acknowledge", one.account);
    // Whoever acknowledges what is nobody's has it.
    expect(labelsIn(acknowledged)).toEqual(["Silence 1 h", "Resolve"]);
    expect(await getIncident(author, id)).toMatchObject({ assignee: { id: one.user.id } });

    // From the message as it was.
    const [updated, told] = await pressed(message, "Acknowledge", other.account);
    expect(told.text).toContain(`Acknowledged by ${one.user.name}`);
    expect(labelsIn(updated)).toEqual(["Silence 1 h", "Resolve"]);
    const [, taken] = await pressed(message, "Assign to me", other.account);
    expect(taken.text).toContain(`${one.user.name} has the incident`);

    await pressed(message, "Silence 1 h", other.account);
    const silenced = await getIncident(author, id);
    const minutes = (Date.parse(String(silenced.silencedUntil)) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThanOrEqual(60);
    const [resolved] = await pressed(acknowledged, "Resolve", other.account);
    expect(labelsIn(resolved)).toEqual([]);
    expect(await getIncident(author, id)).toMatchObject({
      state: "Resolved",
      resolvedBy: { id: other.user.id },
    });
    const [, late] = await pressed(acknowledged, "Resolve", one.account);
    expect(late.text).toContain(`Resolved by ${other.user.name}`);
  });

  test("is not worked on by a Viewer, and not resolved once it has more problems than were shown", async () => {
    const { id, message } = await aToldIncident("letters");
    const viewer = await aLinked("Viewer");
    expect((await pressed(message, "Acknowledge", viewer.account))[0].text).toContain(
      "do not have permission",
    );
    expect(await getIncident(author, id)).toMatchObject({ state: "Open" });
    const { account } = await aLinked();
    await scored((await aContractOn("letters", "letters too")).id, 5, "letters");
    expect((await getIncident(author, id)).problems).toHaveLength(2);
    const [told] = await pressed(message, "Resolve", account);
    expect(told.text).toContain("It changed since this message");
    expect(await getIncident(author, id)).toMatchObject({ state: "Open" });
    // Looking after it is no claim about what is wrong.
    await pressed(message, "Acknowledge", account);
    expect(await getIncident(author, id)).toMatchObject({ state: "Acknowledged" });
  });
});

describe("a task", () => {
  async function aToldTask() {
    const subscription = await aSubscription({ query: await aQuery({ dataSource: source }, author) }, author);
    const [task] = await db
      .insert(tasks)
      .values({
        ...{ projectId: source.projectId, subscriptionId: subscription.id, queryId: subscription.queryId },
        latestRowCount: 3,
      })
      .returning();
    const id = task?.id ?? 0;
    const desk = await aRecipient({
      ...{ projectId: source.projectId, name: "Desk", type: "Slack", destination: channel },
    });
    await aNotification({
      ...{ projectId: source.projectId, cause: { kind: "Execution", id }, recipientIds: [desk.id] },
      content: {
        ...{ title: "Late orders", tone: "Warning", summary: "3 rows", facts: [] },
        actions: [
          { label: "Silence 1 h", path: `/act/silence-subscription/${subscription.id}?span=hour` },
          { label: "Assign to me", path: `/act/take-task/${id}` },
        ],
      },
    });
    return { id, message: await posted("Execution", id) };
  }

  test("is taken by the first, and then resolved", async () => {
    const { id, message } = await aToldTask();
    expect(labelsIn(message)).toEqual(["Silence 1 h", "Assign to me"]);
    const [one, other] = [await aLinked(), await aLinked()];
    const [taken] = await pressed(message, "Assign to me", one.account);
    expect(labelsIn(taken)).toEqual(["Silence 1 h", "Resolve task"]);
    const [, told] = await pressed(message, "Assign to me", other.account);
    expect(told.text).toContain(`${one.user.name} has the task`);
    const [silenced] = await pressed(taken, "Silence 1 h", other.account);
    expect(labelsIn(silenced)).toEqual(["Resolve task"]);
    await pressed(taken, "Resolve task", one.account);
    expect(await getTask(author, id)).toMatchObject({ status: "Resolved", resolvedBy: { id: one.user.id } });
  });

  test("that has found more since is not resolved by the message", async () => {
    const { id, message } = await aToldTask();
    const { account } = await aLinked();
    const [taken] = await pressed(message, "Assign to me", account);
    await db.update(tasks).set({ executionCount: 5 }).where(eq(tasks.id, id));
    expect((await pressed(taken, "Resolve task", account))[0].text).toContain(
      "It changed since this message",
    );
    expect(await getTask(author, id)).toMatchObject({ status: "Open" });
  });
});

test("the name of a user and a reason are text in Slack, never a mention", async () => {
  const { message } = await aWaitingPlan();
  const { account, user } = await aLinked();
  await db.update(users).set({ name: "<!channel> & co" }).where(eq(users.id, user.id));
  const [replaced] = await pressed(message, "Approve", account);
  expect(JSON.stringify(replaced.blocks)).toContain("&lt;!channel&gt; &amp; co");
  expect(JSON.stringify(replaced.blocks)).not.toContain("<!channel>");
});
