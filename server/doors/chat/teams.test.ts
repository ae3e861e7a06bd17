import { and, eq } from "drizzle-orm";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { appRouter } from "../../app-router.ts";
import { getApproval } from "../../approvals/service/approvals.ts";
import { auditLog } from "../../audit/tables.ts";
import type { Role } from "../../auth/schema.ts";
import { chatAccounts } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { forgetBotToken } from "../../notifications/channels/teams-bot.ts";
import { attemptDelivery } from "../../notifications/service/deliver.ts";
import { deliveries } from "../../notifications/tables.ts";
import { findDoor } from "../../process/doors.ts";
import { addressHeader } from "../../request-headers.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aChangeRequest, aQuery } from "../../test/factories/queries.ts";
import { aMember, aUser, cookieOf } from "../../test/factories/sessions.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import { createCallerFactory } from "../../trpc.ts";
import { createContext } from "../context.ts";
import { forgetTeamsKeys } from "./teams-token.ts";

/**
 * Presses in Microsoft Teams, as the Bot Framework reports them: tokens signed with keys made here, whose public parts
 * a stand-in serves like its OpenID metadata, and a stand-in for its connector.
 */

const appId = "11111111-2222-4333-8444-555555555555";
const tenant = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
let teams: Awaited<ReturnType<typeof anHttpReceiver>>;
let serviceUrl: string;
let privateKey: CryptoKey;
let unendorsedKey: CryptoKey;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  teams = await anHttpReceiver();
  serviceUrl = `${teams.url}/emea/`;
  const [one, other] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  [privateKey, unendorsedKey] = [one.privateKey, other.privateKey];
  const keys = [
    { ...(await exportJWK(one.publicKey)), kid: "one", endorsements: ["msteams"] },
    { ...(await exportJWK(other.publicKey)), kid: "other", endorsements: ["webchat"] },
  ];
  teams.answer = (response, { path }) => {
    if (path === "/openid") return response.end(JSON.stringify({ jwks_uri: `${teams.url}/keys` }));
    if (path === "/keys") return response.end(JSON.stringify({ keys }));
    if (path.endsWith("/oauth2/v2.0/token"))
      return response.end('{"access_token":"a-token-of-the-bot","expires_in":3600}');
    return response.writeHead(201).end('{"id":"1"}');
  };
  Object.assign(env(), {
    ...{ TEAMS_APP_ID: appId, TEAMS_APP_PASSWORD: "a-secret-of-the-bot", TEAMS_TENANT_ID: tenant },
    ...{ TEAMS_SERVICE_URL: teams.url, TEAMS_LOGIN_URL: teams.url, TEAMS_OPENID_URL: `${teams.url}/openid` },
    ...{ OUTBOUND_ALLOW: "127.0.0.1", PUBLIC_URL: "https://plumbline.example.com" },
  });
  source = await aDataSource();
  await aRecipient({
    ...{ projectId: source.projectId, name: "Reviews", type: "Teams", decisions: true },
    destination: `${serviceUrl}v3/conversations/19%3Areviews%40thread.tacv2`,
  });
});
beforeEach(() => {
  teams.requests.length = 0;
});
afterAll(() => teams.stop());

type Card = { body: object[]; actions?: { type: string; title: string; url?: string; data?: object }[] };
type Person = { name: string; aadObjectId?: string };

let activities = 0;
const anActivity = (more: object = {}) => {
  activities += 1;
  return {
    ...{
      type: "invoke",
      id: `f:${activities}`,
      name: "adaptiveCard/action",
      channelId: "msteams",
      serviceUrl,
    },
    ...{
      conversation: { id: "19:reviews@thread.tacv2;messageid=7" },
      channelData: { tenant: { id: tenant } },
    },
    ...{ replyToId: "7", from: { id: "29:x", ...inTeams() } },
    ...more,
  };
};

async function aToken(claims: JWTPayload = {}, { key = privateKey, kid = "one", alg = "RS256" } = {}) {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    ...{ iss: "https://api.botframework.com", aud: appId, serviceurl: serviceUrl },
    ...{ nbf: now - 60, exp: now + 3600, ...claims },
  })
    .setProtectedHeader({ alg, kid, typ: "JWT" })
    .sign(key);
}

async function send(activity: object, token?: string | null) {
  const url = "http://localhost:3000/svc/chat/teams";
  const bearer = token === undefined ? await aToken() : token;
  const response = await findDoor("/svc/chat/teams")?.answer(
    new Request(url, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", [addressHeader]: "203.0.113.10" },
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(activity),
    }),
  );
  const text = (await response?.text()) ?? "";
  return { status: response?.status, body: text ? JSON.parse(text) : null };
}

async function pressed(card: Card, title: string, by: Person, reason?: string) {
  const action = card.actions?.find((each) => each.title === title);
  if (!action) throw new Error(`The card has no button ${title}`);
  const data = { ...action.data, ...(reason && { reason }) };
  const value = { action: { type: "Action.Execute", verb: "press", data }, trigger: "manual" };
  const { status, body } = await send(anActivity({ from: { id: "29:x", ...by }, value }));
  expect([status, body.statusCode]).toEqual([200, 200]);
  return body.value;
}

let people = 0;
function inTeams(): Required<Person> {
  people += 1;
  return {
    name: `Person ${people}`,
    aadObjectId: `00000000-0000-4000-8000-${String(people).padStart(12, "0")}`,
  };
}

async function aLinked(role: Role = "Admin", user?: { id: number; name: string }) {
  const who = user ?? (await aUser(role));
  const account = inTeams();
  await db.insert(chatAccounts).values({
    ...{ userId: who.id, service: "Teams", teamId: tenant, accountId: account.aadObjectId },
    ...{ name: account.name, signedInBy: "Password" },
  });
  return { user: who, account };
}

/** A change that waits, and the card that the bot posted about it. */
async function aWaitingChange() {
  const query = await aQuery({ dataSource: source, sql: "select 1 as one" });
  const { id } = await aChangeRequest(query, "select 2 as two");
  const waiting = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.channel, "Teams"), eq(deliveries.status, "Queued")))
    .orderBy(deliveries.id);
  for (const each of waiting) expect(await attemptDelivery(each.id)).toBe("Sent");
  const post = teams.requests.findLast(({ path }) => path.endsWith("/activities"));
  expect(post?.path).toBe("/emea/v3/conversations/19%3Areviews%40thread.tacv2/activities");
  expect(post?.headers.authorization).toBe("Bearer a-token-of-the-bot");
  return { id, card: post?.json.attachments[0].content as Card };
}

const titlesIn = ({ actions = [] }: Card) => actions.map(({ title }) => title);

describe("a request", () => {
  const silent = () => anActivity({ type: "conversationUpdate" });

  test("from Teams is taken once", async () => {
    const activity = silent();
    expect((await send(activity)).status).toBe(200);
    expect((await send(activity)).status).toBe(401);
  });

  test.each([
    ["no token", async () => null],
    ["another's key", async () => aToken({}, { key: (await generateKeyPair("RS256")).privateKey })],
    ["an unknown key", () => aToken({}, { kid: "unknown" })],
    ["a key that is not endorsed for Teams", () => aToken({}, { key: unendorsedKey, kid: "other" })],
    ["another issuer", () => aToken({ iss: "https://sts.windows.net" })],
    ["another bot as its audience", () => aToken({ aud: tenant })],
    ["another service address", () => aToken({ serviceurl: "https://example.com/" })],
    ["a token that has expired", () => aToken({ exp: Math.floor(Date.now() / 1000) - 301 })],
    ["a token that is not valid yet", () => aToken({ nbf: Math.floor(Date.now() / 1000) + 301 })],
    ["a token that never expires", () => aToken({ exp: undefined })],
    [
      "a shared secret",
      () =>
        new SignJWT({}).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(new TextEncoder().encode("x")),
    ],
  ])("with %s is refused", async (_, token) => {
    expect((await send(silent(), await token())).status).toBe(401);
  });

  test("from another tenant, or another place than Teams, is refused", async () => {
    expect((await send(anActivity({ channelData: { tenant: { id: appId } } }))).status).toBe(401);
    const elsewhere = "http://127.0.0.1:1/";
    const activity = anActivity({ serviceUrl: elsewhere });
    expect((await send(activity, await aToken({ serviceurl: elsewhere }))).status).toBe(401);
    expect((await send({ ...silent(), channelId: "webchat" })).status).toBe(400);
  });

  test("finds nothing while there is no bot", async () => {
    env().TEAMS_APP_ID = undefined;
    expect((await send(silent())).status).toBe(404);
    env().TEAMS_APP_ID = appId;
  });

  test("the keys are read once, and not for every unknown one", async () => {
    forgetTeamsKeys();
    for (const kid of ["one", "unknown", "unknown"]) await send(silent(), await aToken({}, { kid }));
    expect(teams.requests.filter(({ path }) => path === "/keys")).toHaveLength(1);
  });
});

test("the bot tells whoever writes to it the address of the conversation", async () => {
  forgetBotToken();
  await send(anActivity({ type: "message", name: undefined, text: "<at>Plumbline</at> address" }));
  const token = teams.requests.find(({ path }) => path.endsWith("/token"));
  expect(token?.path).toBe(`/${tenant}/oauth2/v2.0/token`);
  expect(Object.fromEntries(new URLSearchParams(token?.text))).toEqual({
    ...{ grant_type: "client_credentials", client_id: appId, client_secret: "a-secret-of-the-bot" },
    scope: "https://api.botframework.com/.default",
  });
  const told = teams.requests.find(({ path }) => path.endsWith("/activities"));
  expect(told?.path).toContain("/conversations/19%3Areviews%40thread.tacv2%3Bmessageid%3D7/");
  expect(told?.json.text).toContain(`${serviceUrl}v3/conversations/19%3Areviews%40thread.tacv2`);
});

describe("a query change", () => {
  test("is approved by its button, as the user whose account pressed it", async () => {
    const { id, card } = await aWaitingChange();
    expect(titlesIn(card)).toEqual(["Approve", "Reject", "Review the request"]);
    expect(JSON.stringify(card.body)).toContain("select 2 as two");
    const { account, user } = await aLinked();
    const after: Card = await pressed(card, "Approve", account, "Fine");
    expect(titlesIn(after)).toEqual(["Review the request"]);
    expect(JSON.stringify(after.body)).toContain(`Approved by ${user.name}: Fine`);
    // Everyone else sees it, too.
    const update = teams.requests.find(({ path }) => path.endsWith("/activities/7"));
    expect(update?.json.attachments[0].content).toEqual(after);
    expect(await getApproval(await asAdmin(), id)).toMatchObject({ status: "Approved", comment: "Fine" });
    const [entry] = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, "approvals.approve"), eq(auditLog.objectId, id)));
    expect(entry).toMatchObject({ principalId: user.id, principalName: `${user.name} via Teams` });

    const late = await aLinked();
    const told: Card = await pressed(card, "Reject", late.account);
    expect(JSON.stringify(told.body)).toContain(`You were not the first. Approved by ${user.name}`);
  });

  test("is decided by nobody who may not, nor by an account that is not linked", async () => {
    const { id, card } = await aWaitingChange();
    const editor = await aLinked("Editor");
    expect(await pressed(card, "Approve", editor.account)).toContain("do not have permission");
    const elsewhere = await aLinked("Viewer", await aMember());
    expect(await pressed(card, "Approve", elsewhere.account)).toMatch(/not found|permission/);
    expect(await pressed(card, "Approve", { name: "Guest" })).toContain("can no longer be used");

    const [user, account] = [await aUser("Admin"), inTeams()];
    const told: Card = await pressed(card, "Approve", account);
    expect(JSON.stringify(told.body)).toContain("is not linked");
    expect(await getApproval(await asAdmin(), id)).toMatchObject({ status: "Pending" });
    const address = told.actions?.find(({ title }) => title === "Link your account")?.url ?? "";
    const api = createCallerFactory(appRouter)(
      await createContext(new Headers({ cookie: await cookieOf(user) })),
    );
    await api.session.linkChat({ token: new URL(address).searchParams.get("token") ?? "" });
    await pressed(card, "Approve", account);
    expect(await getApproval(await asAdmin(), id)).toMatchObject({ reviewer: { id: user.id } });
  });

  test("a button for another message shows nothing of it", async () => {
    const { card } = await aWaitingChange();
    const { account } = await aLinked();
    const forged = {
      ...card,
      actions: card.actions?.map((each) => ({ ...each, data: { ...each.data, of: "dlv_1_x.AAAA" } })),
    };
    expect(await pressed(forged, "Approve", account)).toContain("can no longer be used");
  });
});

test("the bot's token is sent to Teams alone", async () => {
  const other = await anHttpReceiver();
  const recipient = await aRecipient({
    ...{ projectId: source.projectId, type: "Teams" },
    destination: `${other.url}/v3/conversations/19%3Ax`,
  });
  const editor = createCallerFactory(appRouter)(await asEditor());
  expect(await editor.recipients.test({ id: recipient.id })).toEqual({
    ...{ ok: false, message: "The address is not at TEAMS_SERVICE_URL" },
  });
  expect(other.requests).toEqual([]);
  await other.stop();
});
