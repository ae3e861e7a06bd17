import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../db/client.ts";
import { decrypt } from "../db/encryption.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { reachSnowflakeAt } from "../test/snowflake.ts";
import { closeSources } from "./service/connected-sources.ts";

/** How a data source of Snowflake is stored, with its key. Nothing answers there: it is stored anyway. */
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
let cookie: string;
let projectId: number;

beforeAll(async () => {
  reachSnowflakeAt("http://127.0.0.1:1");
  cookie = await aSession("Admin");
  projectId = (await aProject()).id;
});
afterAll(closeSources);

const login = { account: "myorg-account123", user: "reader", database: "shop" };
const create = (connection: object) =>
  rest("POST", "/data-sources", {
    cookie,
    json: { projectId, name: "Shop", kind: "Snowflake", connection },
  });
const update = (id: number, connection: object) =>
  rest("PUT", `/data-sources/${id}`, { cookie, json: { name: "Shop", connection } });
const storedSecret = async (id: number) => {
  const [row] = await sql`select secret from data_sources where id = ${id}`;
  return row?.secret === null ? null : decrypt(row?.secret, `data-source:${id}`);
};

test("a private key and its passphrase are stored encrypted, and are in no response", async () => {
  const created = await create({ ...login, privateKey: pem, passphrase: "correct horse" });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    ...{ kind: "Snowflake", hasPassword: true, canWrite: null, dailyBudget: null },
    connection: { ...login, authentication: "KeyPair", schema: "PUBLIC", queryTag: "plumbline" },
  });
  const { id } = created.body;
  const all = JSON.stringify([created.body, (await rest("GET", `/data-sources/${id}`, { cookie })).body]);
  expect(all).not.toMatch(/PRIVATE KEY|correct horse|passphrase/);
  expect(JSON.parse((await storedSecret(id)) ?? "")).toEqual({
    privateKey: pem,
    passphrase: "correct horse",
  });

  // What is omitted is kept, unless it would sign in elsewhere.
  expect((await update(id, { ...login, warehouse: "small" })).status).toBe(200);
  expect(JSON.parse((await storedSecret(id)) ?? "").passphrase).toBe("correct horse");
  for (const other of [{ account: "evil-account" }, { user: "someone" }]) {
    const refused = await update(id, { ...login, ...other });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: "connection.privateKey", message: expect.stringMatching(/^is required when the account/) }],
    ]);
  }
  const asToken = await update(id, { ...login, authentication: "OAuth" });
  expect([asToken.status, asToken.body.errors[0].path]).toEqual([400, "connection.token"]);
  expect((await update(id, { ...login, authentication: "OAuth", token: "abc" })).status).toBe(200);
  expect(await storedSecret(id)).toBe('{"token":"abc"}');
});

test("a key that is kept elsewhere is shown as where, and only where an operator allows it", async () => {
  const refused = await create({ ...login, privateKey: "{{env:SOMETHING}}" });
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, "connection.privateKey"]);
});

test("another kind's connection does not fit, nor does Snowflake's fit another kind", async () => {
  const json = { projectId, name: "Shop", kind: "PostgreSql", connection: login };
  expect((await rest("POST", "/data-sources", { cookie, json })).status).toBe(400);
  expect((await create({ host: "h", port: 1, database: "d", user: "u" })).status).toBe(400);
  expect((await create({ ...login, account: "evil.example.com/" })).status).toBe(400);
});

test("a test of the connection says why it failed, and holds nothing of the key", async () => {
  const json = { kind: "Snowflake", connection: { ...login, privateKey: pem } };
  const tested = await rest("POST", "/data-sources/test-connection", { cookie, json });
  expect(tested.body).toEqual({
    ok: false,
    message: "Connection refused: nothing is listening on this host and port",
  });
});
