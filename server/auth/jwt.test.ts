import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLog } from "../audit/tables.ts";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aSession, aUser } from "../test/factories/sessions.ts";
import { anOidcProvider, audience, type OidcProvider } from "../test/oidc-provider.ts";
import { rest } from "../test/rest-client.ts";
import { userIdentities, users } from "./tables.ts";

/** JWTs in the REST API, from a real provider and from impostors. */
let provider: OidcProvider;
const now = () => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  provider = await anOidcProvider("http://localhost:3000/svc/api/auth/callback/oidc");
  Object.assign(process.env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
    OIDC_ROLES: "Admin=plumbline-admins,Editor=data-team",
    OIDC_AUDIENCE: audience,
  });
});
afterAll(() => provider.close());

const get = (token: string, path = "/auth/me") =>
  rest("GET", path, { headers: { authorization: `Bearer ${token}` } });

/** Valid claims; each test makes one of them wrong. */
const claims = () => ({
  ...{ iss: provider.issuer, aud: audience, sub: "ada", exp: now() + 60, groups: ["data-team"] },
  ...{ name: "Ada Lovelace", email: "ada@example.com" },
});

test("with no users yet, only an Admin is admitted: otherwise setup would end without one", async () => {
  expect((await get(await provider.pipelineToken(["data-team"]))).status).toBe(401);
  expect(await db.$count(users)).toBe(0);
  const first = await get(await provider.sign({ ...claims(), groups: ["plumbline-admins"] }));
  expect(first.body).toMatchObject({ role: "Admin", user: { name: "Ada Lovelace", role: "Admin" } });
});

describe("a JWT of the provider", () => {
  test("grants the role of the current mapping, with neither scopes nor a limit to projects", async () => {
    const editor = await get(await provider.pipelineToken(["data-team", "something else"]));
    expect(editor.status).toBe(200);
    expect(editor.body).toMatchObject({
      ...{ kind: "Jwt", role: "Editor", scopes: null, projectIds: null },
      user: { name: "pipeline", email: "pipeline@127.0.0.1.invalid", lastSignInAt: null },
    });
    const admin = await get(await provider.pipelineToken(["data-team", "plumbline-admins"]));
    expect(admin.body).toMatchObject({ role: "Admin", user: { id: editor.body.user.id } });
  });

  test("may do what its role may, unaffected by the previous request's role", async () => {
    const post = async (roles: string[]) => {
      const authorization = `Bearer ${await provider.pipelineToken(roles)}`;
      return rest("POST", "/projects", { json: { name: "Shop" }, headers: { authorization } });
    };
    expect((await post(["plumbline-admins"])).status).toBe(201);
    expect((await post(["data-team"])).status).toBe(403);
    expect((await post([])).status).toBe(401);
  });

  test("creates a user once, even with concurrent requests, and audits it", async () => {
    const token = await provider.sign({
      ...claims(),
      sub: "grace",
      name: "Grace",
      email: "grace@example.com",
    });
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(token)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.user?.id}`)).size).toBe(1);
    const found = await db.select().from(users).where(eq(users.email, "grace@example.com"));
    expect(found).toMatchObject([{ name: "Grace", role: "Editor", passwordHash: null, enabled: true }]);
    const entries = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.objectId, found[0]?.id ?? 0));
    expect(entries).toMatchObject([
      { action: "users.create", principalKind: "System", detail: "Grace, by OIDC" },
    ]);
  });

  test("of a disabled user is rejected", async () => {
    const token = await provider.sign({ ...claims(), sub: "alan", email: "alan@example.com" });
    const { body } = await get(token);
    await db.update(users).set({ enabled: false }).where(eq(users.id, body.user.id));
    expect((await get(token)).status).toBe(401);
  });

  test("is checked after a cookie, and does not affect keys", async () => {
    const viewer = await aSession("Viewer");
    const authorization = `Bearer ${await provider.pipelineToken(["plumbline-admins"])}`;
    const both = await rest("GET", "/auth/me", { cookie: viewer, headers: { authorization } });
    expect(both.body).toMatchObject({ kind: "User", role: "Viewer" });
    const key = await aKey();
    expect((await rest("GET", "/auth/me", { headers: key.headers })).body.kind).toBe("ApiKey");
  });

  test("needs no request to the provider once its keys are cached", async () => {
    const token = await provider.pipelineToken(["data-team"]);
    await get(token);
    const before = provider.asked();
    for (let n = 0; n < 5; n++) expect((await get(token)).status).toBe(200);
    expect(provider.asked()).toEqual(before);
  });
});

describe("an account with the same email address", () => {
  let email: string;
  beforeEach(async () => {
    email = (await aUser("Viewer")).email;
  });
  const come = async (sub: string, email_verified?: unknown) =>
    get(await provider.sign({ ...claims(), sub, email: email.toUpperCase(), email_verified }));

  test("is linked if the provider has verified the address; its stored role stays", async () => {
    const { status, body } = await come(`verified ${email}`, true);
    expect([status, body.role, body.user.email, body.user.role]).toEqual([200, "Editor", email, "Viewer"]);
    expect(await db.$count(userIdentities, eq(userIdentities.userId, body.user.id))).toBe(1);
    // A second user of the same provider is not linked to it, whatever the provider claims.
    expect((await come(`second ${email}`, true)).status).toBe(401);
  });

  test.each([undefined, false, "true", 1])("stays closed with email_verified %j", async (verified) => {
    const { status } = await come(`unverified ${email}`, verified);
    expect(status).toBe(401);
    expect(await db.$count(userIdentities, eq(userIdentities.subject, `unverified ${email}`))).toBe(0);
  });
});

describe("anything else is unauthenticated", () => {
  const isNobody = async (token: string) => {
    const { status, body } = await get(token, "/projects");
    expect([status, body.detail]).toEqual([401, "Authentication is required"]);
  };
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("the JWT that the others are derived from is valid", async () => {
    expect((await get(await provider.sign(claims()))).body).toMatchObject({ role: "Editor" });
  });

  test.each([
    ["meant for someone else", { aud: "https://elsewhere.example" }],
    ["meant for nobody", { aud: undefined }],
    ["of another issuer", { iss: "https://elsewhere.example" }],
    ["of an issuer that begins alike", { iss: "http://127.0.0.1" }],
    ["expired", { exp: now() - 10 }],
    ["without an end", { exp: undefined }],
    ["not valid yet", { nbf: now() + 60 }],
    ["without a subject", { sub: undefined }],
    ["with an empty subject", { sub: "" }],
    ["with a subject that is no text", { sub: 7 as unknown as string }],
    ["without a role", { groups: [] }],
    ["with a role under another claim", { groups: undefined, scope: "plumbline-admins" }],
    ["with a role that only contains the mapped one", { groups: ["plumbline-admins-of-elsewhere"] }],
    ["bound to a key", { cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } }],
  ])("%s", async (_what, wrong) => {
    await isNobody(await provider.sign(JSON.parse(JSON.stringify({ ...claims(), ...wrong }))));
  });

  test("a logout token, an unknown key, a signature by another key", async () => {
    await isNobody(await provider.sign(claims(), { typ: "logout+jwt" }));
    await isNobody(await provider.sign(claims(), { kid: "another" }));
    const { privateKey } = await generateKeyPair("RS256");
    await isNobody(
      await new SignJWT(claims()).setProtectedHeader({ alg: "RS256", kid: "first" }).sign(privateKey),
    );
  });

  test("no signature, and a signature with a public value", async () => {
    const body = base64(claims());
    await isNobody(`${base64({ alg: "none" })}.${body}.`);
    await isNobody(`${base64({ alg: "none" })}.${body}.AA`);
    const jwks = await (await fetch(`${provider.issuer}/jwks`)).text();
    for (const secret of [jwks, JSON.parse(jwks).keys[0].n]) {
      const signed = `${base64({ alg: "HS256", kid: "first" })}.${body}`;
      await isNobody(`${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`);
    }
  });

  test("a JWT that specifies where to get its key", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    const header = { alg: "RS256", jwk, jku: "http://127.0.0.1:9/jwks" };
    await isNobody(await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey));
  });

  test("a modified JWT, and text that is not a JWT", async () => {
    const [header, , signature] = (await provider.sign(claims())).split(".");
    await isNobody(`${header}.${base64({ ...claims(), groups: ["plumbline-admins"] })}.${signature}`);
    for (const token of ["", "x", "a.b.c", "....", "e30.e30.e30", `${"a".repeat(7000)}.b.c`, "null"])
      await isNobody(token);
  });

  test("a valid JWT in a header of another form", async () => {
    const token = await provider.sign(claims());
    for (const authorization of [`bearer ${token}`, `Bearer  ${token}`, `Basic ${token}`, token])
      expect((await rest("GET", "/projects", { headers: { authorization } })).status).toBe(401);
    expect((await rest("GET", `/projects?access_token=${token}`)).status).toBe(401);
  });

  test("a token that cannot be the provider's causes no request to it", async () => {
    const before = provider.asked();
    await isNobody(await provider.sign({ ...claims(), iss: "https://elsewhere.example" }));
    await isNobody(`${base64({ alg: "HS256" })}.${base64(claims())}.AA`);
    expect(provider.asked()).toEqual(before);
  });
});
