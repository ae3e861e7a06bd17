import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { askNow } from "../actors/service/ask-now.ts";
import type { SignedIn } from "../auth/principal.ts";
import { evaluateContract } from "../data-quality/service/evaluate.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db, sql } from "../db/client.ts";
import { handleRest } from "../doors/rest/dispatch.ts";
import { readSettings, type Settings } from "../env.ts";
import { inngest, sendEvents } from "../jobs/client.ts";
import { startEngine } from "../jobs/engine/engine.ts";
import { attemptDelivery } from "../notifications/service/deliver.ts";
import { withRequestLog } from "../process/request-log.ts";
import { writtenSqlOutput } from "../questions/written-sql.ts";
import { executeNow } from "../subscriptions/service/execute.ts";
import { captureLog } from "../test/captured-log.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { aNotification, aRecipient } from "../test/factories/notifications.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { anHttpReceiver } from "../test/http-receiver.ts";
import { startModelServer } from "../test/model-server.ts";
import { anOtlpReceiver, type ReceivedSpan } from "../test/otlp-receiver.ts";
import { log } from "./log.ts";
import { startTracing, type TraceExport } from "./start-tracing.ts";
import { traced, traceparent } from "./tracing.ts";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const lines = captureLog();

let collector: Awaited<ReturnType<typeof anOtlpReceiver>>;
let settings: Settings;
let tracing: TraceExport | null = null;
let ctx: SignedIn;

beforeAll(async () => {
  collector = await anOtlpReceiver();
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20for-the-collector",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=plumbline-test",
  });
  settings = readSettings();
  ctx = await asAdmin();
});
afterEach(async () => {
  await tracing?.stop();
  tracing = null;
});
afterAll(async () => {
  await closeSources();
  await collector.stop();
});

/** The spans that the collector received for this work, once everything has been sent. */
async function spansOf(work: () => Promise<unknown>): Promise<ReceivedSpan[]> {
  const before = collector.spans.length;
  tracing ??= await startTracing(settings);
  await work();
  await tracing?.stop();
  tracing = null;
  return collector.spans.slice(before);
}

/** The names from a span up to the root of its trace. */
function lineage(spans: ReceivedSpan[], name: string): string[] {
  const found = spans.find((span) => span.name === name);
  const names: string[] = [];
  for (let span = found; span; span = spans.find(({ spanId }) => spanId === span?.parentId))
    names.push(span.name);
  return names;
}

test("without an exporter address, nothing is loaded and no spans are created", async () => {
  expect(await startTracing({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: undefined })).toBeNull();
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  expect(loaded.filter((file) => /@opentelemetry\/(sdk|exporter|resources|otlp)/.test(file))).toEqual([]);
  expect(await traced("nothing", {}, async (span) => [span, traceparent()])).toEqual([null, null]);
});

test("a request, its procedure, the execution, and the query are one trace, which contains no SQL or values", async () => {
  const source = await aDataSource();
  const query = await aQuery({ dataSource: source, sql: "select 'hush-hush' as word" }, ctx);
  const { id } = await aSubscription({ query }, ctx);
  const { headers } = await aKey();
  const logged = withRequestLog({ routeOf: () => null, isLogged: true });
  const server = createServer((request, response) =>
    logged(request, response, () => {
      const asked = new Request(`http://localhost:3000${request.url}`, {
        method: "POST",
        headers: { ...headers, prefer: "wait", "x-request-id": String(request.headers["x-request-id"]) },
      });
      void handleRest(asked).then(async (answer) =>
        response.writeHead(answer.status).end(await answer.text()),
      );
    }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());

  const spans = await spansOf(async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/svc/api/subscriptions/${id}/execute`;
    const answer = await fetch(url, {
      method: "POST",
      headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
    });
    expect(await answer.json()).toMatchObject({ status: "NotificationSent" });
    server.closeAllConnections();
  });

  expect(lineage(spans, "data source query")).toEqual([
    "data source query",
    "execution",
    "subscriptions.execute",
    "POST /svc/api/subscriptions/{id}/execute",
  ]);
  const request = spans.find(({ name }) => name.startsWith("POST"));
  expect(request).toMatchObject({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    parentId: "b7ad6b7169203331",
    // SERVER
    kind: 2,
    isError: false,
    service: "plumbline-test",
    attributes: { "http.route": "/svc/api/subscriptions/{id}/execute", "http.response.status_code": 200 },
  });
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(spans.find(({ name }) => name === "data source query")?.attributes).toEqual({
    "db.system.name": "PostgreSql",
    "db.response.returned_rows": 1,
  });
  const sent = collector.requests.map(({ body }) => body).join();
  for (const secret of ["hush-hush", "select", headers.authorization]) expect(sent).not.toContain(secret);
  expect(collector.requests[0]).toMatchObject({
    path: "/v1/traces",
    type: "application/x-protobuf",
    authorization: "Bearer for-the-collector",
  });
  const line = lines.map((each) => JSON.parse(each)).find(({ msg }) => msg === "Request");
  expect(line).toMatchObject({ traceId: request?.traceId, principal: { kind: "ApiKey" } });
});

test("an evaluation's queries are part of its trace, and failures have their error type", async () => {
  const { id: dataSourceId } = await aDataSource();
  await sql.unsafe("create table orders (id int); insert into orders values (1)");
  const broken = aRule("CustomSql", { sql: "select hush_hush from nowhere_to_be_found" }, { name: "Broken" });
  const contract = await aContract({ dataSourceId, rules: [aRule("Volume", { minRows: 1 }), broken] }, ctx);
  const spans = await spansOf(() => evaluateContract(ctx, contract.id));
  expect(lineage(spans, "data source query")).toEqual(["data source query", "evaluation"]);
  const failed = spans.filter(({ name, isError }) => name === "data source query" && isError);
  expect(failed.map(({ attributes }) => attributes["error.type"])).toEqual(["SourceError"]);
  expect(spans.find(({ name }) => name === "evaluation")).toMatchObject({
    isError: false,
    attributes: { "plumbline.evaluation.outcome": "failed", "plumbline.rules": 2 },
  });
  expect(collector.requests.map(({ body }) => body).join()).not.toContain("hush_hush");
});

test("a job's work is part of its span, and its log lines name the job", async () => {
  const { id } = await aSubscription({}, ctx);
  const work = inngest.createFunction(
    { id: "traced-work", triggers: { event: "test/traced" } },
    async ({ step }) => {
      await step.run("execute", async () => {
        log.info("Within a job");
        return executeNow(ctx, id);
      });
    },
  );
  const engine = await startEngine([work], { pollMs: 50 });
  onTestFinished(() => engine.stop());
  const spans = await spansOf(async () => {
    await sendEvents(db, { name: "test/traced", data: {} });
    await engine.idle();
  });
  expect(lineage(spans, "execution")).toEqual(["execution", "job traced-work"]);
  const job = spans.find(({ name }) => name === "job traced-work");
  expect(job).toMatchObject({ parentId: "", attributes: { "plumbline.job.outcome": "completed" } });
  const line = lines.map((each) => JSON.parse(each)).find(({ msg }) => msg === "Within a job");
  expect(line).toMatchObject({
    job: "traced-work",
    run: job?.attributes["plumbline.job.run"],
    traceId: job?.traceId,
  });
});

test("deliveries and model calls are client spans, and a webhook receives the trace", async () => {
  const receiver = await anHttpReceiver((response) => response.writeHead(500).end("hush-hush"));
  const server = await startModelServer();
  onTestFinished(() => Promise.all([receiver.stop(), server.close()]).then(() => {}));
  const { id: projectId } = await aProject();
  const { id } = await aRecipient({ projectId, type: "Webhook", destination: `${receiver.url}/hush-hush` });
  const notificationId = await aNotification({ projectId, recipientIds: [id] });
  const [delivery] = await sql`select id from deliveries where notification_id = ${notificationId}`;
  server.reply({
    answer: { explanation: "hush-hush", dataSourceId: null, sql: "select 1" },
    usage: { input: 700, output: 30 },
  });
  const model = readSettings({ OPENAI_BASE_URL: server.url, LLM_MODEL: "some-model" });
  const question = {
    prompt: "hush-hush",
    output: writtenSqlOutput,
    wanted: "query",
    maxOutputTokens: 100,
    about: {},
  };
  const spans = await spansOf(async () => {
    await attemptDelivery(delivery?.id);
    await askNow(question, model);
  });
  // CLIENT
  const [sent, asked] = ["delivery", "model call"].map((name) => spans.find((span) => span.name === name));
  expect(sent).toMatchObject({
    kind: 3,
    isError: true,
    attributes: { "plumbline.delivery.channel": "Webhook" },
  });
  expect(receiver.requests[0]?.headers.traceparent).toBe(`00-${sent?.traceId}-${sent?.spanId}-01`);
  expect(asked).toMatchObject({
    kind: 3,
    isError: false,
    attributes: {
      "gen_ai.request.model": "some-model",
      "gen_ai.usage.input_tokens": 700,
      "gen_ai.usage.output_tokens": 30,
    },
  });
  expect(collector.requests.map(({ body }) => body).join()).not.toContain("hush-hush");
});

test("an unreachable collector does not affect requests, and is logged", async () => {
  lines.length = 0;
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:9";
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = "1000";
  onTestFinished(() => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  });
  expect(await spansOf(async () => expect(await traced("work", {}, async () => 1)).toBe(1))).toEqual([]);
  expect(lines.filter((line) => line.includes("Traces cannot be sent"))).not.toEqual([]);
});
