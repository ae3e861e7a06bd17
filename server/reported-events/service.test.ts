import { beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aDataSource, aProject, ownConnection } from "../test/factories/data-sources.ts";
import { asEditor } from "../test/factories/principals.ts";
import { rest } from "../test/rest-client.ts";
import { listReportedInput, reportInput } from "./schema.ts";
import { listReported, removeReported, reportEvent } from "./service.ts";

let ctx: SignedIn;
let projectId: number;
let sourceId: number;

beforeAll(async () => {
  ctx = await asEditor();
});
beforeEach(async () => {
  projectId = (await aProject()).id;
  sourceId = (await aDataSource({ projectId })).id;
});

const report = (event: object) => reportEvent(ctx, reportInput.parse({ projectId, ...event }));
const listed = async (more: object = {}) =>
  (await listReported(ctx, listReportedInput.parse({ projectId, ...more }))).items;
const orders = { schemaName: "public", tableName: "orders" };

test("an event is listed latest first, by kind and by data source, and removed", async () => {
  const deployment = await report({ kind: "Deployment", name: "shop 4.2", at: "2026-11-01T10:00:00Z" });
  await report({
    ...{ kind: "Load", name: "orders", at: "2026-11-01T11:00:00Z" },
    outputs: [{ dataSourceId: sourceId, ...orders }],
  });
  expect((await listed()).map(({ name }) => name)).toEqual(["orders", "shop 4.2"]);
  expect((await listed({ kind: "Deployment" })).map(({ name }) => name)).toEqual(["shop 4.2"]);
  expect((await listed({ dataSourceId: sourceId })).map(({ name }) => name)).toEqual(["orders"]);
  expect(deployment).toMatchObject({ state: "Succeeded", reportedBy: ctx.principal.name, inputs: [] });
  await removeReported(ctx, deployment.id);
  expect((await listed()).map(({ name }) => name)).toEqual(["orders"]);
  await expect(removeReported(ctx, deployment.id)).rejects.toMatchObject({ code: "not_found" });
});

test("the same key is the same event, whose end is not undone by a late beginning", async () => {
  await report({ kind: "Load", name: "orders", key: "run 1", state: "Failed", at: "2026-11-01T11:05:00Z" });
  await report({
    ...{ kind: "Load", name: "orders", key: "run 1", state: "Started" },
    ...{ startedAt: "2026-11-01T11:00:00Z", at: "2026-11-01T11:00:00Z" },
  });
  expect(await listed()).toMatchObject([
    {
      ...{ state: "Failed", at: new Date("2026-11-01T11:05:00Z") },
      startedAt: new Date("2026-11-01T11:00:00Z"),
    },
  ]);
});

test("tables are those of the project's data sources", async () => {
  const other = await aDataSource();
  await expect(
    report({ kind: "Load", name: "orders", outputs: [{ dataSourceId: other.id, ...orders }] }),
  ).rejects.toMatchObject({ code: "rejected" });
  expect(() =>
    reportInput.parse({ projectId, kind: "Load", name: "x", url: "javascript:alert(1)" }),
  ).toThrow();
});

test("a run of OpenLineage is a load of the tables of the server that its datasets name", async () => {
  const { host, port, database } = ownConnection();
  const { headers } = await aKey({ scopes: ["Execute"] });
  const run = (eventType: string, eventTime: string, more: object = {}) =>
    rest("POST", `/openlineage/${projectId}`, {
      headers,
      json: {
        ...{
          eventType,
          eventTime,
          run: { runId: "0190", facets: { nominalTime: {} } },
          producer: "https://a.example",
        },
        job: { namespace: "airflow", name: "daily.orders" },
        schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        ...more,
      },
    });
  expect((await run("START", "2026-11-01T11:00:00.000Z")).status).toBe(201);
  const ended = await run("COMPLETE", "2026-11-01T11:07:00.000+00:00", {
    inputs: [{ namespace: "s3://lake", name: "orders.parquet", facets: {} }],
    outputs: [{ namespace: `postgres://${host}:${port}`, name: `${database}.public.orders` }],
  });
  expect(ended.body).toMatchObject({ state: "Succeeded", reportedBy: expect.any(String) });
  expect(await listed()).toMatchObject([
    {
      ...{ kind: "Load", name: "daily.orders", state: "Succeeded" },
      startedAt: new Date("2026-11-01T11:00:00Z"),
      at: new Date("2026-11-01T11:07:00Z"),
      inputs: [{ dataSourceId: null, schemaName: "orders", tableName: "parquet" }],
      outputs: [{ dataSourceId: sourceId, ...orders }],
    },
  ]);
  expect((await run("SOMETHING", "2026-11-01T11:00:00Z")).status).toBe(400);
  const reader = await aKey({ scopes: ["Read"] });
  const refused = await rest("POST", `/openlineage/${projectId}`, {
    headers: reader.headers,
    json: { eventTime: "2026-11-01T11:00:00Z", run: { runId: "1" }, job: { namespace: "a", name: "b" } },
  });
  expect(refused.status).toBe(403);
});
