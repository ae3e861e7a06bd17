import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listActors } from "../actors/service/actors.ts";
import { waitForExecution } from "../actors/service/cycles.ts";
import { listPendingPlans } from "../actors/service/load-plans.ts";
import { auditLogInput } from "../audit/schema.ts";
import { listEntries } from "../audit/service.ts";
import { setUp } from "../auth/service/set-up.ts";
import { archiveContract, listContracts } from "../data-quality/service/contracts.ts";
import { listEvaluations } from "../data-quality/service/history.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { listKnownTables } from "../data-sources/service/known-tables.ts";
import { listDataSources } from "../data-sources/service/load-data-sources.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { db } from "../db/client.ts";
import { verifyEncryptionKey } from "../db/encryption-check.ts";
import { listFindingsInput } from "../findings/schema.ts";
import { listFindings } from "../findings/service/list-findings.ts";
import { getScan, listScans, waitForScan } from "../findings/service/scans.ts";
import { listQueries } from "../queries/service/queries.ts";
import { listAnomalies } from "../subscriptions/service/anomalies.ts";
import { listExecutions } from "../subscriptions/service/executions.ts";
import { listSubscriptions } from "../subscriptions/service/list-subscriptions.ts";
import { listTasks } from "../tasks/service/tasks.ts";
import { asAdmin, asViewer } from "../test/factories/principals.ts";
import { loadDemo } from "./load.ts";
import { placeOf } from "./warehouse.ts";

const databaseUrl = process.env.DATABASE_URL ?? "";
// Databases and roles are shared by the whole server, which other test files use at the same time.
const names = { database: "demo_load_test", reader: "demo_load_reader" };

beforeAll(async () => {
  await verifyEncryptionKey();
  await setUp({ name: "Ada", email: "ada@example.com", password: "a long enough password" });
  await loadDemo(databaseUrl, names);
}, 180_000);

afterAll(async () => {
  await closeSources();
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe("drop database demo_load_test with (force)");
  await admin.unsafe("drop role demo_load_reader");
  await admin.end();
});

test("an actor has run, and its first plan is pending", async () => {
  const viewer = await asViewer();
  const [actor] = (await listActors(viewer)).items;
  if (actor?.currentExecution) await waitForExecution(actor.currentExecution.id);
  const [plan] = (await listPendingPlans(viewer, actor?.id ?? 0)).items;
  expect(plan).toMatchObject({ trigger: "InitialSetup", actorName: "Warehouse watch" });
  const created = plan?.actions.filter(({ kind }) => kind === "CreateQuery") ?? [];
  expect(created).toHaveLength(6);
  for (const { evidence } of created) expect(evidence).toMatchObject({ valid: true });
});

test("a scan has found flaws of the source data", async () => {
  const viewer = await asViewer();
  const [scan] = (await listScans(viewer, {})).items;
  await waitForScan(scan?.id ?? 0);
  expect(await getScan(viewer, scan?.id ?? 0)).toMatchObject({
    status: "Completed",
    tablesDone: 7,
    skipped: [],
  });
  const { items } = await listFindings(viewer, listFindingsInput.parse({}));
  const warehouse = postgres(new URL(`/${names.database}`, databaseUrl).href, { max: 1 });
  for (const [tableName, kind, column, doubted] of [
    ["airports", "DisguisedMissing", "city", "city = 'NA'"],
    ["movies", "OutOfRange", "release_date", "release_date > '2027-12-31'"],
    ["movies", "MissingValue", "production_budget", "production_budget is null"],
    ["bird_strikes", "Orphan", "origin_state", "origin_state not in (select state from us_states)"],
  ] as const) {
    const found = items.find((each) => each.tableName === tableName && each.columns.includes(column));
    const [row] = await warehouse.unsafe(`select count(*)::int as rows from ${tableName} where ${doubted}`);
    expect(row?.rows).toBeGreaterThan(0);
    expect(found, `${tableName}.${column}`).toMatchObject({ kind, failingRows: row?.rows });
  }
  await warehouse.end();
});

/**
 * Computed by hand from counts made with another program: score × weight over the sum of weights, where a weight is Low
 * 1, Medium 2, High 3, Critical 4.
 */
describe("the contracts find what is actually in the data", () => {
  test.each([
    // Unique 100×4, three letters 0×3 (1,336 of 3,376 have not), states 0×2, longitude (1 − 4/3376)×100×2,
    // latitude 100×1, listed twice 0×1: (400 + 199.763 + 100) / 13.
    ["Airports: reference data", 53.83],
    // Titles 0×2, directors (100 − (1331/3201 − 10 %))×3 = 68.4192×3, ratings 100×2, running times 100×1,
    // the future (1 − 22/3201)×100×3 = 99.3127×3, gross 100×2: (205.2577 + 200 + 100 + 297.9381 + 200) / 13.
    ["Movies: catalog", 77.17],
    // Airports 0×3, damage 0×3 (15 others), speed (100 − 3.36)×2, range (1 − 27/10000)×100×1, volume 100×4:
    // (193.28 + 99.73 + 400) / 13.
    ["Bird strikes: reports", 53.31],
    ["Weather: daily observations", 100],
  ])("%s scores %d", async (name, score) => {
    const contract = (await listContracts(await asViewer(), {})).items.find((each) => each.name === name);
    expect(contract).toMatchObject({ latestScore: score, enabled: true, dataSourceName: "Demo warehouse" });
    expect(contract?.nextRunAt).toBeInstanceOf(Date);
  });

  test("the live feed is fresh, and only fails because of its late flights", async () => {
    const viewer = await asViewer();
    const contract = (await listContracts(viewer, {})).items.find(
      ({ name }) => name === "Departures: live feed",
    );
    const [evaluation] = (await listEvaluations(viewer, contract?.id ?? 0, 1)).items;
    const failed =
      evaluation?.ruleResults.filter(({ passed }) => !passed).map(({ ruleType }) => ruleType) ?? [];
    expect(failed.filter((type) => type !== "Range")).toEqual([]);
    expect(evaluation?.overallScore).toBeGreaterThan(99);
  });
});

describe("the subscriptions have run for four days, on the data of the time", () => {
  const day = 86_400_000;

  async function subscriptionTo(name: string) {
    const admin = await asAdmin();
    const [query] = (await listQueries(admin, { search: name, page: 0, pageSize: 2 })).items;
    const [subscription] = (await listSubscriptions(admin, { queryId: query?.id ?? 0, page: 0, pageSize: 2 }))
      .items;
    if (!subscription) throw new Error(`There is no subscription to ${name}`);
    const { items } = await listExecutions(admin, { id: subscription.id, page: 0, pageSize: 500 });
    return { subscription, executions: items };
  }

  /** The number of executions by status. */
  const tally = (executions: { status: string }[]) =>
    Object.fromEntries([...Map.groupBy(executions, ({ status }) => status)].map(([k, v]) => [k, v.length]));

  test("an hourly one ran once an hour, each at its time, the last within the hour", async () => {
    const { subscription, executions } = await subscriptionTo("Average delay per hour");
    expect(executions).toHaveLength(96);
    const times = executions.map(({ executedAt }) => executedAt.getTime());
    expect(
      times.every(
        (time, index) =>
          time % 3_600_000 === 0 && (index === 0 || (times[index - 1] ?? 0) - time === 3_600_000),
      ),
    ).toBe(true);
    expect(Date.now() - (times[0] ?? 0)).toBeLessThan(3_700_000);
    expect(subscription).toMatchObject({ enabled: true });
    expect(subscription.nextRunAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test("each of them found what the flights of that hour contain", async () => {
    const { executions } = await subscriptionTo("Flights more than three hours late");
    const warehouse = postgres(new URL(`/${names.database}`, databaseUrl).href, { max: 1 });
    // Only the last two days are still in the table: they are counted again in another way.
    const recent = executions.filter(({ executedAt }) => executedAt.getTime() > Date.now() - 1.9 * day);
    const counted = await Promise.all(
      recent.map(async ({ executedAt }) => {
        const [row] = await warehouse`
          select count(*)::int as late from departures
          where sequence > floor(extract(epoch from ${executedAt}::timestamptz) / 12) - 300
            and sequence <= floor(extract(epoch from ${executedAt}::timestamptz) / 12)
            and delay_minutes > 180`;
        return row?.late;
      }),
    );
    await warehouse.end();
    expect(recent.length).toBeGreaterThan(40);
    expect(recent.map(({ rowCount }) => rowCount)).toEqual(counted);
  });

  test("some succeed, one fails occasionally, and one always fails", async () => {
    expect(tally((await subscriptionTo("Gaps on the departures board")).executions)).toEqual({
      NoResults: 32,
    });
    const ratio = tally((await subscriptionTo("Late flights per early flight")).executions);
    expect(ratio.Failed).toBeGreaterThan(2);
    expect(ratio.NotificationSent).toBeGreaterThan(30);
    const { subscription, executions } = await subscriptionTo("Crews without rest");
    expect(tally(executions)).toEqual({ Failed: 16 });
    expect(executions[0]?.errorMessage).toBe('relation "crew_rosters" does not exist');
    expect(subscription.incidents).toMatchObject([{ kind: "Failing" }]);
  });

  test("steps are joined", async () => {
    const { executions } = await subscriptionTo("Delays by airport name");
    expect(tally(executions)).toEqual({ NotificationSent: 4 });
    expect(executions[0]?.rowCount).toBe(20);
  });

  test("tasks and anomalies exist", async () => {
    const admin = await asAdmin();
    const open = (await listTasks(admin, { status: "Open", page: 0, pageSize: 50 })).items;
    expect(open).toContainEqual(
      expect.objectContaining({
        queryName: "Airports listed twice",
        latestRowCount: 1,
        executionCount: 4,
      }),
    );
    expect(open).toContainEqual(
      expect.objectContaining({ queryName: "Films from the future", latestRowCount: 22 }),
    );
    const found = (await listAnomalies(admin, { page: 0, pageSize: 50 })).items;
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ queryName }) => queryName))).toEqual(new Set(["Average delay per hour"]));
  });
});

test("starting on another port updates the data source", async () => {
  const admin = await asAdmin();
  const find = async () => (await listDataSources(admin)).items[0];
  const { host, port } = placeOf(databaseUrl);
  await db.execute(sql`update data_sources set connection = jsonb_set(connection, '{port}', '1')`);
  await loadDemo(databaseUrl, names);
  const followed = await find();
  expect(followed?.connection).toMatchObject({ host, port });
  const id = followed?.id ?? 0;
  expect((await listKnownTables([id])).get(id)?.tables.length).toBeGreaterThan(0);
  expect(await refreshSchema(admin, followed?.id ?? 0)).toMatchObject({ items: [{ schemaName: "public" }] });
});

test("the demo is loaded once: removed parts stay removed", async () => {
  const admin = await asAdmin();
  const { items } = await listContracts(admin, {});
  expect(items).toHaveLength(5);
  await archiveContract(admin, items[0]?.id ?? 0);
  await loadDemo(databaseUrl, names);
  expect((await listContracts(admin, {})).items).toHaveLength(4);
  const filter = auditLogInput.parse({ action: "demo.load" });
  expect((await listEntries(filter)).items).toMatchObject([
    { action: "demo.load", objectKind: "project", detail: "Demo", principal: { name: "System" } },
  ]);
});
