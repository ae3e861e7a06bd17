import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { env } from "../../env.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { aDataFolder, anS3Server } from "../../test/s3-server.ts";
import { s3Keys } from "../../test/s3-storage.ts";
import { dryRunRuleInput } from "../dry-run-schema.ts";
import { dryRunRule } from "./dry-run.ts";
import { evaluateContract } from "./evaluate.ts";

/** A bucket as a data source, from the door to a score. */

const server = await anS3Server();
let ctx: SignedIn;
let admin: string;
let projectId: number;

beforeAll(async () => {
  aDataFolder();
  env().OUTBOUND_ALLOW = "127.0.0.1";
  process.env.DATA_SOURCE_S3 = s3Keys.secretAccessKey;
  env().SECRETS_ENV_PREFIX = "DATA_SOURCE_";
  ctx = await asAdmin();
  admin = await aSession("Admin");
  projectId = (await aProject()).id;
  const rows = (from: number) =>
    Array.from({ length: 50 }, (_, n) => from + n).map((n) => `${n},k${n},${n === 7 ? "" : n - 0.5}`);
  await server.put("shop/orders/1.csv", ["id,code,amount", ...rows(1)].join("\n"));
  await server.put("shop/orders/2.csv", ["id,code,amount", ...rows(51)].join("\n"));
});
afterAll(closeSources);

const bucket = () => ({ bucket: server.bucket, prefix: "shop", endpoint: server.endpoint, ...s3Keys });
const create = (connection: object = bucket()) =>
  rest("POST", "/data-sources", {
    cookie: admin,
    json: { projectId, name: "Exports", kind: "Files", connection },
  });
const update = (id: number, connection: object) =>
  rest("PUT", `/data-sources/${id}`, { cookie: admin, json: { name: "Exports", connection } });
const tryOut = (connection: object, dataSourceId?: number) =>
  rest("POST", "/data-sources/test-connection", {
    cookie: admin,
    json: { kind: "Files", connection, ...(dataSourceId !== undefined && { dataSourceId }) },
  });
const without = (name: string, connection: Record<string, unknown> = bucket()) =>
  Object.fromEntries(Object.entries(connection).filter(([key]) => key !== name));

describe("connecting a bucket", () => {
  test("its secret access key is stored, and in no response", async () => {
    const created = await create();
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    expect(created.body).toMatchObject({
      ...{ kind: "Files", hasPassword: true, secretReferences: [] },
      connection: { ...without("secretAccessKey"), region: "us-east-1", patterns: [] },
    });
    expect(created.body.connection).not.toHaveProperty("secretAccessKey");
    const schema = await rest("GET", `/data-sources/${created.body.id}/schema`, { cookie: admin });
    expect(schema.body.items).toMatchObject([{ tables: [{ tableName: "orders", rowEstimate: 100 }] }]);
  });

  test("its secret stays on an update, unless it would be used for another key or storage", async () => {
    const { id } = (await create()).body;
    const kept = without("secretAccessKey");
    expect((await update(id, { ...kept, patterns: ["orders/1.csv"] })).body).toMatchObject({
      hasPassword: true,
    });
    expect((await tryOut(kept, id)).body).toMatchObject({
      ok: true,
      message: "Found 2 objects with 1.2 KiB",
    });
    for (const changes of [{ accessKeyId: "OTHER" }, { endpoint: "https://storage.example.com" }]) {
      const refused = await update(id, { ...kept, ...changes });
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [
          {
            path: "connection.secretAccessKey",
            message: "is required when the endpoint or the access key ID changes",
          },
        ],
      ]);
    }
    expect((await update(id, { folder: "/srv" })).status).toBe(400);
    // A bucket that is public now needs no key.
    expect((await update(id, without("accessKeyId", kept))).body).toMatchObject({ hasPassword: false });
  });

  test("its secret can be kept elsewhere, where an operator allows it", async () => {
    const reference = "{{env:DATA_SOURCE_S3}}";
    const { body } = await create({ ...bucket(), secretAccessKey: reference });
    expect(body).toMatchObject({ hasPassword: true, secretReferences: [reference] });
    expect((await tryOut(without("secretAccessKey"), body.id)).body).toMatchObject({ ok: true });
    const refused = await create({ ...bucket(), secretAccessKey: "{{env:PATH}}" });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "connection.secretAccessKey"]);
  });

  test("a temporary key's session token is stored with its secret, used, and in no response", async () => {
    const sessionToken = "FwoGZXIvYXdzEBYaDEXAMPLE==";
    const created = await create({ ...bucket(), sessionToken });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { id } = created.body;
    server.seen.length = 0;
    const refreshed = await rest("POST", `/data-sources/${id}/refresh-schema`, { cookie: admin });
    expect(refreshed.status).toBe(200);
    const tokens = () => new Set(server.seen.map(({ headers }) => headers["x-amz-security-token"]));
    expect(tokens()).toEqual(new Set([sessionToken]));
    const [stored] = await sql`select secret from data_sources where id = ${id}`;
    expect(JSON.stringify([created.body, refreshed.body, stored?.secret.toString("latin1")])).not.toContain(
      sessionToken,
    );
    // It stays with its key, and goes with it.
    const kept = without("secretAccessKey");
    expect((await tryOut(kept, id)).body).toMatchObject({ ok: true });
    expect(tokens()).toEqual(new Set([sessionToken]));
    expect((await update(id, { ...kept, sessionToken: "another" })).body.errors).toEqual([
      { path: "connection.secretAccessKey", message: "is required with a session token" },
    ]);
    expect((await update(id, bucket())).status).toBe(200);
    server.seen.length = 0;
    await rest("POST", `/data-sources/${id}/refresh-schema`, { cookie: admin });
    expect(tokens()).toEqual(new Set([undefined]));
  });

  test("a session token can be kept elsewhere beside its key", async () => {
    const references = ["{{env:DATA_SOURCE_S3}}", "{{env:DATA_SOURCE_TOKEN}}"];
    process.env.DATA_SOURCE_TOKEN = "kept elsewhere";
    const [secretAccessKey, sessionToken] = references;
    const { body } = await create({ ...bucket(), secretAccessKey, sessionToken });
    expect(body).toMatchObject({ secretReferences: references });
    server.seen.length = 0;
    expect((await tryOut(without("secretAccessKey"), body.id)).body).toMatchObject({ ok: true });
    expect(server.seen[0]?.headers["x-amz-security-token"]).toBe("kept elsewhere");
  });

  test("a storage that cannot be read says why", async () => {
    const wrong = { ...bucket(), secretAccessKey: "wrong" };
    expect((await tryOut(wrong)).body).toEqual({ ok: false, message: "The secret access key is wrong" });
    const { id } = (await create(wrong)).body;
    const tables = await rest("POST", `/data-sources/${id}/refresh-schema`, { cookie: admin });
    expect([tables.status, tables.body.detail]).toEqual([502, "The secret access key is wrong"]);
  });

  test.each([
    [{ bucket: "../x" }, "connection.bucket"],
    [{ bucket: "shop", endpoint: "ftp://x" }, "connection.endpoint"],
    [{ bucket: "shop", region: "eu west" }, "connection.region"],
    [{ bucket: "shop", secretAccessKey: "s" }, "connection.accessKeyId"],
    [{ bucket: "shop", accessKeyId: "k", secretAccessKey: "s\nt" }, "connection.secretAccessKey"],
    [{ bucket: "shop", patterns: ["/x.csv"] }, "connection.patterns.0"],
    [{ addresses: ["http://example.com/a.csv"] }, "connection.addresses.0"],
    [{ addresses: ["https://example.com/export"] }, "connection.addresses.0"],
    [{ addresses: ["https://u:p@example.com/a.csv"] }, "connection.addresses.0"],
    [{ addresses: ["https://a.com/x.csv", "https://b.com/X.csv"] }, "connection.addresses"],
    [{ addresses: [] }, "connection.addresses"],
  ])("%j is no connection of files", async (connection, path) => {
    const refused = await create(connection);
    expect([refused.status, refused.body.errors.map((error: { path: string }) => error.path)]).toEqual([
      400,
      [path],
    ]);
  });

  test("secret headers of addresses stay with their server", async () => {
    const connection = { addresses: ["https://a.example.com/x.csv"], secretHeaders: { "X-Key": "hunter2" } };
    const created = await create(connection);
    expect(created.body).toMatchObject({ hasPassword: true });
    expect(JSON.stringify(created.body)).not.toContain("hunter2");
    const { id } = created.body;
    const more = await update(id, { addresses: [...connection.addresses, "https://a.example.com/y.csv"] });
    expect(more.status).toBe(200);
    const moved = await update(id, { addresses: ["https://b.example.com/x.csv"] });
    expect(moved.body.errors).toEqual([
      {
        path: "connection.secretHeaders",
        message: "is required when there is an address on another server",
      },
    ]);
  });
});

test("a contract on objects is evaluated, with its failing rows, and compared with a table of a database", async () => {
  const { id } = (await create()).body;
  const rules = [
    aRule("NullRate", { column: "amount", maxNullPercent: 0 }),
    aRule("Range", { column: "amount", min: "0", max: "98.5" }),
    aRule("Volume", { minRows: 100, maxRows: 100 }),
    aRule("CustomSql", { sql: "select count(*) = 100 as passed from orders" }),
  ];
  const contract = await aContract({ dataSourceId: id, samples: "Full", rules }, ctx);
  const evaluation = await evaluateContract(ctx, contract.id);
  // 1 of 100 is NULL: 99. 99.5 is above 98.5: 99. The other two pass.
  expect(evaluation).toMatchObject({ passedCount: 2, failedCount: 2, overallScore: 99.5 });

  await sql.unsafe(`
    create table orders (id bigint, code text, amount numeric(10, 2));
    insert into orders select i, 'k' || i, case when i <> 7 then i - 0.5 end from generate_series(1, 100) as i;
    update orders set amount = 0 where id = 50`);
  const database = await aDataSource({ projectId, name: "Shop" });
  const compared = await dryRunRule(
    ctx,
    dryRunRuleInput.parse({
      ...{ dataSourceId: id, tableName: "orders", samples: "Full" },
      rule: aRule("Compare", {
        ...{ otherDataSourceId: database.id, otherTable: "orders", key: ["id"] },
      }),
    }),
  );
  expect(compared).toMatchObject({ passed: false, couldRun: true });
  expect(JSON.stringify(compared.samples)).toContain("49.5");
});
