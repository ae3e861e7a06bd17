import { NonRetriableError } from "inngest";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { askNow } from "../actors/service/ask-now.ts";
import type { SignedIn } from "../auth/principal.ts";
import { evaluateContract } from "../data-quality/service/evaluate.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db, sql } from "../db/client.ts";
import { readSettings } from "../env.ts";
import { inngest, sendEvents } from "../jobs/client.ts";
import { startEngine } from "../jobs/engine/engine.ts";
import { attemptDelivery } from "../notifications/service/deliver.ts";
import { writtenSqlOutput } from "../questions/written-sql.ts";
import { executeNow } from "../subscriptions/service/execute.ts";
import { aKey, bearer } from "../test/factories/api-keys.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { aNotification, aRecipient } from "../test/factories/notifications.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { anHttpReceiver } from "../test/http-receiver.ts";
import { startModelServer } from "../test/model-server.ts";
import { parseMetrics, sampleOf } from "../test/prometheus.ts";
import { handleMetrics } from "./metrics.ts";

process.env.METRICS_TOKEN = "a-token-of-sixteen-or-more";
process.env.OUTBOUND_ALLOW = "127.0.0.1";
const token = bearer("a-token-of-sixteen-or-more");

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asAdmin();
});
afterAll(closeSources);

const ask = (headers: Record<string, string> = {}) =>
  handleMetrics(new Request("http://localhost:3000/metrics", { headers }));

let now = Date.now();

/** What a scraper reads this many seconds after the previous scrape. */
async function scrape(after = 10) {
  now += after * 1000;
  vi.useFakeTimers({ toFake: ["Date"], now });
  const response = await ask(token).finally(() => vi.useRealTimers());
  expect(response.status).toBe(200);
  return parseMetrics(await response.text());
}

/** How much the samples grow meanwhile. */
async function growth(work: () => Promise<unknown>) {
  const before = await scrape();
  await work();
  const after = await scrape();
  return (name: string, labels: Record<string, string> = {}) =>
    sampleOf(after, name, labels) - sampleOf(before, name, labels);
}

test("only Admins and holders of the token can read it", async () => {
  const project = await aProject();
  const anAdmins = await aKey();
  const reading = await aKey({ scopes: ["Read", "Execute"] });
  const limited = await aKey({ allowedProjectIds: [project.id] });
  const anEditors = await aKey({ scopes: ["Execute"] }, await asEditor());
  const status = async (headers?: Record<string, string>) => (await ask(headers)).status;

  expect(await status()).toBe(401);
  expect(await status(bearer("another-token-of-that-length"))).toBe(401);
  expect(await status({ authorization: "a-token-of-sixteen-or-more" })).toBe(401);
  expect(await status({ authorization: "bearer a-token-of-sixteen-or-more" })).toBe(401);
  for (const { headers } of [reading, limited, anEditors]) expect(await status(headers)).toBe(403);
  expect(await status(anAdmins.headers)).toBe(200);
  expect(await status(token)).toBe(200);
});

test("it is in Prometheus text format, with help, types, and cumulative buckets", async () => {
  await executeNow(ctx, (await aSubscription({}, ctx)).id);
  const response = await ask(token);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const families = parseMetrics(await response.text());
  for (const [name, { type }] of families) if (type === "counter") expect(name).toMatch(/_total$/);
  const [, { samples } = { samples: [] }] =
    [...families].find(([name]) => name === "plumbline_execution_duration_seconds") ?? [];
  const buckets = samples.filter(({ name }) => name.endsWith("_bucket")).map(({ value }) => value);
  expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  expect(buckets.at(-1)).toBe(samples.find(({ name }) => name.endsWith("_count"))?.value);
});

test("executions are counted by trigger and status, and their reads of data sources by outcome", async () => {
  const source = await aDataSource();
  const good = await aQuery({ dataSource: source, sql: "select 1 as one" }, ctx);
  const bad = await aQuery({ dataSource: source, sql: "select 1 / 0 as one" }, ctx);
  const [one, none] = [await aSubscription({ query: good }, ctx), await aSubscription({ query: bad }, ctx)];
  const grown = await growth(async () => {
    for (const id of [one.id, one.id, none.id]) await executeNow(ctx, id);
  });
  expect(grown("plumbline_executions_total", { trigger: "Manual", status: "NotificationSent" })).toBe(2);
  expect(grown("plumbline_executions_total", { trigger: "Manual", status: "Failed" })).toBe(1);
  expect(grown("plumbline_execution_duration_seconds_count")).toBe(3);
  expect(grown("plumbline_source_queries_total", { engine: "PostgreSql", outcome: "answered" })).toBe(2);
  expect(grown("plumbline_source_queries_total", { engine: "PostgreSql", outcome: "statement" })).toBe(1);
  expect(grown("plumbline_source_query_duration_seconds_count", { engine: "PostgreSql" })).toBe(3);
});

test("evaluations are counted by whether every rule passed", async () => {
  const { id: dataSourceId } = await aDataSource();
  await sql.unsafe("create table orders (id int); insert into orders values (1), (2)");
  const [passes, fails] = [{ minRows: 2 }, { minRows: 3 }].map((bounds) => aRule("Volume", bounds));
  const good = await aContract({ dataSourceId, rules: [passes] as never }, ctx);
  const bad = await aContract({ dataSourceId, rules: [passes, fails] as never }, ctx);
  const grown = await growth(async () => {
    for (const { id } of [good, bad, bad]) await evaluateContract(ctx, id);
  });
  expect(grown("plumbline_evaluations_total", { trigger: "Manual", outcome: "passed" })).toBe(1);
  expect(grown("plumbline_evaluations_total", { trigger: "Manual", outcome: "failed" })).toBe(2);
  expect(grown("plumbline_evaluation_duration_seconds_count")).toBe(3);
});

test("deliveries are counted by channel and outcome, and pending ones are reported", async () => {
  const receiver = await anHttpReceiver();
  onTestFinished(() => receiver.stop());
  const { id: projectId } = await aProject();
  const { id } = await aRecipient({ projectId, type: "Webhook", destination: receiver.url });
  const deliver = async (status: number) => {
    receiver.answer = (response) => response.writeHead(status).end("ok");
    const notificationId = await aNotification({ projectId, recipientIds: [id] });
    const [delivery] = await sql`select id from deliveries where notification_id = ${notificationId}`;
    await attemptDelivery(delivery?.id);
  };
  const grown = await growth(async () => {
    for (const status of [200, 404, 500, 200]) await deliver(status);
  });
  const of = (outcome: string) => grown("plumbline_deliveries_total", { channel: "Webhook", outcome });
  expect([of("sent"), of("failed"), of("later")]).toEqual([2, 1, 1]);
  expect(grown("plumbline_deliveries_queued")).toBe(1);
});

test("language model calls are counted with their tokens and cost", async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const settings = readSettings({ OPENAI_BASE_URL: server.url, LLM_MODEL: "gpt-4.1-mini" });
  const question = {
    prompt: "How many orders are there?",
    output: writtenSqlOutput,
    wanted: "query",
    maxOutputTokens: 100,
    about: {},
  };
  server.reply(
    {
      answer: { explanation: "All of them", dataSourceId: null, sql: "select 1" },
      usage: { input: 1000, output: 200 },
    },
    { text: "no JSON", usage: { input: 50, output: 10 } },
  );
  const grown = await growth(async () => {
    await askNow(question, settings);
    await askNow(question, settings);
  });
  const model = "gpt-4.1-mini";
  expect(grown("plumbline_llm_calls_total", { model, outcome: "answered" })).toBe(1);
  expect(grown("plumbline_llm_calls_total", { model, outcome: "failed" })).toBe(1);
  expect(grown("plumbline_llm_tokens_total", { model, direction: "input" })).toBe(1050);
  expect(grown("plumbline_llm_tokens_total", { model, direction: "output" })).toBe(210);
  // 0.40 and 1.60 dollars per million.
  expect(grown("plumbline_llm_cost_dollars_total", { model })).toBeCloseTo(
    (1050 * 0.4 + 210 * 1.6) / 1e6,
    10,
  );
});

test("jobs are counted by function and by how a worker's stretch of work on them ended", async () => {
  let calls = 0;
  const flaky = inngest.createFunction(
    { id: "flaky", triggers: { event: "test/flaky" }, retries: 3 },
    async () => {
      calls += 1;
      if (calls < 3) throw new Error("not yet");
    },
  );
  const broken = inngest.createFunction({ id: "broken", triggers: { event: "test/broken" } }, async () => {
    throw new NonRetriableError("never");
  });
  const engine = await startEngine([flaky, broken], { pollMs: 50, backoffMs: () => 1 });
  onTestFinished(() => engine.stop());
  const grown = await growth(async () => {
    await sendEvents(db, [
      { name: "test/flaky", data: {} },
      { name: "test/broken", data: {} },
    ]);
    await engine.idle();
  });
  const of = (job: string, outcome: string) => grown("plumbline_job_runs_total", { job, outcome });
  expect([of("flaky", "retried"), of("flaky", "completed"), of("flaky", "failed")]).toEqual([2, 1, 0]);
  expect([of("broken", "failed"), of("broken", "completed")]).toEqual([1, 0]);
  expect(grown("plumbline_job_run_duration_seconds_count", { job: "flaky" })).toBe(3);
  expect(grown("plumbline_jobs_failed_last_day")).toBe(1);
});

test("the backlog is reported from the database, and disappears once it is gone", async () => {
  await sql`insert into job_events (key, name, data) select 'waiting/' || i, 'test/waiting', '{}' from generate_series(1, 4) as i`;
  const insert = (key: string, status: string, due: string) =>
    sql.unsafe(`
    insert into job_runs (function_id, event_id, status, due_at)
    select 'plumbline-run-evaluation', id, '${status}', now() + interval '${due}' from job_events where key = 'waiting/${key}'`);
  await insert("1", "Waiting", "-90 seconds");
  await insert("2", "Waiting", "-30 seconds");
  await insert("3", "Waiting", "1 hour");
  await insert("4", "Running", "10 seconds");
  const contract = await aContract({}, ctx);
  await sql`update contracts set next_run_at = now() - interval '300 seconds' where id = ${contract.id}`;

  const standing = await scrape();
  const jobs = (state: string) => sampleOf(standing, "plumbline_jobs", { job: "run-evaluation", state });
  expect([jobs("due"), jobs("later"), jobs("running")]).toEqual([2, 1, 1]);
  const within = (name: string, min: number, labels = {}) => {
    expect(sampleOf(standing, name, labels)).toBeGreaterThanOrEqual(min);
    expect(sampleOf(standing, name, labels)).toBeLessThan(min + 10);
  };
  within("plumbline_jobs_oldest_due_seconds", 90);
  within("plumbline_schedules_overdue_seconds", 300, { kind: "contract" });
  expect(sampleOf(standing, "plumbline_schedules_overdue_seconds", { kind: "subscription" })).toBe(0);
  expect(sampleOf(standing, "plumbline_database_up")).toBe(1);
  expect(sampleOf(standing, "plumbline_database_connections", { state: "active" })).toBeGreaterThan(0);

  await sql`delete from job_runs where function_id = 'plumbline-run-evaluation'`;
  // Another scrape within five seconds does not query the database.
  const later = async (after: number) =>
    sampleOf(await scrape(after), "plumbline_jobs", { job: "run-evaluation", state: "later" });
  expect(await later(4)).toBe(1);
  expect(await later(1.1)).toBe(0);
});

test("values are omitted while the database does not respond", async () => {
  await sql`alter table job_runs rename to elsewhere`;
  onTestFinished(async () => {
    await sql`alter table elsewhere rename to job_runs`;
  });
  const standing = await scrape();
  expect(sampleOf(standing, "plumbline_database_up")).toBe(0);
  for (const name of ["jobs_oldest_due_seconds", "deliveries_queued", "schedules_overdue_seconds"])
    expect(standing.get(`plumbline_${name}`)?.samples, name).toEqual([]);
});
