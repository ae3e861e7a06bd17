import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { desc } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { env } from "../../env.ts";
import { startEngine } from "../../jobs/engine/engine.ts";
import { tableOf } from "../../reported-events/datasets.ts";
import { captureLog } from "../../test/captured-log.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { evaluations } from "../evaluations/tables.ts";
import { sendLineage } from "../jobs.ts";
import { evaluateContract } from "./evaluate.ts";
import { sendEvaluationRun } from "./send-evaluation-run.ts";

/** Evaluations on their way to an OpenLineage service, as the bytes arrive there, by its published schemas. */
captureLog();
const lineage = await vi.hoisted(async () => {
  const { anHttpReceiver } = await import("../../test/http-receiver.ts");
  const receiver = await anHttpReceiver();
  Object.assign(process.env, {
    ...{
      OPENLINEAGE_URL: `${receiver.url}/`,
      OPENLINEAGE_API_KEY: "for-lineage",
      OUTBOUND_ALLOW: "127.0.0.1",
    },
  });
  return receiver;
});
let source: Awaited<ReturnType<typeof aDataSource>>;

const published = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../test/openlineage", `${name}.json`), "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
for (const name of ["event", "data-quality-assertions", "job-type", "documentation"])
  ajv.addSchema(published(name));
const errorsOf = (schema: string, value: unknown) => {
  const validate = ajv.getSchema(schema);
  if (!validate) throw new Error(`No schema ${schema}`);
  validate(value);
  return validate.errors ?? [];
};

beforeAll(async () => {
  source = await aDataSource();
  await sql.unsafe(
    "create table public.parcels (id int, code text); insert into parcels values (1, 'a'), (2, null)",
  );
});
beforeEach(() => {
  lineage.requests.length = 0;
  lineage.answer = (response) => response.end("{}");
});
afterAll(async () => {
  await closeSources();
  await lineage.stop();
});

const rules = [
  aRule("Volume", { minRows: 1 }, { name: "Some rows", severity: "Low" }),
  aRule("NullRate", { column: "code", maxNullPercent: 0 }, { name: "Code", severity: "High", weight: 2 }),
];

async function evaluated(tableName = "parcels") {
  const contract = await aContract({ name: "Parcels", dataSourceId: source.id, tableName, rules });
  const evaluation = await evaluateContract(await asAdmin(), contract.id);
  return { contract, evaluation };
}

test("an evaluation is a run of its contract, with one assertion for each result", async () => {
  const { contract, evaluation } = await evaluated();
  expect(await sendEvaluationRun(evaluation.id)).toEqual({ sent: true });
  const [start, end] = lineage.requests.map(({ json }) => json);
  expect(lineage.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ["/api/v1/lineage", "Bearer for-lineage"],
    ["/api/v1/lineage", "Bearer for-lineage"],
  ]);
  const { runId } = start.run;
  expect([start, end]).toMatchObject([
    { eventType: "START", job: { namespace: "plumbline", name: `contract.${contract.id}` } },
    { eventType: "COMPLETE", eventTime: evaluation.evaluatedAt?.toISOString(), run: { runId } },
  ]);
  expect(runId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const [dataset] = end.inputs;
  expect(dataset.inputFacets.dataQualityAssertions.assertions).toEqual([
    {
      ...{ assertion: "row_count", success: true, severity: "warn", name: "Some rows" },
      ...{ expected: "at least 1 row", actual: "2 rows" },
      params: { ruleType: "Volume", severity: "Low", weight: 1, score: 100 },
    },
    {
      ...{ assertion: "not_null", success: false, column: "code", severity: "error", name: "Code" },
      ...{ expected: "at most 0% NULL", actual: "50% (1 of 2 rows)" },
      params: { ruleType: "NullRate", severity: "High", weight: 2, score: expect.any(Number) },
    },
  ]);
  for (const event of [start, end]) {
    expect(errorsOf("https://openlineage.io/spec/2-0-2/OpenLineage.json", event)).toEqual([]);
    for (const facet of Object.values(event.job.facets) as { _schemaURL: string }[])
      expect(errorsOf(facet._schemaURL, facet)).toEqual([]);
  }
  const { dataQualityAssertions } = dataset.inputFacets;
  expect(errorsOf(dataQualityAssertions._schemaURL, dataQualityAssertions)).toEqual([]);
  expect(
    errorsOf(dataQualityAssertions._schemaURL, { ...dataQualityAssertions, assertions: [{}] }),
  ).not.toEqual([]);
});

test("its dataset is the table that an event from elsewhere names in the same way", async () => {
  const { evaluation } = await evaluated();
  await sendEvaluationRun(evaluation.id);
  const [dataset] = lineage.requests[0]?.json.inputs ?? [];
  const { connection } = source as unknown as {
    connection: { host: string; port: number; database: string };
  };
  const known = { id: source.id, kind: "PostgreSql" as const, connection, defaultSchema: "public" };
  expect(tableOf(dataset, [known])).toEqual({
    ...{ dataSourceId: source.id, schemaName: "public", tableName: "parcels" },
  });
});

test("what is stored is sent by a job, again until it arrives, and with the same run", async () => {
  const engine = await startEngine([sendLineage], { pollMs: 50 });
  try {
    let refusals = 1;
    lineage.answer = (response) => {
      response.statusCode = refusals-- > 0 ? 503 : 201;
      response.setHeader("retry-after", "0");
      response.end();
    };
    const { contract } = await evaluated();
    // Those of the tests before wait, too.
    const own = () => lineage.requests.filter(({ json }) => json.job.name === `contract.${contract.id}`);
    await expect
      .poll(() => own().map(({ json }) => json.eventType), { timeout: 60_000, interval: 100 })
      .toContain("COMPLETE");
    expect(new Set(own().map(({ json }) => json.run.runId)).size).toBe(1);
    expect(refusals).toBeLessThan(1);
  } finally {
    await engine.stop();
  }
}, 90_000);

test("a run that could not be measured fails, and says nothing about the data", async () => {
  const { evaluation } = await evaluated();
  await db.update(evaluations).set({ notEvaluatedBecause: "Connection refused" });
  await sendEvaluationRun(evaluation.id);
  const end = lineage.requests.at(-1)?.json;
  expect([end.eventType, end.inputs[0].inputFacets]).toEqual(["FAIL", undefined]);
});

test("what is refused for good is not tried again; without an address nothing is sent", async () => {
  lineage.answer = (response) => {
    response.statusCode = 401;
    response.end();
  };
  const { evaluation } = await evaluated();
  expect(await sendEvaluationRun(evaluation.id)).toEqual({
    skipped: "The receiver returned HTTP 401: access denied",
  });
  expect(lineage.requests).toHaveLength(1);
  expect(await sendEvaluationRun(2_000_000_000)).toEqual({ skipped: "The evaluation no longer exists" });
  const [{ id } = { id: 0 }] = await db.select().from(evaluations).orderBy(desc(evaluations.id)).limit(1);
  expect(await sendEvaluationRun(id, { ...env(), OPENLINEAGE_URL: undefined })).toEqual({
    skipped: "OPENLINEAGE_URL is not set",
  });
});

test("a private address is refused unless it is allowed", async () => {
  const { evaluation } = await evaluated();
  const elsewhere = { ...env(), OPENLINEAGE_URL: "http://10.0.0.1:5000" };
  expect(await sendEvaluationRun(evaluation.id, elsewhere)).toMatchObject({
    skipped: expect.stringMatching(/not public/),
  });
  expect(lineage.requests).toEqual([]);
});
