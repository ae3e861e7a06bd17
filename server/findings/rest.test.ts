import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { aFinding } from "../test/factories/findings.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { waitForScan } from "./service/scans.ts";

let cookie: string;
let dataSourceId: number;

beforeAll(async () => {
  cookie = await aSession("Editor");
  ({ id: dataSourceId } = await aDataSource());
});
afterAll(closeSources);

const path = "/data-quality/findings";

test("a scan answers 202 with where it can be followed, until it has ended", async () => {
  const tables = [{ schemaName: "public", tableName: "projects" }];
  const begun = await rest("POST", `${path}/scans`, { cookie, json: { dataSourceId, tables } });
  expect(begun.status).toBe(202);
  expect(begun.headers.get("location")).toBe(`/svc/api${path}/scans/${begun.body.id}`);
  expect(begun.body).toMatchObject({ dataSourceId, status: "Running", finishedAt: null, skipped: [] });
  await waitForScan(begun.body.id);
  const { body } = await rest("GET", `${path}/scans/${begun.body.id}`, { cookie });
  expect(body).toMatchObject({ status: "Completed", tablesDone: 1, tablesTotal: 1, error: null });
});

test("findings are listed worst first, by page, and those that are less sure only when asked for", async () => {
  const { id: other } = await aDataSource();
  const sure = await aFinding({ dataSourceId: other, rank: 0.5, tableName: "a" });
  const worst = await aFinding({ dataSourceId: other, rank: 0.9, tableName: "b", status: "Dismissed" });
  const unsure = await aFinding({ dataSourceId: other, rank: 0.7, confidence: 0.69, kind: "Orphan" });
  const ids = async (query: string) => {
    const { body } = await rest("GET", `${path}?dataSourceId=${other}${query}`, { cookie });
    return [body.items.map(({ id }: { id: number }) => id), body.totalCount];
  };
  expect(await ids("")).toEqual([[worst.id, sure.id], 2]);
  expect(await ids("&minConfidence=0.5")).toEqual([[worst.id, unsure.id, sure.id], 3]);
  expect(await ids("&minConfidence=0&page=1&pageSize=2")).toEqual([[sure.id], 3]);
  expect(await ids("&status=Open")).toEqual([[sure.id], 1]);
  expect(await ids("&minConfidence=0&kind=Orphan")).toEqual([[unsure.id], 1]);
  expect(await ids("&tableName=b")).toEqual([[worst.id], 1]);
  expect((await rest("GET", `${path}?kind=Odd`, { cookie })).status).toBe(400);
});

test("by table, the findings of one stay together, the table with the worst first", async () => {
  const { id: other } = await aDataSource();
  const place = (tableName: string, rank: number) => aFinding({ dataSourceId: other, tableName, rank });
  const [least, worst, middle] = [await place("a", 0.1), await place("a", 0.9), await place("b", 0.5)];
  const ids = async (sortBy: string) => {
    const { body } = await rest("GET", `${path}?dataSourceId=${other}&sortBy=${sortBy}`, { cookie });
    return body.items.map(({ id }: { id: number }) => id);
  };
  expect(await ids("Worst")).toEqual([worst.id, middle.id, least.id]);
  expect(await ids("Table")).toEqual([worst.id, least.id, middle.id]);
});

test("a listed finding has up to three of its rows: the key and the columns in doubt", async () => {
  const { id: other } = await aDataSource();
  const columns = ["id", "note", "email"].map((name) => ({ name, type: "text" }));
  const rows = [1, 2, 3, 4].map((id) => [id, "x".repeat(200), null]);
  await aFinding({ dataSourceId: other, sample: { columns, rows, maskedColumns: [] } });
  const { body } = await rest("GET", `${path}?dataSourceId=${other}`, { cookie });
  expect(body.items[0].examples).toEqual({
    columns: ["id", "email"],
    rows: [
      [1, null],
      [2, null],
      [3, null],
    ],
  });
  expect(body.items[0]).not.toHaveProperty("sample");
});

test("each table with findings is listed with how many are open and shown", async () => {
  const { id: other } = await aDataSource();
  await aFinding({ dataSourceId: other, tableName: "a" });
  await aFinding({ dataSourceId: other, tableName: "a", confidence: 0.69 });
  await aFinding({ dataSourceId: other, tableName: "b", status: "Dismissed" });
  const { body } = await rest("GET", `${path}/tables?dataSourceId=${other}`, { cookie });
  expect(body.items).toEqual([
    { dataSourceId: other, schemaName: "public", tableName: "a", openCount: 1 },
    { dataSourceId: other, schemaName: "public", tableName: "b", openCount: 0 },
  ]);
});

test("the latest scan of each data source is listed, none of one that was never scanned", async () => {
  const [scanned, never] = [await aDataSource(), await aDataSource()];
  await aFinding({ dataSourceId: scanned.id });
  const latest = await aFinding({ dataSourceId: scanned.id });
  const ids = async (query: string) => {
    const { body } = await rest("GET", `${path}/scans${query}`, { cookie });
    return body.items.map(({ id }: { id: number }) => id);
  };
  expect(await ids(`?dataSourceId=${scanned.id}`)).toEqual([latest.scanId]);
  expect(await ids(`?dataSourceId=${never.id}`)).toEqual([]);
  expect(await ids(`?projectId=${scanned.projectId}`)).toEqual([latest.scanId]);
});

test("a chosen contract and a new one cannot both take a rule", async () => {
  const { id } = await aFinding({ dataSourceId });
  const json = { contractId: 1, newContract: true };
  const { status, body } = await rest("POST", `${path}/${id}/accept`, { cookie, json });
  expect([status, body.errors]).toEqual([
    400,
    [{ path: "newContract", message: "cannot be combined with contractId" }],
  ]);
});

test("a finding without a rule cannot be accepted, and one without rows has no samples", async () => {
  const { id } = await aFinding({ dataSourceId, rule: null, sample: null });
  expect((await rest("POST", `${path}/${id}/accept`, { cookie })).status).toBe(422);
  expect((await rest("GET", `${path}/${id}/samples`, { cookie })).status).toBe(404);
  const dismissed = await rest("POST", `${path}/${id}/dismiss`, { cookie, json: { reason: "Known" } });
  expect([dismissed.status, dismissed.body.status, dismissed.body.reason]).toEqual([
    200,
    "Dismissed",
    "Known",
  ]);
});
