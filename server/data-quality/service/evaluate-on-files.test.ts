import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { env } from "../../env.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { allowedTestFolder, writeFiles } from "../../test/files.ts";
import { rest } from "../../test/rest-client.ts";
import { dryRunRuleInput } from "../dry-run-schema.ts";
import { dryRunRule } from "./dry-run.ts";
import { evaluateContract } from "./evaluate.ts";

/** Files as a data source, from the door to a score. */

const folder = allowedTestFolder();
let ctx: SignedIn;
let admin: string;
let projectId: number;

beforeAll(async () => {
  ctx = await asAdmin();
  admin = await aSession("Admin");
  projectId = (await aProject()).id;
  writeFiles(folder, {
    "shop/orders.csv": [
      "id,code,amount",
      ...Array.from({ length: 100 }, (_, n) => `${n + 1},k${n + 1},${n === 6 ? "" : n + 0.5}`),
    ].join("\n"),
  });
});
beforeEach(() => {
  env().FILES_ALLOW = [folder];
});
afterAll(closeSources);

const create = (place: string, cookie = admin) =>
  rest("POST", "/data-sources", {
    cookie,
    json: { projectId, name: "Exports", kind: "Files", connection: { folder: place } },
  });

describe("connecting a folder", () => {
  test("an Admin is told which folders there may be, connects one, and sees its tables", async () => {
    const { body } = await rest("GET", "/data-sources/allowed-folders", { cookie: admin });
    expect(body).toEqual({ folders: [folder] });
    const created = await create(join(folder, "shop"));
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    expect(created.body).toMatchObject({
      ...{ kind: "Files", hasPassword: false, canWrite: null },
      connection: { folder: join(folder, "shop"), patterns: [] },
    });
    const path = `/data-sources/${created.body.id}`;
    const schema = await rest("GET", `${path}/schema`, { cookie: admin });
    expect(schema.body.items).toMatchObject([
      { schemaName: "main", tables: [{ tableName: "orders", rowEstimate: 100 }] },
    ]);
    const changed = await rest("PUT", path, {
      cookie: admin,
      json: { name: "All", connection: { folder, patterns: ["shop/*.csv"] } },
    });
    expect(changed.body).toMatchObject({ connection: { folder, patterns: ["shop/*.csv"] } });
    const again = await rest("GET", `${path}/schema`, { cookie: admin });
    expect(again.body.items[0].tables.map(({ tableName }: { tableName: string }) => tableName)).toEqual([
      "shop/*.csv",
    ]);
  });

  test("a folder that is not allowed is refused in the same words, whether it exists or not", async () => {
    const message = "must be in a folder that an operator has allowed with FILES_ALLOW";
    const errors = [{ path: "connection.folder", message }];
    for (const place of ["/etc", "/no/such/folder", `${folder}/../..`, "/"]) {
      const created = await create(place);
      expect([created.status, created.body.errors], place).toEqual([400, errors]);
      const tried = await rest("POST", "/data-sources/test-connection", {
        cookie: admin,
        json: { kind: "Files", connection: { folder: place } },
      });
      expect([tried.status, tried.body.errors], place).toEqual([400, errors]);
    }
    const { id } = (await create(folder)).body;
    const moved = await rest("PUT", `/data-sources/${id}`, {
      cookie: admin,
      json: { name: "X", connection: { folder: "/etc" } },
    });
    expect([moved.status, moved.body.errors]).toEqual([400, errors]);
    env().FILES_ALLOW = [];
    expect((await create(folder)).status).toBe(400);
    // What was allowed once is not read any more.
    const tables = await rest("POST", `/data-sources/${id}/refresh-schema`, { cookie: admin });
    expect([tables.status, tables.body.detail]).toEqual([502, `The folder ${message}`]);
  });

  test.each([
    [{ folder: "relative/path" }, "connection.folder"],
    [{ folder: "" }, "connection.folder"],
    [{ folder: "/x", patterns: ["../y.csv"] }, "connection.patterns.0"],
    [{ folder: "/x", patterns: ["/y.csv"] }, "connection.patterns.0"],
    [{ host: "h", port: 1, database: "d", user: "u" }, "connection"],
  ])("%j is no connection of files", async (connection, path) => {
    const json = { projectId, name: "X", kind: "Files", connection };
    const refused = await rest("POST", "/data-sources", { cookie: admin, json });
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map((error: { path: string }) => error.path)).toEqual([path]);
  });

  test("an Editor connects none, as no other data source", async () => {
    const editor = await aSession("Editor");
    expect((await create(folder, editor)).status).toBe(403);
    expect((await rest("GET", "/data-sources/allowed-folders", { cookie: editor })).status).toBe(403);
  });
});

test("a contract on a file is evaluated, with its failing rows, and compared with a table of a database", async () => {
  const { id } = (await create(join(folder, "shop"))).body;
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
