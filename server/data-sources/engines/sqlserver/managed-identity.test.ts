import { createServer } from "node:http";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { env } from "../../../env.ts";
import { mayUseIdentity } from "../../managed-identity-servers.ts";
import { cloudOf } from "./entra-token.ts";
import { identityToken } from "./managed-identity.ts";

/** Tokens of a managed identity, from a stand-in that answers as Microsoft describes both endpoints. */
type Answer = { status: number; body: object | string };
type Asked = { path: string; query: object; metadata: unknown; header: unknown };
const asked: Asked[] = [];
let answer: Answer;
const server = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://stand-in");
  asked.push({
    ...{ path: url.pathname, query: Object.fromEntries(url.searchParams) },
    ...{ metadata: request.headers.metadata, header: request.headers["x-identity-header"] },
  });
  response.writeHead(answer.status, { "content-type": "application/json" });
  response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
afterAll(() => server.close());

const cloud = cloudOf("shop.database.windows.net");
/** Another identity for each test: tokens are kept. */
let count = 0;
const clientId = () => `00000000-0000-0000-0000-${String(count).padStart(12, "0")}`;
const given = (seconds: number, token = "eyJ.a.b") => ({
  status: 200,
  body: {
    access_token: token,
    expires_on: String(Math.floor(Date.now() / 1000) + seconds),
    token_type: "Bearer",
  },
});
beforeEach(() => {
  asked.length = 0;
  count++;
});
afterEach(() => {
  Object.assign(env(), { IDENTITY_ENDPOINT: undefined, IDENTITY_HEADER: undefined });
});

test("a virtual machine's metadata service is asked for one, which is used until it ends", async () => {
  answer = given(3599);
  expect(await identityToken(clientId(), cloud, origin)).toBe("eyJ.a.b");
  answer = given(3599, "eyJ.later");
  expect(await identityToken(clientId(), cloud, origin)).toBe("eyJ.a.b");
  expect(asked).toEqual([
    {
      path: "/metadata/identity/oauth2/token",
      query: {
        ...{ "api-version": "2018-02-01", resource: "https://database.windows.net/" },
        client_id: clientId(),
      },
      ...{ metadata: "true", header: undefined },
    },
  ]);
});

test("one that ends within five minutes is replaced", async () => {
  answer = given(299, "eyJ.short");
  expect(await identityToken(clientId(), cloud, origin)).toBe("eyJ.short");
  answer = given(3599, "eyJ.next");
  expect(await identityToken(clientId(), cloud, origin)).toBe("eyJ.next");
});

test("App Service's endpoint is asked where there is one, for the machine's own identity without a client ID", async () => {
  Object.assign(env(), { IDENTITY_ENDPOINT: `${origin}/msi/token`, IDENTITY_HEADER: "853b9a84" });
  answer = given(3599);
  expect(await identityToken(null, cloud, "http://127.0.0.1:1")).toBe("eyJ.a.b");
  expect(asked).toEqual([
    {
      path: "/msi/token",
      query: { "api-version": "2019-08-01", resource: "https://database.windows.net/" },
      ...{ metadata: undefined, header: "853b9a84" },
    },
  ]);
});

test.each<[string, Answer, string]>([
  [
    "an identity that the machine does not have",
    { status: 400, body: { error: "invalid_request", error_description: "Identity not found" } },
    "This machine has no managed identity with this client ID",
  ],
  [
    "a service that is busy",
    { status: 429, body: { error: "too many requests" } },
    "Azure gives no token at the moment: try again",
  ],
  [
    "a redirect, which is not followed",
    { status: 302, body: "" },
    "Azure gave no token for the managed identity: HTTP 302",
  ],
  [
    "no token in the answer",
    { status: 200, body: { access_token: "two lines\n" } },
    "Azure gave no token for the managed identity: HTTP 200",
  ],
])("%s is said, and asked for again the next time", async (_, refusal, message) => {
  answer = refusal;
  const token = () => identityToken(clientId(), cloud, origin);
  await expect(token()).rejects.toMatchObject({ kind: "unreachable", message });
  answer = given(3599);
  expect(await token()).toBe("eyJ.a.b");
});

test("a machine outside Azure says so", async () => {
  await expect(identityToken(clientId(), cloud, "http://127.0.0.1:1")).rejects.toMatchObject({
    kind: "unreachable",
  });
});

test.each<[string, string, number | null, boolean]>([
  ["shop.database.windows.net", "orders", 1, true],
  ["SHOP.database.windows.net", "orders", null, true],
  ["other.database.windows.net", "orders", 1, false],
  ["shop.database.windows.net.example.com", "orders", 1, false],
  ["sales.database.windows.net", "Orders", 7, true],
  ["sales.database.windows.net", "master", 7, false],
  ["sales.database.windows.net", "orders", 8, false],
  ["sales.database.windows.net", "orders", null, false],
])("at %s, database %s, project %s: %s", (host, database, projectId, may) => {
  const listed = [
    { projectId: null, host: "shop.database.windows.net", database: null },
    { projectId: 7, host: "sales.database.windows.net", database: "orders" },
  ];
  expect(mayUseIdentity({ host, database }, projectId, listed)).toBe(may);
});
