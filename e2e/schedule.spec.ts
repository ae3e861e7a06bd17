import { join } from "node:path";
import { expect } from "@playwright/test";
import { type Api, signIn } from "./api.ts";
import { endLeases, turnMinute } from "./clock.ts";
import { prepareFolder } from "./data-folders.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** Contracts and subscriptions on their schedules, on the real process and the demo's warehouse, through a crash. */
const dataDir = join(scratch, "schedule");
test.describe.configure({ mode: "serial" });

let service: Service;
let api: Api;
let contractId: number;

type Evaluation = {
  id: number;
  trigger: string;
  status: string;
  overallScore: number;
  ruleResults: { score: number }[];
};

async function start(): Promise<void> {
  service = await startService(dataDir, { DEMO: "on" });
  api = await signIn(service.url);
}

async function evaluations(): Promise<Evaluation[]> {
  const { body } = await api("GET", `/data-quality/contracts/${contractId}/evaluations`);
  return (body as { items: Evaluation[] }).items;
}

const contract = (dataSourceId: number, more: object = {}) => ({
  name: "Every minute",
  dataSourceId,
  tableName: "weather",
  cronExpression: "* * * * *",
  rules: [
    { name: "Rows", type: "Volume", severity: "Low", configuration: { minRows: 2922, maxRows: 2922 } },
    {
      name: "Slow",
      type: "CustomSql",
      severity: "High",
      configuration: { sql: "select 1 as passed, 60 as score from pg_sleep(4)" },
    },
  ],
  ...more,
});

test.beforeAll(async () => {
  await prepareFolder(dataDir, "demo");
  await start();
});

test.afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

test("the demo's contracts have been evaluated when the service starts", async () => {
  const { body } = await api("GET", "/data-quality/overview");
  const [warehouse] = (body as { items: { tables: { tableName: string; currentScore: number }[] }[] }).items;
  const scores = Object.fromEntries(warehouse?.tables.map((t) => [t.tableName, t.currentScore]) ?? []);
  expect(scores).toMatchObject({ airports: 53.83, bird_strikes: 53.31, movies: 77.17, weather: 100 });
});

test("a scheduled run starts by itself", async () => {
  const sources = (await api("GET", "/data-sources")).body as { items: { id: number }[] };
  const created = await api("POST", "/data-quality/contracts", contract(sources.items[0]?.id ?? 0));
  expect(created.status).toBe(201);
  contractId = (created.body as { id: number }).id;
  await turnMinute(dataDir);
  // Low 1 and High 3: (100 × 1 + 60 × 3) / 4.
  await expect
    .poll(async () => (await evaluations())[0], { timeout: 90_000 })
    .toMatchObject({ trigger: "Scheduled", status: "Completed", overallScore: 70 });
});

test("an evaluation interrupted by kill -9 is finished by the next start, once", async () => {
  const before = await evaluations();
  const begun = await api("POST", `/data-quality/contracts/${contractId}/evaluate`, undefined, {
    prefer: "respond-async",
  });
  expect(begun.status).toBe(202);
  const location = (begun.headers.get("location") ?? "").replace("/svc/api", "");
  await service.kill();
  const killedAt = new Date();
  await start();
  expect((await api("GET", location)).body).toMatchObject({ status: "Running" });
  await endLeases(dataDir, killedAt);
  await turnMinute(dataDir);
  await expect
    .poll(async () => (await api("GET", location)).body, { timeout: 90_000 })
    .toMatchObject({ status: "Completed", overallScore: 70, passedCount: 2 });
  const { id } = (await api("GET", location)).body as Evaluation;
  const after = await evaluations();
  expect(after.filter((each) => each.id === id)).toHaveLength(1);
  expect(after.length).toBeGreaterThan(before.length);
});

test("a disabled contract is not scheduled, and an archived one is gone while its source stays", async () => {
  const { body } = await api("GET", `/data-quality/contracts/${contractId}`);
  const { dataSourceId } = body as { dataSourceId: number };
  const disabled = await api(
    "PUT",
    `/data-quality/contracts/${contractId}`,
    contract(dataSourceId, { enabled: false }),
  );
  expect(disabled.body).toMatchObject({ enabled: false, nextRunAt: null });
  expect((await api("DELETE", `/data-quality/contracts/${contractId}`)).status).toBe(204);
  expect((await api("GET", `/data-quality/contracts/${contractId}`)).status).toBe(404);
  expect((await api("GET", `/data-sources/${dataSourceId}`)).status).toBe(200);
});

test.describe("a subscription", () => {
  let subscriptionId: number;
  let queryId: number;

  /** Returns this many rows after this many seconds, every minute. */
  const subscription = (rows: number, seconds: number) => ({
    queryId,
    cronExpression: "* * * * *",
    createTasks: true,
    parameters: { rows, seconds },
  });

  type Execution = { id: number; trigger: string; status: string; rowCount: number | null };
  const executions = async () => {
    const { body } = await api("GET", `/subscriptions/${subscriptionId}/executions`);
    return (body as { items: Execution[] }).items;
  };
  const tasks = async () => {
    const { body } = await api("GET", `/tasks?subscriptionId=${subscriptionId}`);
    return (body as { items: object[] }).items;
  };

  test("runs by itself and opens a task", async () => {
    const [source] = (
      (await api("GET", "/data-sources")).body as { items: { id: number; projectId: number }[] }
    ).items;
    const query = await api("POST", "/queries", {
      projectId: source?.projectId,
      name: "Rows to come",
      steps: [
        {
          dataSourceId: source?.id,
          sql: "select n from generate_series(1, {{rows}}::int) as n, pg_sleep({{seconds}}::float8)",
        },
      ],
    });
    queryId = (query.body as { id: number }).id;
    const created = await api("POST", "/subscriptions", subscription(2, 0));
    expect(created.status).toBe(201);
    subscriptionId = (created.body as { id: number }).id;
    await turnMinute(dataDir);
    await expect
      .poll(async () => (await executions()).at(-1), { timeout: 90_000 })
      .toMatchObject({ trigger: "Scheduled", status: "NotificationSent", rowCount: 2 });
    expect(await tasks()).toMatchObject([{ status: "Open", latestRowCount: 2 }]);
  });

  test("whose execution was interrupted by kill -9 has it finished by the next start, once", async () => {
    await api("PUT", `/subscriptions/${subscriptionId}`, { ...subscription(3, 4), enabled: false });
    const before = (await executions()).length;
    const begun = await api("POST", `/subscriptions/${subscriptionId}/execute`);
    expect(begun.status).toBe(202);
    const location = (begun.headers.get("location") ?? "").replace("/svc/api", "");
    await service.kill();
    const killedAt = new Date();
    await start();
    expect((await api("GET", location)).body).toMatchObject({ status: "Created" });
    await endLeases(dataDir, killedAt);
    await turnMinute(dataDir);
    await expect
      .poll(async () => (await api("GET", location)).body, { timeout: 90_000 })
      .toMatchObject({ status: "NotificationSent", rowCount: 3 });
    expect(await executions()).toHaveLength(before + 1);
    const { body } = await api("GET", `/control-tower/subscriptions/${subscriptionId}/detail`);
    expect(body).toMatchObject({ executions: [{ status: "NotificationSent" }, {}], openTasks: [{}] });
  });

  test("resolves its task when the data has recovered", async () => {
    await api("PUT", `/subscriptions/${subscriptionId}`, subscription(0, 0));
    const { body } = await api("POST", `/subscriptions/${subscriptionId}/execute`, undefined, {
      prefer: "wait",
    });
    expect(body).toMatchObject({ status: "NoResults", rowCount: 0 });
    expect(await tasks()).toMatchObject([
      { status: "Resolved", resolutionNotes: "Auto-resolved: Query returned 0 results" },
    ]);
  });
});
