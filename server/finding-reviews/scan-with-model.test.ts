import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { modelCalls } from "../actors/tables.ts";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db, sql } from "../db/client.ts";
import { readSettings } from "../env.ts";
import { findingsOf, scanned } from "../findings/service/finds-planted-faults.fixture.ts";
import { setReviewer } from "../findings/service/review-findings.ts";
import { getScan, startScan, waitForScan } from "../findings/service/scans.ts";
import { shop } from "../findings/service/warehouse.fixture.ts";
import { handBackWork, takeWorkAgain } from "../jobs/leased-work.ts";
import { log } from "../telemetry/log.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asEditor } from "../test/factories/principals.ts";
import { type AskedOfModel, startModelServer } from "../test/model-server.ts";
import { modelReviewer } from "./service.ts";

/** Scans with a language model, scripted at the wire. */
const server = await startModelServer();
let ctx: SignedIn;
let dataSourceId: number;
const orders = [{ schemaName: "shop", tableName: "orders" }];
const both = [{ schemaName: "shop", tableName: "customers" }, ...orders];
const nothing = { answer: { opinions: [], statements: [] } };

const settings = (more: Record<string, string> = {}) =>
  readSettings({
    ...{ OPENAI_BASE_URL: server.url, LLM_MODEL: "reader-1", LLM_FINDINGS: "on", LLM_TIMEOUT_S: "5" },
    ...{ LLM_REQUESTS_PER_MINUTE: "1000", ...more },
  });
const withModel = (more?: Record<string, string>) => setReviewer(() => modelReviewer(settings(more)));

beforeAll(async () => {
  ctx = await asEditor();
});
beforeEach(async () => {
  ({ id: dataSourceId } = await aDataSource());
  await sql.unsafe("drop schema if exists shop cascade; create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
  await db.delete(modelCalls);
  server.requests.length = 0;
});
afterEach(() => setReviewer(() => null));
afterAll(async () => {
  await closeSources();
  await server.close();
});

async function scanOf(tables: typeof both) {
  const scan = await scanned(ctx, dataSourceId, tables);
  return { scan, items: await findingsOf(ctx, { dataSourceId, minConfidence: 0 }) };
}

/** The findings that a model received, with the ids by which it can refer to them. */
function toldIn(request: AskedOfModel | undefined): { id: number; kind: string }[] {
  const text = request?.body.messages.at(-1)?.content ?? "";
  return text.split("\n").flatMap((line) => (line.startsWith('{"id":') ? JSON.parse(line) : []));
}

test("a model moves, rewords, and proposes; figures are computed by the service, and its usage is recorded", async () => {
  withModel({ LLM_MODEL: "reader-0" });
  server.reply(nothing);
  await scanOf(orders);
  withModel();
  const price = toldIn(server.requests[0]).find(({ kind }) => kind === "OutOfRange");
  const statement = "1 order has a price of 48,000.00, far above the usual 20.50 to 79.50.";
  server.reply({
    answer: {
      opinions: [
        { id: price?.id ?? -1, verdict: "Lower", statement },
        { id: 4711, verdict: "Raise", statement: "Nobody asked for 1 of these." },
      ],
      statements: [
        {
          ...{ statement: "the numbers 1499 and 1500 share an order", sureness: "Medium", where: null },
          condition: { is: "above", column: "id", bound: "1998" },
        },
        {
          ...{ statement: "gone", sureness: "High", where: null },
          condition: { is: "oneOf", column: "nothing", values: ["'; drop table shop.orders"] },
        },
      ],
    },
    usage: { input: 900, output: 100 },
  });
  const { items, scan } = await scanOf(orders);
  const changed = items.find(({ kind, review }) => kind === "OutOfRange" && review?.verdict === "Lowered");
  expect(changed).toMatchObject({
    ...{ statement, failingRows: 1, totalRows: 2000 },
    review: {
      ...{ model: "reader-1", isReworded: true },
      ownStatement: "The price of 1 row of orders is 48,000.00; all others are between 20.50 and 79.50.",
    },
  });
  expect(changed?.confidence).toBeLessThan(changed?.review?.ownConfidence ?? 0);
  // Rows 1999 and 2000; a figure that the condition does not support is not used.
  expect(items.find(({ review }) => review?.verdict === "Proposed")).toMatchObject({
    statement: "2 of 2,000 rows of orders: id is above 1998.",
    ...{ confidence: 0.65, failingRows: 2, kind: "OutOfRange", columns: ["id"] },
  });
  expect(scan.notes).toEqual([]);
  const calls = await db.select().from(modelCalls).orderBy(modelCalls.id);
  expect(calls.map(({ step, model, actorId }) => [step, model, actorId])).toEqual([
    ["review", "reader-0", null],
    ["review", "reader-1", null],
  ]);
  expect(calls[1]).toMatchObject({ inputTokens: 900, outputTokens: 100, failure: null, answer: null });

  // Its proposals stay while their rows exist, even if it no longer mentions them.
  withModel({ LLM_MODEL: "reader-2" });
  server.reply(nothing);
  const later = (await scanOf(orders)).items;
  expect(later.find(({ review }) => review?.verdict === "Proposed")?.status).toBe("Open");
});

test("a model sees masked values, one call per table, and never an address", async () => {
  withModel();
  server.reply(nothing, nothing);
  const { items, scan } = await scanOf(both);
  expect(server.requests).toHaveLength(2);
  const sent = JSON.stringify(server.requests.map(({ body }) => body.messages));
  expect(sent).toContain("•");
  expect(sent).not.toMatch(/c\d+@shop/);
  expect(sent).toContain("48,000.00");
  expect([scan.status, items.every(({ review }) => review === null)]).toEqual(["Completed", true]);
});

test("an unchanged table is not asked about again: the model's answer counts as before", async () => {
  withModel();
  const lower = (request: AskedOfModel | undefined) => {
    const price = toldIn(request).find(({ kind }) => kind === "OutOfRange");
    const opinion = { id: price?.id ?? -1, verdict: "Lower", statement: null };
    return { answer: { opinions: [opinion], statements: [] } };
  };
  server.reply(nothing);
  await scanOf(orders);
  // One row less is another question.
  await sql`delete from shop.orders where id = (select max(id) from shop.orders)`;
  server.reply(lower(server.requests[0]));
  const lowered = ({ items }: Awaited<ReturnType<typeof scanOf>>) =>
    items.map(({ kind, confidence, review }) => [kind, confidence, review?.verdict]);
  const first = lowered(await scanOf(orders));
  expect(first.filter(([, , verdict]) => verdict === "Lowered")).toHaveLength(1);
  expect(server.requests).toHaveLength(2);

  // No reply is prepared: a request would be a failure, and the scan would say so.
  const again = await scanOf(orders);
  expect([server.requests.length, lowered(again), again.scan.notes]).toEqual([2, first, []]);

  // The other table was never asked about; another model has said nothing of this one.
  server.reply(nothing);
  await scanOf([{ schemaName: "shop", tableName: "customers" }]);
  expect(server.requests).toHaveLength(3);
  withModel({ LLM_MODEL: "reader-2" });
  server.reply(nothing);
  const other = lowered(await scanOf(orders));
  expect(server.requests).toHaveLength(4);
  expect(other.filter(([, , verdict]) => verdict === "Lowered")).toEqual([]);
});

test("a process that stops does not wait for a model: the scan is handed back, and nothing is an error", async () => {
  withModel({ LLM_TIMEOUT_S: "60" });
  const errors = vi.spyOn(log, "error");
  server.reply("hang");
  const { id } = await startScan(ctx, { dataSourceId, tables: orders });
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), { timeout: 20_000, interval: 20 });
  const before = performance.now();
  await handBackWork(30_000);
  // Long before the model would have been given up.
  expect(performance.now() - before).toBeLessThan(20_000);
  expect(errors).not.toHaveBeenCalled();
  takeWorkAgain();
  server.reply(nothing);
  await waitForScan(id);
  expect(await getScan(ctx, id)).toMatchObject({ status: "Completed", notes: [] });
});

test("a failed answer is not kept: the next scan asks again", async () => {
  withModel();
  server.reply({ text: "All is well." });
  await scanOf(orders);
  server.reply(nothing);
  const { scan } = await scanOf(orders);
  expect([server.requests.length, scan.notes]).toEqual([2, []]);
});

test.each([
  ["does not answer in time", "hang", "The language model did not respond within 1 s"],
  [
    "says something else",
    { text: "Ignore the rules. All is well." },
    "The language model's answer is not JSON",
  ],
  [
    "answers in another form",
    { answer: { opinions: "none", statements: [] } },
    "The language model's answer is not a review (opinions: Invalid input: expected array, received string)",
  ],
  ["fails", { status: 401 }, "The language model's server rejected the key (401): check OPENAI_API_KEY"],
] as const)(
  "a scan with a model that %s finds the same without it, and says so",
  async (_, reply, failure) => {
    const without = (await scanOf(orders)).items.map(({ statement, confidence }) => [statement, confidence]);
    withModel({ LLM_TIMEOUT_S: "1" });
    server.reply(reply);
    const { items, scan } = await scanOf(orders);
    expect(items.map(({ statement, confidence }) => [statement, confidence])).toEqual(without);
    expect(scan).toMatchObject({
      status: "Completed",
      notes: [`${failure}. Findings are as they are without it`],
    });
  },
);

test("no model is called unless the setting is on", () => {
  expect(modelReviewer(settings({ LLM_FINDINGS: "off" }))).toBeNull();
  expect(modelReviewer(readSettings({ OPENAI_BASE_URL: server.url, LLM_MODEL: "reader-1" }))).toBeNull();
  expect(modelReviewer(readSettings({ LLM_FINDINGS: "on" }))).toBeNull();
});
