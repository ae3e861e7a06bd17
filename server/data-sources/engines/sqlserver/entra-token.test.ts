import { createServer } from "node:http";
import { afterAll, beforeEach, expect, test } from "vitest";
import { env } from "../../../env.ts";
import { cloudOf, entraToken } from "./entra-token.ts";

/** Tokens, from a stand-in that answers as Microsoft describes its token endpoint. */
env().OUTBOUND_ALLOW = "127.0.0.1";

type Answer = { status: number; body: object | string };
const asked: { path: string; form: Record<string, string> }[] = [];
let answer: Answer;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  asked.push({ path: request.url ?? "", form: Object.fromEntries(new URLSearchParams(body)) });
  response.writeHead(answer.status, { "content-type": "application/json" });
  response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const port = typeof address === "object" && address ? address.port : 0;
const cloud = { authority: `http://127.0.0.1:${port}`, resource: "https://database.windows.net" };
afterAll(() => server.close());

const given = (seconds: number, token = "eyJ.a.b") =>
  ({ status: 200, body: { token_type: "Bearer", expires_in: seconds, access_token: token } }) as const;
let tenants = 0;
const principal = (changes: object = {}) => ({
  ...{
    tenant: `tenant-${tenants}.example`,
    user: "11111111-2222-3333-4444-555555555555",
    password: "s3cr3t~",
  },
  ...changes,
});
beforeEach(() => {
  asked.length = 0;
  tenants++;
});

test("a token is asked for by the client credentials flow, and used until it ends", async () => {
  answer = given(3599);
  expect(await entraToken(principal(), cloud)).toBe("eyJ.a.b");
  answer = given(3599, "eyJ.later");
  expect(await entraToken(principal(), cloud)).toBe("eyJ.a.b");
  expect(asked).toEqual([
    {
      path: `/tenant-${tenants}.example/oauth2/v2.0/token`,
      form: {
        ...{ grant_type: "client_credentials", scope: "https://database.windows.net/.default" },
        ...{ client_id: "11111111-2222-3333-4444-555555555555", client_secret: "s3cr3t~" },
      },
    },
  ]);
});

test("connections that are opened at once ask for one", async () => {
  answer = given(3599);
  const tokens = await Promise.all([1, 2, 3].map(() => entraToken(principal(), cloud)));
  expect(tokens).toEqual(["eyJ.a.b", "eyJ.a.b", "eyJ.a.b"]);
  expect(asked).toHaveLength(1);
});

test("one that ends within five minutes is replaced, and another secret gets its own", async () => {
  answer = given(299, "eyJ.short");
  expect(await entraToken(principal(), cloud)).toBe("eyJ.short");
  answer = given(3599, "eyJ.next");
  expect(await entraToken(principal(), cloud)).toBe("eyJ.next");
  answer = given(3599, "eyJ.other");
  expect(await entraToken(principal({ password: "another" }), cloud)).toBe("eyJ.other");
});

const described = (number: string) => ({
  error: "invalid_client",
  error_description: `AADSTS${number}: Something about app '1111'. Trace ID: 1 Timestamp: 2026-01-01`,
});

test.each<[string, Answer, string]>([
  [
    "a wrong secret",
    { status: 401, body: described("7000215") },
    "Microsoft Entra rejected the sign-in: the client secret is wrong",
  ],
  [
    "a tenant that does not exist",
    { status: 400, body: described("90002") },
    "Microsoft Entra rejected the sign-in: the tenant does not exist",
  ],
  [
    "another error",
    { status: 400, body: described("53003") },
    "Microsoft Entra rejected the sign-in: AADSTS53003",
  ],
  [
    "an answer that is no JSON",
    { status: 403, body: "<html>" },
    "Microsoft Entra rejected the sign-in: HTTP 403",
  ],
  [
    "no token in the answer",
    { status: 200, body: { access_token: "two lines\n" } },
    "Microsoft Entra rejected the sign-in: HTTP 200",
  ],
  [
    "a service that is not there",
    { status: 503, body: "" },
    "Microsoft Entra is not available at the moment: try again",
  ],
])("%s is said, without what was sent, and asked for again the next time", async (_, refusal, message) => {
  answer = refusal;
  await expect(entraToken(principal(), cloud)).rejects.toMatchObject({ kind: "unreachable", message });
  answer = given(3599);
  expect(await entraToken(principal(), cloud)).toBe("eyJ.a.b");
});

test("an address that requests may not go to is refused", async () => {
  env().OUTBOUND_ALLOW = undefined;
  await expect(entraToken(principal(), cloud)).rejects.toMatchObject({ kind: "unreachable" });
  env().OUTBOUND_ALLOW = "127.0.0.1";
  expect(asked).toEqual([]);
});

test("the cloud is that of the server's name", () => {
  const hosts = (server: string) => Object.values(cloudOf(server)).map((url) => new URL(url).host);
  expect(hosts("shop.database.windows.net")).toEqual(["login.microsoftonline.com", "database.windows.net"]);
  expect(hosts("SHOP.Database.USGovCloudAPI.net")).toEqual([
    "login.microsoftonline.us",
    "database.usgovcloudapi.net",
  ]);
  expect(hosts("shop.database.chinacloudapi.cn")).toEqual([
    "login.partner.microsoftonline.cn",
    "database.chinacloudapi.cn",
  ]);
  // Whoever owns such a name gets no token of theirs, only of the public cloud.
  expect(hosts("database.usgovcloudapi.net.example.com")[0]).toBe("login.microsoftonline.com");
});
