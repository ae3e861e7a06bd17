import { beforeAll, expect, test } from "vitest";
import { evaluations } from "../data-quality/evaluations/tables.ts";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { aTableAlert } from "../test/factories/watch.ts";
import { rest } from "../test/rest-client.ts";

let headers: Record<string, string>;
beforeAll(async () => {
  ({ headers } = await aKey({ scopes: ["Read"] }));
});

const gate = (query: string) => rest("GET", `/gate/${query}`, { headers });

async function evaluated(contractId: number, dataSourceId: number, score: number, minutesAgo = 5) {
  const at = new Date(Date.now() - minutesAgo * 60_000);
  await db.insert(evaluations).values({
    ...{ contractId, dataSourceId, schemaName: "public", tableName: "gated", trigger: "Scheduled" },
    ...{ status: "Completed", overallScore: score, evaluatedAt: at, startedAt: at },
    ...{ leaseToken: crypto.randomUUID(), leaseUntil: at },
  });
}

test("a table's gate follows its contracts, their age, and what is unusual", async () => {
  expect((await gate("gated")).status).toBe(404);
  const source = await aDataSource();
  const contract = await aContract({ name: "Gated", dataSourceId: source.id, tableName: "gated" });
  const never = await gate("gated");
  expect(never).toMatchObject({ status: 409, body: { reasons: ["Gated was never evaluated"] } });
  await evaluated(contract.id, source.id, 85);
  expect(await gate("public.gated")).toMatchObject({
    status: 200,
    body: { dataSourceId: source.id, tableName: "gated", contracts: [{ id: contract.id, score: 85 }] },
  });
  expect((await gate("gated?minScore=90")).body.reasons).toEqual(["Gated has score 85, below 90"]);
  expect((await gate("gated?maxAgeMinutes=4")).body.reasons).toEqual(["Gated was evaluated 5 minutes ago"]);
  expect((await gate("gated?maxAgeMinutes=6")).status).toBe(200);
  const { alert } = await aTableAlert({ dataSourceId: source.id, tableName: "gated" });
  expect((await gate("gated")).status).toBe(200);
  expect((await gate("gated?alerts=true")).body.reasons).toEqual([alert.sentence]);
  await evaluated(contract.id, source.id, 10, 1);
  const closed = await gate("gated");
  expect(closed.body).toMatchObject({
    detail: "The gate of public.gated is closed: Gated has score 10, below 80",
  });
});

test("of two tables with the same name one must say which", async () => {
  const [one, other] = [await aDataSource(), await aDataSource()];
  for (const { id } of [one, other]) await aContract({ dataSourceId: id, tableName: "twice" });
  expect(await gate("twice")).toMatchObject({
    ...{ status: 422, body: { detail: "2 tables are called twice: name the schema and the data source" } },
  });
  expect((await gate(`twice?dataSourceId=${one.id}`)).status).toBe(409);
});

test("a key limited to a project finds no table of another", async () => {
  const source = await aDataSource();
  await aContract({ dataSourceId: source.id, tableName: "hidden" });
  const limited = await aKey({ scopes: ["Read"], allowedProjectIds: [(await aDataSource()).projectId] });
  expect((await rest("GET", "/gate/hidden", { headers: limited.headers })).status).toBe(404);
});
