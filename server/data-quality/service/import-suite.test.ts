import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aDbtTest, aManifest } from "../../test/factories/dbt.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";

/** A dbt project over REST, on tables of a real PostgreSQL, imported once and again. */

type Json = Awaited<ReturnType<typeof rest>>["body"];

let cookie: string;
let dataSourceId: number;

beforeAll(async () => {
  cookie = await aSession("Editor");
  await sql.unsafe(`
    create schema shop;
    create table shop.customers (id int);
    insert into shop.customers values (1), (2), (2);
    create table shop.orders (id int, amount numeric);
    insert into shop.orders values (1, 10), (2, -1), (3, null)`);
});
afterAll(closeSources);

async function send(tests: Record<string, unknown>, { preview = false, again = false, ...more }: Json = {}) {
  const path = `/data-quality/imports/dbt${preview ? "/preview" : ""}`;
  const manifest = aManifest({ tests });
  return rest("POST", path, { cookie, json: { dataSourceId, manifest, again, ...more } });
}

const own = async () => {
  const { body } = await rest("GET", `/data-quality/contracts?dataSourceId=${dataSourceId}`, { cookie });
  return body.items as Json[];
};
const update = async (contract: Json, rules: Json[]) => {
  const { id, name, schemaName, tableName, cronExpression } = contract;
  const json = { name, dataSourceId, schemaName, tableName, cronExpression, rules };
  const sent = rules.map(({ id: _, ...rule }) => rule);
  return rest("PUT", `/data-quality/contracts/${id}`, { cookie, json: { ...json, rules: sent } });
};

const tests = {
  "test.shop.unique": aDbtTest("unique", { column: "id", model: "customers" }),
  "test.shop.filled": aDbtTest("not_null", { column: "amount" }),
  "test.shop.positive": aDbtTest("expression_is_true", {
    namespace: "dbt_utils",
    kwargs: { expression: "amount > 0" },
    config: { error_if: "> 1" },
  }),
  "test.shop.written": {
    ...{
      resource_type: "test",
      name: "no_negatives",
      package_name: "shop",
      original_file_path: "tests/n.sql",
    },
    ...{ depends_on: { nodes: ["model.shop.orders"], macros: [] }, config: {} },
    raw_code: "select * from {{ ref('orders') }} where amount < 0;",
  },
  "test.shop.ghost": aDbtTest("unique", { column: "id", model: "ghosts" }),
  "test.shop.custom": aDbtTest("is_odd", { column: "id" }),
};

test("a project is imported: planned first, then stored, and its rules measure what dbt measures", async () => {
  dataSourceId = (await aDataSource()).id;
  const preview = await send(tests, { preview: true });
  expect(preview.status).toBe(200);
  expect(await own()).toEqual([]);

  const { status, body } = await send(tests, {
    runResults: { results: [{ unique_id: "test.shop.unique", status: "fail", failures: 1 }] },
  });
  expect(status).toBe(200);
  const { dataSourceId: _, ...plan } = body;
  expect(plan.totals).toEqual(preview.body.totals);
  expect(plan.totals).toMatchObject({
    ...{ tests: 6, carried: 4, contracts: { new: 2, updated: 0, archived: 0 } },
    rules: { new: 4, updated: 0, unchanged: 0, kept: 0, removed: 0 },
    descriptions: 4,
  });
  expect(plan.missingTables).toMatchObject([{ schemaName: "shop", tableName: "ghosts", tests: 1 }]);
  expect(plan.notCarried.map((each: Json) => each.id).sort()).toEqual([
    "test.shop.custom",
    "test.shop.ghost",
  ]);
  expect(plan.tables.flatMap((each: Json) => each.rules.map((rule: Json) => rule.lastStatus))).toContain(
    "fail (1)",
  );

  const sentences = plan.tables.flatMap((each: Json) => each.rules.map((rule: Json) => rule.sentence));
  expect(sentences).toContain("No id occurs twice; High severity");
  expect(sentences).toContain("No amount is NULL; High severity");

  const [customers, orders] = await own();
  expect([customers.name, orders.name]).toEqual(["shop.customers (dbt)", "shop.orders (dbt)"]);
  expect(orders.description).toContain("Owner: Sales. Tags: daily.");
  const measured = async (id: number) => {
    const evaluation = await rest("POST", `/data-quality/contracts/${id}/evaluate`, { cookie });
    return evaluation.body.ruleResults.map((each: Json) => [each.passed, each.couldRun]);
  };
  // Of the ids of customers, 2 is there twice.
  expect(await measured(customers.id)).toEqual([[false, true]]);
  // One amount is missing; one is not positive, and one may be; and that one is negative.
  expect(await measured(orders.id)).toEqual([
    [false, true],
    [true, true],
    [false, true],
  ]);
});

test("imported again, nothing is doubled, and nothing changes", async () => {
  const { body } = await send(tests);
  expect(body.totals).toMatchObject({
    contracts: { new: 0, updated: 0, archived: 0 },
    rules: { new: 0, updated: 0, unchanged: 4, kept: 0, removed: 0 },
    descriptions: 0,
  });
  expect((await own()).map(({ version, rules }) => [version, rules.length])).toEqual([
    [1, 1],
    [1, 3],
  ]);
});

test("what people changed or removed is left alone, and what they added stays", async () => {
  const [, orders] = await own();
  const [filled, positive] = orders.rules;
  const changed = { ...filled, severity: "Critical" };
  const added = { name: "Ours", type: "Volume", configuration: { minRows: 1 } };
  expect((await update(orders, [changed, positive, added])).status).toBe(200);

  const { "test.shop.filled": _, ...rest } = tests;
  const stricter = aDbtTest("expression_is_true", {
    namespace: "dbt_utils",
    kwargs: { expression: "amount > 1" },
  });
  const { body } = await send({ ...rest, "test.shop.positive": stricter });
  expect(body.totals.rules).toEqual({ new: 0, updated: 1, unchanged: 1, kept: 2, removed: 0 });
  const planned = body.tables.flatMap((table: Json) => table.rules);
  // What is left alone is said as it is here.
  expect(planned.find(({ id }: Json) => id === "test.shop.filled").sentence).toMatch(/; Critical severity$/);
  const fates = planned.map(({ id, reason }: Json) => [id, reason]);
  expect(fates).toContainEqual(["test.shop.filled", "Its test is gone, but it was changed here"]);
  expect(fates).toContainEqual(["test.shop.written", "Was removed here"]);
  const [, after] = await own();
  expect(after.rules.map((rule: Json) => [rule.name, rule.severity])).toEqual([
    [filled.name, "Critical"],
    ["amount > 1: expression_is_true", "High"],
    ["Ours", "Medium"],
  ]);
  expect(after.rules[1].key).toBe(positive.key);

  const once = await send({ ...rest, "test.shop.positive": stricter }, { again: true });
  expect(once.body.totals.rules).toMatchObject({ new: 1, updated: 0 });
  const twice = await send({ ...rest, "test.shop.positive": stricter }, { again: true });
  expect(twice.body.totals.rules).toMatchObject({ new: 0, updated: 0 });
});

test("rules whose tests are gone are removed, and a contract without rules is archived", async () => {
  const { body } = await send({});
  expect(body.totals).toMatchObject({
    contracts: { new: 0, updated: 1, archived: 1 },
    rules: { removed: 3, kept: 1 },
  });
  expect((await own()).map(({ rules }) => rules.map((rule: Json) => rule.name))).toEqual([
    ["amount: not_null", "Ours"],
  ]);
  // It comes back with its tests, once.
  for (const expected of [1, 0])
    expect((await send({ "test.shop.unique": tests["test.shop.unique"] })).body.totals.contracts.new).toBe(
      expected,
    );
});

test("a contract that people archived is not created again, unless they say so", async () => {
  const [customers] = await own();
  await rest("DELETE", `/data-quality/contracts/${customers.id}`, { cookie });
  const only = { "test.shop.unique": tests["test.shop.unique"] };
  expect((await send(only)).body.tables).toContainEqual(
    expect.objectContaining({ fate: "Kept", reason: "Its contract was archived here" }),
  );
  expect((await send(only, { again: true })).body.totals.contracts.new).toBe(1);
});

test("tags of models and their columns become tags of tables, follow dbt, and leave people's own alone", async () => {
  dataSourceId = (await aDataSource()).id;
  const place = `/data-sources/${dataSourceId}/tags`;
  const tagsNow = async () => {
    const { body } = await rest("GET", place, { cookie });
    return body.items.map(({ tableName, tags }: Json) => [tableName, tags]);
  };
  const tagBy = (tableName: string, tags: string[]) =>
    rest("PUT", place, { cookie, json: { schemaName: "shop", tableName, tags } });
  await rest("GET", `/data-sources/${dataSourceId}/schema`, { cookie });
  await tagBy("customers", ["tier 1"]);

  /** A project in which customers has these tags, one of its columns others, and a source is the same table. */
  const project = (model: string[], column: string[], source: string[] = []) => {
    const manifest = aManifest();
    const customers = manifest.nodes["model.shop.customers"] as Json;
    customers.tags = model;
    customers.columns = { id: { name: "id", tags: column.slice(0, 1), config: { tags: column.slice(1) } } };
    const loaded = { resource_type: "source", name: "customers", package_name: "shop", schema: "shop" };
    return { ...manifest, sources: { "source.shop.raw.customers": { ...loaded, tags: source } } };
  };
  const imported = async (manifest: object, preview = "") => {
    const path = `/data-quality/imports/dbt${preview}`;
    const { body } = await rest("POST", path, { cookie, json: { dataSourceId, manifest } });
    return body;
  };

  const first = project(["PII"], ["Key", "contact"], ["Raw", "#odd"]);
  const preview = await imported(first, "/preview");
  expect(preview.totals.tags).toBe(5);
  expect(preview.warnings).toContain(
    "Tags with signs that tags of the catalog cannot have are left out: #odd",
  );
  expect(await tagsNow()).toEqual([["customers", ["tier 1"]]]);
  expect((await imported(first)).totals.tags).toBe(5);
  expect(await tagsNow()).toEqual([
    ["customers", ["contact", "key", "pii", "raw", "tier 1"]],
    ["orders", ["daily"]],
  ]);
  // Read again, nothing changes.
  expect((await imported(first)).totals.tags).toBe(0);
  // People remove one and add one.
  await tagBy("customers", ["contact", "gold", "key", "raw", "tier 1"]);
  expect((await imported(first)).totals.tags).toBe(0);
  // Both nodes are about the table: what one of them drops, and the other has now, stays.
  const second = await imported(project(["PII", "raw", "gold"], []));
  expect(second.tables.map(({ tableName, removedTags }: Json) => [tableName, removedTags])).toContainEqual([
    "customers",
    ["contact", "key"],
  ]);
  expect(await tagsNow()).toEqual([
    ["customers", ["gold", "raw", "tier 1"]],
    ["orders", ["daily"]],
  ]);
  // Without the tags, those of people are left.
  const { "model.shop.orders": _, ...nodes } = project([], []).nodes;
  await imported({ ...project([], []), nodes });
  expect(await tagsNow()).toEqual([["customers", ["gold", "tier 1"]]]);
});

test("ten imports at once create each contract once", async () => {
  dataSourceId = (await aDataSource()).id;
  const sent = await Promise.all(Array.from({ length: 10 }, () => send(tests)));
  expect(sent.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await own()).toHaveLength(2);
});

test("what is not a manifest, or too large, is rejected", async () => {
  const path = "/data-quality/imports/dbt";
  const post = async (json: object) => (await rest("POST", path, { cookie, json })).status;
  expect(await post({ dataSourceId })).toBe(400);
  expect(await post({ dataSourceId, manifest: [] })).toBe(400);
  expect(await post({ dataSourceId, manifest: aManifest(), more: 1 })).toBe(400);
  expect(await post({ dataSourceId: 2_000_000_000, manifest: aManifest() })).toBe(404);
  const large = await rest("POST", path, {
    cookie,
    json: { dataSourceId, manifest: "x".repeat(16 * 1024 * 1024) },
  });
  expect([large.status, large.body.detail]).toEqual([
    413,
    "The body is larger than 16 MB: `npx plumbline import dbt` reads a target folder of any size and sends only what is needed",
  ]);
  const deep = `{"dataSourceId": ${dataSourceId}, "manifest": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const headers = { "content-type": "application/json" };
  expect((await rest("POST", path, { cookie, headers, body: deep })).status).toBe(400);
});
