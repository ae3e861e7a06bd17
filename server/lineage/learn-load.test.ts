import { beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { db, sql } from "../db/client.ts";
import { openLineageInput } from "../reported-events/schema.ts";
import { reportRun } from "../reported-events/service.ts";
import { aDataSource, ownConnection } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { learnLoad } from "./service/learn-load.ts";
import { removeOldEdges } from "./service/store-edges.ts";
import { lineageEdges } from "./tables.ts";

let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
beforeAll(async () => {
  ctx = await asAdmin();
  source = await aDataSource();
});

const dataset = (table: string) => {
  const { host, port, database } = ownConnection();
  return { namespace: `postgres://${host}:${port}`, name: `${database}.shop.${table}` };
};

/** As an OpenLineage client sends it. */
async function run(runId: string, event: object) {
  const { id } = await reportRun(
    ctx,
    openLineageInput.parse({
      ...{ projectId: source.projectId, eventType: "COMPLETE", eventTime: "2030-01-31T03:00:00Z" },
      ...{ run: { runId }, job: { namespace: "airflow", name: "load_orders" }, ...event },
    }),
  );
  return learnLoad(id);
}
const edges = async () =>
  (await db.select().from(lineageEdges).orderBy(lineageEdges.fromTableName)).map((edge) => ({
    ...{ from: edge.fromTableName, to: edge.toTableName, origin: edge.origin, columns: edge.columns },
  }));

test("a run says what its outputs are made from, with the columns of its facet", async () => {
  const facets = {
    columnLineage: {
      _producer: "https://example.com",
      fields: {
        amount: { inputFields: [{ ...dataset("raw_orders"), field: "total", transformations: [] }] },
        stranger: { inputFields: [{ ...dataset("never_read"), field: "x" }] },
      },
    },
  };
  await run("1", { inputs: [dataset("raw_orders")], outputs: [{ ...dataset("orders"), facets }] });
  const known = { from: "raw_orders", to: "orders", origin: "load_orders" };
  expect(await edges()).toEqual([{ ...known, columns: [{ from: "total", to: "amount" }] }]);
  // A later run that says less of columns takes nothing back, and one of another part adds to it.
  await run("2", { inputs: [dataset("raw_orders")], outputs: [dataset("orders")] });
  await run("3", { inputs: [dataset("raw_returns")], outputs: [dataset("orders")] });
  expect(await edges()).toEqual([
    { ...known, columns: [{ from: "total", to: "amount" }] },
    { ...known, from: "raw_returns", columns: [] },
  ]);
});

test("a facet that is written in another way, and datasets of others, are let through", async () => {
  const facets = { columnLineage: { fields: "none" } };
  expect(await run("4", { inputs: [dataset("a")], outputs: [{ ...dataset("b"), facets }] })).toBe(1);
  const foreign = { namespace: "s3://bucket", name: "file.csv" };
  expect(await run("5", { inputs: [foreign], outputs: [dataset("b")] })).toBe(0);
});

test("what nobody reports for a month goes", async () => {
  expect(await removeOldEdges()).toBe(0);
  await sql`update lineage_edges set last_seen_at = now() - interval '31 days' where from_table_name = 'a'`;
  expect(await removeOldEdges()).toBe(1);
});
