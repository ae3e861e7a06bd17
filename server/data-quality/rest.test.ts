import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEntries } from "../audit/tables.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db, sql } from "../db/client.ts";
import { aRule } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { collectDueSamples } from "./service/collect-samples.ts";

/** What explains a score, as a REST client sees it: statuses, shapes, and what the document says about both. */

let cookie: string;
let dataSourceId: number;

beforeAll(async () => {
  cookie = await aSession("Editor");
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create table people (id int, email text, age int);
    insert into people values (1, 'ada@example.com', 36), (2, 'grace@example.com', null)`);
});

afterAll(closeSources);

const get = (path: string) => rest("GET", `/data-quality${path}`, { cookie });
const post = (path: string, json?: unknown) =>
  rest("POST", `/data-quality${path}`, { cookie, ...(json !== undefined && { json }) });

const filled = aRule("NullRate", { column: "age", maxNullPercent: 0 });
const contract = (more: Record<string, unknown> = {}) => ({
  name: "People",
  dataSourceId,
  tableName: "people",
  cronExpression: "0 6 * * *",
  rules: [filled, aRule("Volume", { minRows: 2 })],
  ...more,
});

async function created(more: Record<string, unknown> = {}) {
  const { status, body } = await post("/contracts", contract(more));
  expect(status).toBe(201);
  return body;
}

test("a contract says which rows it keeps, and gets the default again when that is omitted", async () => {
  const made = await created({ samples: "Full" });
  expect(made).toMatchObject({ samples: "Full" });
  const changed = await rest("PUT", `/data-quality/contracts/${made.id}`, { cookie, json: contract() });
  expect(changed.body).toMatchObject({ samples: "Masked" });
  expect((await post("/contracts", contract({ samples: "None" }))).body).toMatchObject({
    errors: [{ path: "samples" }],
  });
});

test("samples are found below their evaluation, if there are any", async () => {
  const { id } = await created();
  const { body: evaluation } = await post(`/contracts/${id}/evaluate`);
  await collectDueSamples();
  const [failed, passed] = evaluation.ruleResults;
  const samples = (ruleId: number | string) => get(`/evaluations/${evaluation.id}/rules/${ruleId}/samples`);
  expect(await samples(failed.ruleId)).toMatchObject({
    status: 200,
    body: {
      columns: [{ name: "age" }, { name: "id" }, { name: "email" }],
      rows: [[null, 2, "•••••@•••••••.•••"]],
      totalFailing: 1,
      maskedColumns: ["email"],
    },
  });
  expect((await samples(passed.ruleId)).status).toBe(404);
  expect((await samples(2_000_000_000)).status).toBe(404);
  // No path has that form.
  expect((await samples("x")).status).toBe(404);
  expect((await get(`/evaluations/2000000000/rules/${failed.ruleId}/samples`)).status).toBe(404);
});

describe("a dry run", () => {
  const ofRule = (more: Record<string, unknown> = {}) => ({
    dataSourceId,
    tableName: "people",
    rule: filled,
    ...more,
  });

  test("returns a rule's result with samples, and is in the audit log", async () => {
    expect(await post("/rules/dry-run", ofRule())).toMatchObject({
      status: 200,
      body: {
        ruleName: "NullRate",
        passed: false,
        score: 50,
        samples: { rows: [[null, 2, expect.any(String)]] },
      },
    });
    const sqlText = "select 1 as passed /* 4711 */";
    await post("/rules/dry-run", ofRule({ rule: aRule("CustomSql", { sql: sqlText }) }));
    const entries = await db.select().from(auditEntries).orderBy(auditEntries.id);
    expect(entries.slice(-2)).toMatchObject([
      {
        action: "dataQuality.dryRunRule",
        objectKind: "dataSource",
        objectId: dataSourceId,
        detail: "Failed; NullRate",
      },
      { detail: expect.stringMatching(/^Passed; CustomSql, SQL of 29 characters/) },
    ]);
    expect(JSON.stringify(entries)).not.toContain("4711");
  });

  test("of a contract takes the same input as creating one, with name and schedule optional", async () => {
    const { name: _, cronExpression: __, ...draft } = contract();
    expect(await post("/contracts/dry-run", draft)).toMatchObject({
      status: 200,
      // (50 + 100) / 2
      body: {
        overallScore: 75,
        passedCount: 1,
        failedCount: 1,
        ruleResults: [{ score: 50 }, { score: 100 }],
      },
    });
    expect((await post("/contracts/dry-run", contract())).status).toBe(200);
    expect((await post("/contracts/dry-run", { ...draft, rules: [] })).status).toBe(400);
    expect((await post("/contracts/dry-run", { ...draft, score: 100 })).body).toMatchObject({
      status: 400,
      errors: [{ path: "score" }],
    });
  });

  test("of something impossible returns the matching status", async () => {
    const unreachable = await aDataSource({ connection: { port: 1 } });
    expect((await post("/rules/dry-run", ofRule({ dataSourceId: unreachable.id }))).status).toBe(502);
    expect((await post("/contracts/dry-run", contract({ dataSourceId: unreachable.id }))).status).toBe(502);
    expect((await post("/rules/dry-run", ofRule({ dataSourceId: 2_000_000_000 }))).status).toBe(404);
    const refused = await post(
      "/rules/dry-run",
      ofRule({ rule: aRule("CustomSql", { sql: "delete from people" }) }),
    );
    expect(refused).toMatchObject({ status: 200, body: { passed: false, score: 0 } });
    const viewer = await aSession("Viewer");
    expect(
      (await rest("POST", "/data-quality/rules/dry-run", { cookie: viewer, json: ofRule() })).status,
    ).toBe(403);
    expect((await rest("POST", "/data-quality/rules/dry-run", { json: ofRule() })).status).toBe(401);
  });
});

test("series, standings, and changes are read by contract and evaluation", async () => {
  const { id, rules } = await created();
  const { body: first } = await post(`/contracts/${id}/evaluate`);
  await sql`insert into people values (3, null, null)`;
  const { body: second } = await post(`/contracts/${id}/evaluate`);
  await sql`delete from people where id = 3`;

  const series = await get(`/contracts/${id}/series?take=10&from=2020-01-01T00:00:00Z`);
  expect(series).toMatchObject({ status: 200, body: { evaluations: 2, isDownsampled: false } });
  expect(series.body.points.map((point: { evaluationId: number }) => point.evaluationId)).toEqual([
    first.id,
    second.id,
  ]);
  expect(series.body.rules[0]).toMatchObject({ key: rules[0].key, unit: "Percent" });
  for (const query of ["take=0", "take=501", "take=1e2", "from=yesterday", "from=2020-01-01", "until=1"])
    expect((await get(`/contracts/${id}/series?${query}`)).status, query).toBe(400);

  expect((await get(`/contracts/${id}/rule-states`)).body.items).toMatchObject([
    { key: rules[0].key, passed: false, consecutive: 2, since: { evaluationId: first.id }, lastChange: null },
    { key: rules[1].key, passed: true },
  ]);
  expect((await get(`/evaluations/${second.id}/changes`)).body).toMatchObject({
    comparedWith: { id: first.id },
    // 100 − 2/3 × 100 is 33.33 after 50.
    rules: [{ change: "Worse", scoreDelta: -16.67 }, { change: "Unchanged" }],
  });
  expect((await get(`/evaluations/${second.id}/changes?comparedWith=${second.id}`)).body.scoreDelta).toBe(0);
  expect((await get(`/evaluations/${second.id}/changes?comparedWith=2000000000`)).status).toBe(404);
  for (const path of ["/contracts/2000000000/series", "/contracts/2000000000/rule-states"])
    expect((await get(path)).status).toBe(404);
});

test("an evaluation in progress is followed at its location, and names the rules being measured", async () => {
  const slow = aRule("CustomSql", { sql: "select 1 as passed from pg_sleep(0.8)" }, { name: "Slow" });
  const { id } = await created({ rules: [slow] });
  const started = await rest("POST", `/data-quality/contracts/${id}/evaluate`, {
    cookie,
    headers: { prefer: "respond-async" },
  });
  expect(started).toMatchObject({
    status: 202,
    body: { status: "Running", progress: { done: 0, total: 1 } },
  });
  const location = started.headers.get("location")?.replace("/svc/api", "") ?? "";
  const look = async () => (await rest("GET", location, { cookie })).body;
  let seen = await look();
  while (seen.status === "Running" && seen.progress.running.length === 0) seen = await look();
  expect(seen.progress.running).toEqual(["Slow"]);
  while (seen.status === "Running") seen = await look();
  expect(seen).toMatchObject({ overallScore: 100, progress: { done: 1, total: 1, running: [] } });
});
