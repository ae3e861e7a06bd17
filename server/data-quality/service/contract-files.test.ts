import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { anOdcsFile } from "../../test/factories/odcs.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { contracts } from "../tables.ts";

/** Contracts as files, over REST, on tables of a real PostgreSQL. */

let cookie: string;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  cookie = await aSession("Editor");
  source = await aDataSource();
  await sql.unsafe(`
    create schema shop;
    create table shop.customers (id int primary key);
    insert into shop.customers values (1), (2), (3);
    create table shop.orders (
      id int, customer int, amount numeric, currency text, status text, "changed at" timestamptz);
    insert into shop.orders values
      (1, 1, 10, 'EUR', 'paid', now()),
      (2, 2, 20, 'USD', 'open', now() - interval '1 hour'),
      (3, 2, 30.5, 'GBP', 'paid', now() - interval '2 hours'),
      (3, 9, null, 'eur', '', null)`);
});
afterAll(closeSources);

async function importFile(
  body: string,
  { dataSourceId = source.id, type = "application/yaml", preview = false } = {},
) {
  const path = `/data-quality/contracts/import${preview ? "/preview" : ""}?dataSourceId=${dataSourceId}`;
  return rest("POST", path, { cookie, headers: { "content-type": type }, body });
}

const exportOf = (id: number) => rest("GET", `/data-quality/contracts/${id}/odcs`, { cookie });
const evaluate = async (id: number) =>
  (await rest("POST", `/data-quality/contracts/${id}/evaluate`, { cookie })).body;
const countContracts = () => db.$count(contracts);

describe("a contract that is exported, and imported into another project", () => {
  test("is evaluated to the same score, with all of its settings", async () => {
    const recipient = await aRecipient({ projectId: source.projectId, name: "Shop desk" });
    const original = await aContract({
      ...{ name: "Orders are sound", description: "All of them", dataSourceId: source.id },
      context: "Amounts are with VAT.",
      ...{ schemaName: "shop", tableName: "orders", cronExpression: "15 3 * * 1-5", timezone: "Asia/Tokyo" },
      ...{
        failureThreshold: 72.5,
        enabled: false,
        alertOnFailure: false,
        samples: "Off",
        recipientIds: [recipient.id],
      },
      rules: [
        aRule("Uniqueness", { column: "id" }, { severity: "Critical", weight: 2.5 }),
        aRule("Volume", { minRows: 1, maxRows: 3 }, { severity: "Low" }),
        aRule("NullRate", { column: "amount", maxNullPercent: 10 }, { weight: 0.1 }),
        aRule("Range", { column: "amount", min: "15", max: "100.00" }),
        aRule("Pattern", { column: "currency", pattern: "^[A-Z]{3}$" }, { enabled: false }),
        aRule("Referential", { column: "customer", referenceTable: "customers", referenceColumn: "id" }),
        aRule("Freshness", { column: "changed at", maxAgeMinutes: 5 }),
        aRule("CustomSql", { sql: "select 0 as passed, 40 as score" }),
      ],
    });
    const exported = await exportOf(original.id);
    expect([exported.status, exported.headers.get("content-type")]).toEqual([200, "application/yaml"]);
    expect(exported.body).toContain("apiVersion: v3.1.0");
    const inVersion = (version: string) =>
      rest("GET", `/data-quality/contracts/${original.id}/odcs?version=${version}`, { cookie });
    expect((await inVersion("3.2")).body).toContain("apiVersion: v3.2.0");
    expect((await inVersion("2.2")).status).toBe(400);

    const elsewhere = await aDataSource();
    await aRecipient({ projectId: elsewhere.projectId, name: "Shop desk" });
    const imported = await importFile(exported.body, { dataSourceId: elsewhere.id });
    expect(imported.status).toBe(201);
    expect(imported.body.unmapped).toEqual([]);
    const [copy] = imported.body.contracts;
    expect(imported.headers.get("location")).toBe("/svc/api/data-quality/contracts");
    const same = ["name", "description", "context", "schemaName", "tableName", "cronExpression", "timezone"];
    for (const field of [...same, "failureThreshold", "enabled", "alertOnFailure", "samples"] as const)
      expect(copy[field], field).toEqual(original[field as keyof typeof original]);
    expect(copy.projectId).toBe(elsewhere.projectId);
    expect(copy.recipients).toMatchObject([{ name: "Shop desk", projectId: elsewhere.projectId }]);
    const withoutIds = (rules: { id: number }[]) => rules.map(({ id: _, ...rule }) => rule);
    expect(withoutIds(copy.rules)).toEqual(withoutIds(original.rules));

    const [ofOriginal, ofCopy] = [await evaluate(original.id), await evaluate(copy.id)];
    expect(ofCopy.overallScore).toBe(ofOriginal.overallScore);
    expect(ofOriginal.overallScore).toBeGreaterThan(0);
    expect(ofOriginal.overallScore).toBeLessThan(100);
    // Exporting the import gives the same file.
    const again = await exportOf(copy.id);
    expect(again.body.replace(`contract-${copy.id}`, `contract-${original.id}`)).toBe(exported.body);
  });
});

test("a third-party file is measured as it says", async () => {
  const checks = [
    ["metric: nullValues, mustBeLessThan: 2", true],
    ["metric: nullValues, unit: percent, mustBeLessThan: 25", false],
    ["metric: nullValues, unit: percent, mustBeBetween: [25, 25.5]", true],
    ["metric: invalidValues, arguments: {min: 10, max: 30}, mustBeLessOrEqualTo: 1", true],
    ["metric: invalidValues, arguments: {min: 10, max: 30}, unit: percent, mustBeLessThan: 20", false],
    ["metric: invalidValues, arguments: {validValues: [10, 20, 30.5]}, mustBe: 0", true],
    ["metric: invalidValues, arguments: {validValues: [10, 20]}, mustBe: 0", false],
    ["type: sql, query: 'select max({column}) from {table};', mustBe: 30.5", true],
    ["type: sql, query: 'select 1 where false', mustBe: 1", false],
    ["type: sql, query: 'with w as (select 5 as n) select n from w -- five', mustNotBe: 5", false],
  ] as const;
  const texts = [
    ["metric: missingValues, arguments: {missingValues: [null, '']}, mustBe: 1", true],
    ["metric: missingValues, arguments: {missingValues: ['n/a']}, mustBe: 0", true],
    ["metric: invalidValues, arguments: {pattern: '^[a-z]+$'}, mustBeLessThan: 2", true],
    ["metric: invalidValues, arguments: {pattern: '^[a-z]+$', validValues: [paid]}, mustBe: 2", true],
    ["metric: duplicateValues, mustBe: 1", true],
    ["metric: duplicateValues, unit: percent, mustBe: 25", true],
  ] as const;
  const listed = (all: readonly (readonly [string, boolean])[]) =>
    all.map(([check]) => `        - {${check}}`).join("\n");
  const yaml = anOdcsFile(`  - name: orders
    physicalName: shop.orders
    quality:
        - {metric: rowCount, mustNotBe: 4}
        - {metric: duplicateValues, arguments: {properties: [id, customer]}, mustBe: 0}
    properties:
      - name: amount
        quality:
${listed(checks)}
      - name: status
        quality:
${listed(texts)}
`);
  const imported = await importFile(yaml);
  expect(imported.status).toBe(201);
  const { ruleResults } = await evaluate(imported.body.contracts[0].id);
  expect(ruleResults.filter(({ message }: { message: string }) => message?.startsWith("Execution"))).toEqual(
    [],
  );
  expect(ruleResults.map(({ passed }: { passed: boolean }) => passed)).toEqual([
    false,
    true,
    ...[...checks, ...texts].map(([, passed]) => passed),
  ]);
});

describe("a file that cannot be imported", () => {
  const orders = "  - {name: orders, physicalName: shop.orders, quality: [{metric: rowCount, mustBe: 4}]}\n";
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${["b", "c", "d", "e", "f", "g", "h"]
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[index]}`).join(", ")}]`)
    .join("\n")}`;

  test.each<[string, string, number]>([
    ["is no YAML", "a: [1", 400],
    ["is a text", "just words", 400],
    ["is a list", "- 1\n- 2", 400],
    ["is empty", "", 400],
    ["is another document", "kind: Deployment\napiVersion: apps/v1", 400],
    ["is of version 2", anOdcsFile(orders).replace("v3.1.0", "v2.2.2"), 400],
    ["is of a version to come", anOdcsFile(orders).replace("v3.1.0", "v4.0.0"), 400],
    ["has anchors that explode", bomb, 400],
    ["has a key twice", anOdcsFile(`${orders}name: again\n`), 400],
    ["has a tag", anOdcsFile(orders).replace("id: shop", "id: !!js/function 'x'"), 400],
    ["has a schema that is no list", anOdcsFile("  name: orders"), 400],
    [
      "holds a NUL",
      anOdcsFile(orders).replace("name: orders", 'name: "a\\0b", physicalName: "a\\0b", x'),
      400,
    ],
    ["has no table", anOdcsFile("").replace("schema:\n", ""), 422],
    ["has no rule", anOdcsFile("  - {name: orders}"), 422],
    [
      "has rules of another engine only",
      anOdcsFile("  - {name: a, quality: [{type: custom, engine: soda, implementation: x}]}"),
      422,
    ],
  ])("because it %s", async (_, yaml, status) => {
    const before = await countContracts();
    const answer = await importFile(yaml);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await countContracts()).toBe(before);
  });

  test("because one of its tables does not fit creates no contract at all", async () => {
    const before = await countContracts();
    const broken =
      "  - {name: b, quality: [{metric: rowCount, mustBe: 1, customProperties: [{property: plumblineWeight, value: 99}]}]}\n";
    const answer = await importFile(anOdcsFile(orders + broken));
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path: "schema.1.quality.0.weight" }]);
    expect(await countContracts()).toBe(before);
  });

  test("lists what it could not use", async () => {
    const answer = await importFile(
      anOdcsFile("  - {name: a, quality: [{type: custom, engine: soda, implementation: x}]}"),
    );
    expect(answer.body.errors).toContainEqual({
      path: "schema.0.quality.0",
      message: "Checks of the engine soda cannot be run here",
    });
  });

  test("because of its size, its type, or its destination", async () => {
    const large = anOdcsFile(`${orders}tags: [${"abcdefghi,".repeat(524_288)}]\n`);
    expect((await importFile(large)).status).toBe(413);
    expect((await importFile("{}", { type: "application/json" })).status).toBe(415);
    expect((await importFile(anOdcsFile(orders), { type: "text/yaml" })).status).toBe(201);
    expect((await importFile(anOdcsFile(orders), { dataSourceId: 2_000_000_000 })).status).toBe(404);
    const api = await aDataSource({
      kind: "RestApi",
      connection: { baseUrl: "https://a.example", headers: {} } as object,
    });
    const answer = await importFile(anOdcsFile(orders), { dataSourceId: api.id });
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      "Data contract's data source must be a database type",
    ]);
    const headers = { "content-type": "application/yaml" };
    const nowhere = await rest("POST", "/data-quality/contracts/import", { cookie, headers, body: orders });
    expect(nowhere.body.errors).toContainEqual({ path: "dataSourceId", message: expect.any(String) });
  });

  test("of almost 4 MB can still be read", async () => {
    const large = anOdcsFile(`${orders}tags:\n${`  - ${"x".repeat(996)}\n`.repeat(3900)}`);
    expect(large.length).toBeGreaterThan(3_900_000);
    const { status, body } = await importFile(large);
    expect([status, body.unmapped]).toEqual([
      201,
      expect.arrayContaining([{ path: "tags", reason: expect.any(String) }]),
    ]);
  });
});

test("a preview shows the result, and creates nothing", async () => {
  const before = await countContracts();
  const yaml = anOdcsFile(
    "  - {name: orders, physicalName: shop.orders, quality: [{metric: rowCount, mustBe: 4, schedule: 0 5 * * *}]}",
  );
  const { status, body } = await importFile(yaml, { preview: true });
  expect(status).toBe(200);
  expect(body.contracts).toMatchObject([
    { schemaName: "shop", tableName: "orders", cronExpression: "0 5 * * *" },
  ]);
  expect(await countContracts()).toBe(before);
  const created = await rest("POST", "/data-quality/contracts", { cookie, json: body.contracts[0] });
  expect(created.status).toBe(201);
});
