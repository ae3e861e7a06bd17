import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { sql } from "../db/client.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { asEditor } from "../test/factories/principals.ts";
import { explainInput, explainQuery } from "./explain.ts";

let dataSourceId: number;

beforeAll(async () => {
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create schema plans;
    create table plans.orders (id int primary key, customer_id int, amount int);
    create table plans.customers (id int primary key);
    insert into plans.customers select n from generate_series(1, 10) n;
    insert into plans.orders select n, 1 + n % 10, n from generate_series(1, 5000) n;
    analyze plans.orders; analyze plans.customers`);
});
afterAll(closeSources);

const explain = async (text: string, parameters: object = {}, projectIds: readonly number[] | null = null) =>
  explainQuery(await asEditor({ projectIds }), explainInput.parse({ dataSourceId, sql: text, parameters }));

test("a join is a tree: the larger table first, with its rows, and the most expensive operation marked once", async () => {
  const { lines } = await explain(
    "select c.id, sum(o.amount) from plans.orders o join plans.customers c on c.id = o.customer_id where o.amount > {{least}} group by c.id",
    { least: 10 },
  );
  const scans = lines.filter(({ operation }) => operation === "Seq Scan");
  expect(scans.map(({ detail }) => detail?.split(",")[0])).toEqual(["orders as o", "customers as c"]);
  expect(scans[0]?.rows).toBeGreaterThan(4000);
  expect(scans[1]?.rows).toBe(10);
  expect(lines[0]?.depth).toBe(0);
  expect(lines.filter(({ isMostExpensive }) => isMostExpensive)).toHaveLength(1);
  // What operations add is the cost of all.
  const added = lines.reduce((sum, { ownCost }) => sum + (ownCost ?? 0), 0);
  expect(added).toBeCloseTo(lines[0]?.cost ?? 0, 1);
});

test("nothing is run", async () => {
  // Running it would divide by zero, or sleep.
  const { lines } = await explain("select 1 / (o.id - o.id) from plans.orders o");
  expect(lines[0]?.operation).toBe("Seq Scan");
});

test.each([
  ["with gone as (delete from plans.orders returning id) select id from gone"],
  ["analyze plans.orders"],
  ["select pg_advisory_lock(1)"],
  ["select missing from plans.orders"],
  ["select 1; select 2"],
])("it is as strict as a run: %s", async (text) => {
  await expect(explain(text)).rejects.toMatchObject({ code: "rejected" });
});

test("others' data sources are not there, and some kinds have no plan", async () => {
  const { id } = await aProject();
  await expect(explain("select 1", {}, [id])).rejects.toMatchObject({ code: "not_found" });
  const server = await aDataSource({ kind: "SqlServer", connection: { host: "127.0.0.1", port: 1 } });
  const input = explainInput.parse({ dataSourceId: server.id, sql: "select 1" });
  await expect(explainQuery(await asEditor(), input)).rejects.toMatchObject({ code: "rejected" });
});
