import { sql as query } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { db, sql } from "../db/client.ts";
import { env } from "../env.ts";
import { type ExecutionStatus, executionStatuses } from "../subscriptions/kinds.ts";
import { archiveSubscription } from "../subscriptions/service/subscriptions.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { asAdmin, asViewer } from "../test/factories/principals.ts";
import { aFolder, aQuery } from "../test/factories/queries.ts";
import { aSession } from "../test/factories/sessions.ts";
import { aFinding, anAnomaly, anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { rest } from "../test/rest-client.ts";
import { healthInput, healthSorts, statisticsInput } from "./schema.ts";
import { getDetail } from "./service/detail.ts";
import { listHealth } from "./service/health.ts";
import { calculateStatistics, getStatistics } from "./service/statistics.ts";

let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  ctx = await asAdmin();
});

// Each test has its own project, and filters by it.
beforeEach(async () => {
  source = await aDataSource({ projectId: (await aProject()).id });
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

async function aWatch(name: string, more: { createdAgo?: number; folderId?: number } = {}) {
  const folder = more.folderId === undefined ? {} : { folderId: more.folderId };
  const of = await aQuery({ name, dataSource: source, ...folder }, ctx);
  const watch = await aSubscription({ query: of }, ctx);
  await db.execute(query`
    update subscriptions set created_at = now() - ${(more.createdAgo ?? 60 * day) / 1000} * interval '1 second'
    where id = ${watch.id}`);
  return watch;
}

const ago = (ms: number) => new Date(Date.now() - ms);

/** Adds successful and failed executions, a minute ago. */
async function ran(subscriptionId: number, ok: number, failed: number, at = ago(minute)) {
  const values = (status: ExecutionStatus, count: number) =>
    Array.from({ length: count }, () => anExecution({ subscriptionId, status, executedAt: at }));
  await Promise.all([...values("NotificationSent", ok), ...values("Failed", failed)]);
}

const health = (more: object = {}, by = ctx) =>
  listHealth(by, healthInput.parse({ projectId: source.projectId, ...more }));
const statistics = (more: object = {}, by = ctx) =>
  calculateStatistics(by, statisticsInput.parse({ projectId: source.projectId, ...more }));
const namesIn = async (more: object) => (await health(more)).items.map(({ queryName }) => queryName);

describe("the status", () => {
  test.each([
    [10_000, 8999, 89.99, "Amber"],
    [10, 9, 90, "Green"],
    [100, 70, 70, "Amber"],
    [1000, 699, 69.9, "Red"],
    [3, 3, 100, "Green"],
    [2, 0, 0, "Red"],
    // 89.995 % is shown as 90, but is below it.
    [20_000, 17_999, 90, "Amber"],
  ])("of %i executions with %i successful is at %d %%: %s", async (total, ok, rate, status) => {
    const watch = await aWatch("Orders");
    // As many as needed are counted at once, as they would have been one by one.
    await sql`insert into executions (subscription_id, status, trigger, executed_at, query_version)
      select ${watch.id}, (case when i <= ${ok} then 'NoResults' else 'BelowThreshold' end)::execution_status,
        'Scheduled', now() - interval '1 hour', 1 from generate_series(1, ${total}::int) as i`;
    const { rebuildCounters } = await import("../subscriptions/service/counters.ts");
    await db.transaction(rebuildCounters);
    expect((await health()).items).toMatchObject([
      { status, successRate: rate, totalExecutions: total, failedCount: total - ok },
    ]);
    await sql`delete from executions where subscription_id = ${watch.id}`;
  });

  test.each(executionStatuses)("counts %s as specified", async (status) => {
    const watch = await aWatch("Orders");
    await anExecution({ subscriptionId: watch.id, status, executedAt: ago(minute) });
    const successful = ["NotificationSent", "NoResults", "NotificationSilenced"].includes(status);
    expect((await health()).items).toMatchObject([
      { status: successful ? "Green" : "Red", successRate: successful ? 100 : 0, lastExecution: { status } },
    ]);
  });

  test("of a subscription without executions is Green for a day, and Stalled after that", async () => {
    await aWatch("Young", { createdAgo: day - minute });
    await aWatch("Old", { createdAgo: day + minute });
    expect((await health({ sortBy: "Name" })).items).toMatchObject([
      { queryName: "Old", status: "Stalled", successRate: null, totalExecutions: 0, lastExecution: null },
      { queryName: "Young", status: "Green", successRate: null },
    ]);
    expect(await statistics()).toEqual({
      totalSubscriptions: 2,
      healthySubscriptions: 1,
      warningSubscriptions: 0,
      criticalSubscriptions: 0,
      stalledSubscriptions: 1,
      notRunYetSubscriptions: 1,
      totalUnresolvedTasks: 0,
      totalAnomalies30Days: 0,
      overallSuccessRate: 100,
      timeRangeDays: 30,
    });
  });
});

describe("the window", () => {
  test("includes an execution at its very start, and none before", async () => {
    const watch = await aWatch("Orders");
    // The edge moves while the test runs, so what is just before it stays there.
    await anExecution({ subscriptionId: watch.id, executedAt: ago(7 * day + 1) });
    await anExecution({ subscriptionId: watch.id, executedAt: ago(7 * day - minute) });
    const totals = async (timeRangeDays: number) =>
      (await health({ timeRangeDays })).items.map(({ totalExecutions }) => totalExecutions);
    expect([await totals(7), await totals(6), await totals(8)]).toEqual([[1], [0], [2]]);
  });

  test("counts like plain SQL, on random histories at random edges", async () => {
    let state = 11;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    for (const name of ["A", "B", "C", "D"]) {
      const { id } = await aWatch(name);
      for (let i = 0; i < 40; i++) {
        const executedAt = ago(random(40 * 24) * hour + random(hour));
        const executionId = await anExecution({
          subscriptionId: id,
          status: executionStatuses[random(executionStatuses.length)] ?? "Failed",
          executedAt,
        });
        if (random(3) === 0) await anAnomaly(id, { executionId, detectedAt: executedAt });
      }
    }
    for (const timeRangeDays of [1, 2, 3, 7, 29, 30, 31, 39, 41, 365]) {
      const plain = await sql`
        select q.name, count(e.id)::int as total,
          (count(e.id) filter (where e.status in ('NotificationSent', 'NoResults', 'NotificationSilenced')))::int as ok,
          count(a.id)::int as anomalies
        from subscriptions s join queries q on q.id = s.query_id
        left join executions e on e.subscription_id = s.id
          and e.executed_at >= now() - ${timeRangeDays} * interval '1 day'
        left join anomalies a on a.execution_id = e.id
        where s.project_id = ${source.projectId} group by q.name order by q.name`;
      const { items } = await health({ timeRangeDays, sortBy: "Name" });
      expect(
        items.map(({ queryName, totalExecutions, failedCount, anomalyCount }) => ({
          name: queryName,
          total: totalExecutions,
          ok: totalExecutions - failedCount,
          anomalies: anomalyCount,
        })),
      ).toEqual([...plain]);
      // Their sum and order come from counters rather than from the anomalies themselves.
      const inAll = plain.reduce((sum, { anomalies }) => sum + anomalies, 0);
      expect((await statistics({ timeRangeDays })).totalAnomalies30Days).toBe(inAll);
      const most = plain.toSorted((a, b) => b.anomalies - a.anomalies).map(({ name }) => name);
      expect(await namesIn({ timeRangeDays, sortBy: "Anomalies" })).toEqual(most);
    }
  });

  test("has anomalies by day, including zeros, and their sum", async () => {
    const watch = await aWatch("Orders");
    for (const detectedAt of [ago(minute), ago(2 * day), ago(2 * day), ago(8 * day)])
      await anAnomaly(watch.id, { detectedAt });
    const [row] = (await health({ timeRangeDays: 7 })).items;
    expect(row?.anomaliesByDay).toHaveLength(8);
    expect(row?.anomalyCount).toBe(3);
    const byDate = new Map(row?.anomaliesByDay.map(({ date, count }) => [date, count]));
    expect(
      byDate.get(
        ago(2 * day)
          .toISOString()
          .slice(0, 10),
      ),
    ).toBe(2);
    expect((await statistics({ timeRangeDays: 7 })).totalAnomalies30Days).toBe(3);
    expect((await statistics({ timeRangeDays: 30 })).totalAnomalies30Days).toBe(4);
  });
});

describe("filters", () => {
  test("combine, and apply to statistics and rows alike", async () => {
    const top = await aFolder({ projectId: source.projectId, name: "Sales" }, ctx);
    const below = await aFolder({ projectId: source.projectId, name: "Integrity", parentId: top.id }, ctx);
    const green = await aWatch("Orders without customer", { folderId: top.id });
    const red = await aWatch("Orders of nobody", { folderId: below.id });
    const amber = await aWatch("100% of orders_ \\ shipped");
    await ran(green.id, 10, 0);
    await ran(red.id, 1, 9);
    await ran(amber.id, 8, 2);
    await aFinding(red);

    const both = async (more: object) => {
      const rows = (await health({ ...more, sortBy: "Name" })).items;
      const counted = await statistics(more);
      expect(counted.totalSubscriptions).toBe(rows.length);
      const of = (status: string) => rows.filter((row) => row.status === status).length;
      expect([of("Green"), of("Amber"), of("Red"), of("Stalled")]).toEqual([
        counted.healthySubscriptions,
        counted.warningSubscriptions,
        counted.criticalSubscriptions,
        counted.stalledSubscriptions,
      ]);
      expect(counted.totalUnresolvedTasks).toBe(rows.reduce((sum, row) => sum + row.openTaskCount, 0));
      return rows.map(({ queryName }) => queryName);
    };
    const [o1, o2, o3] = ["100% of orders_ \\ shipped", "Orders of nobody", "Orders without customer"];
    expect(await both({})).toEqual([o1, o2, o3]);
    expect(await both({ folderId: top.id })).toEqual([o2, o3]);
    expect(await both({ folderId: below.id })).toEqual([o2]);
    expect(await both({ folderId: top.id, healthStatus: "Green" })).toEqual([o3]);
    expect(await both({ hasUnresolvedTasks: true })).toEqual([o2]);
    expect(await both({ hasUnresolvedTasks: false })).toEqual([o1, o2, o3]);
    expect(await both({ hasUnresolvedTasks: true, healthStatus: "Amber" })).toEqual([]);
    expect(await both({ dataSourceId: source.id })).toEqual([o1, o2, o3]);
    expect(await both({ dataSourceId: 2_000_000_000 })).toEqual([]);
    expect(await both({ searchKeyword: "ORDERS" })).toEqual([o1, o2, o3]);
    for (const literal of ["%", "_", "\\", "100%", "s_ \\"])
      expect(await both({ searchKeyword: literal })).toEqual([o1]);
    expect(await both({ searchKeyword: "o%s" })).toEqual([]);
    // A subscription's own name counts, too.
    await sql`update subscriptions set name = 'Night shift' where id = ${red.id}`;
    expect(await both({ searchKeyword: "night" })).toEqual([o2]);
    expect(await both({ searchKeyword: "nobody" })).toEqual([o2]);
    // 19 of 30
    expect((await statistics()).overallSuccessRate).toBe(63.33);
    expect((await statistics({ folderId: top.id })).overallSuccessRate).toBe(55);
  });

  test("a data source matches if any step reads it, and the row shows the first", async () => {
    const second = await aDataSource({ projectId: source.projectId, name: "Second" });
    const of = await aQuery(
      {
        name: "Joined",
        projectId: source.projectId,
        steps: [
          { dataSourceId: source.id, sql: "select 1 as one" },
          { dataSourceId: second.id, sql: "select 2 as two" },
          { sql: "select one, two from @@result1, @@result2" },
        ],
      },
      ctx,
    );
    await aSubscription({ query: of }, ctx);
    for (const dataSourceId of [source.id, second.id])
      expect((await health({ dataSourceId })).items).toMatchObject([
        { queryName: "Joined", dataSourceId: source.id, dataSourceName: source.name },
      ]);
  });
});

describe("sorting", () => {
  async function aFleet() {
    const specification: [
      name: string,
      ok: number,
      failed: number,
      task: boolean,
      anomalies: number,
      ago: number,
    ][] = [
      ["beta", 9, 1, false, 0, 3 * hour],
      ["Alpha", 9, 1, false, 2, 2 * hour],
      ["gamma", 1, 1, true, 0, 4 * hour],
      ["delta", 0, 0, false, 1, 0],
      ["epsilon", 5, 0, true, 1, hour],
    ];
    for (const [name, ok, failed, task, anomalies, before] of specification) {
      const watch = await aWatch(name);
      await ran(watch.id, ok, failed, ago(before));
      if (task) await aFinding(watch);
      const executionId = async () => anExecution({ subscriptionId: watch.id, executedAt: ago(100 * day) });
      for (let i = 0; i < anomalies; i++)
        await anAnomaly(watch.id, { executionId: await executionId(), detectedAt: ago(minute) });
    }
    // delta has run, but not in the window.
    return specification;
  }

  test("is by the requested column, with missing values last, and ties by name", async () => {
    await aFleet();
    // Rates: gamma 50, Alpha 90, beta 90, epsilon 100, delta none.
    expect(await namesIn({ sortBy: "SuccessRate" })).toEqual(["gamma", "Alpha", "beta", "epsilon", "delta"]);
    expect(await namesIn({ sortBy: "SuccessRate", sortDirection: "Desc" })).toEqual([
      "epsilon",
      "Alpha",
      "beta",
      "gamma",
      "delta",
    ]);
    expect(await namesIn({ sortBy: "Name" })).toEqual(["Alpha", "beta", "delta", "epsilon", "gamma"]);
    expect(await namesIn({ sortBy: "Name", sortDirection: "Desc" })).toEqual([
      "gamma",
      "epsilon",
      "delta",
      "beta",
      "Alpha",
    ]);
    expect(await namesIn({ sortBy: "Executions" })).toEqual(["Alpha", "beta", "epsilon", "gamma", "delta"]);
    expect(await namesIn({ sortBy: "OpenTasks" })).toEqual(["epsilon", "gamma", "Alpha", "beta", "delta"]);
    expect(await namesIn({ sortBy: "Anomalies" })).toEqual(["Alpha", "delta", "epsilon", "beta", "gamma"]);
    expect(await namesIn({ sortBy: "LastExecution" })).toEqual([
      "epsilon",
      "Alpha",
      "beta",
      "gamma",
      "delta",
    ]);
    // Open tasks first, among them the lower rate first; delta, which has none, after all that have one.
    const worstFirst = ["gamma", "epsilon", "Alpha", "beta", "delta"];
    expect(await namesIn({ sortBy: "WorstFirst" })).toEqual(worstFirst);
    expect(await namesIn({})).toEqual(worstFirst);
  });

  test("by status puts Critical before Warning before Healthy, Stalled last either way, and ties as worst first", async () => {
    const rates: [name: string, ok: number, failed: number, task: boolean][] = [
      ["Stalled B", 0, 0, false],
      ["Healthy", 10, 0, true],
      ["Warning with a task", 8, 2, true],
      ["Warning 75", 3, 1, false],
      ["Warning 70", 7, 3, false],
      ["Critical", 1, 9, false],
      ["Stalled A", 0, 0, false],
    ];
    for (const [name, ok, failed, task] of rates) {
      const watch = await aWatch(name);
      await ran(watch.id, ok, failed);
      if (task) await aFinding(watch);
    }
    const order = ["Critical", "Warning with a task", "Warning 70", "Warning 75", "Healthy"];
    const stalled = ["Stalled A", "Stalled B"];
    expect(await namesIn({ sortBy: "Status" })).toEqual([...order, ...stalled]);
    expect(await namesIn({ sortBy: "Status", sortDirection: "Asc" })).toEqual([
      ...order.toReversed(),
      ...stalled,
    ]);
    // The order is the same page by page.
    const pages = [0, 1, 2, 3].map((page) => namesIn({ sortBy: "Status", pageSize: 2, page }));
    expect((await Promise.all(pages)).flat()).toEqual([...order, ...stalled]);
  });

  test("puts subscriptions that never ran last by their last execution, either way", async () => {
    const ran = await aWatch("Ran");
    await anExecution({ subscriptionId: ran.id });
    await aWatch("Never");
    expect(await namesIn({ sortBy: "LastExecution" })).toEqual(["Ran", "Never"]);
    expect(await namesIn({ sortBy: "LastExecution", sortDirection: "Asc" })).toEqual(["Ran", "Never"]);
  });

  test("gives pages without gaps, and an empty one after the last", async () => {
    for (const name of ["A", "B", "C", "D", "E"]) await aWatch(name);
    const page = async (number: number) => {
      const { items, totalCount } = await health({ sortBy: "Name", page: number, pageSize: 2 });
      return [items.map(({ queryName }) => queryName).join(""), totalCount];
    };
    expect([await page(0), await page(1), await page(2), await page(3)]).toEqual([
      ["AB", 5],
      ["CD", 5],
      ["E", 5],
      ["", 5],
    ]);
    expect(await page(1_000_000_000)).toEqual(["", 5]);
  });

  test("is stable for equal rows, wherever a page ends, in every order", async () => {
    for (const name of ["c", "A", "e", "B", "d", "f", "g"]) {
      const watch = await aWatch(name);
      if (name > "d") await ran(watch.id, 1, 0, ago(hour));
      if (name === "f") await aFinding(watch);
    }
    for (const sortBy of healthSorts)
      for (const sortDirection of ["Asc", "Desc"]) {
        const whole = await namesIn({ sortBy, sortDirection });
        expect(whole).toHaveLength(7);
        for (const pageSize of [1, 2, 3, 7]) {
          const paged: string[] = [];
          for (let page = 0; page * pageSize < 7; page++)
            paged.push(...(await namesIn({ sortBy, sortDirection, pageSize, page })));
          expect(paged).toEqual(whole);
        }
      }
    expect(await namesIn({ sortBy: "Executions" })).toEqual(["e", "f", "g", "A", "B", "c", "d"]);
    expect((await health({ pageSize: 2, hasUnresolvedTasks: true })).totalCount).toBe(1);
    expect((await health({ pageSize: 2, healthStatus: "Stalled" })).totalCount).toBe(4);
  });
});

test("callers who can see several projects, or none, see exactly those", async () => {
  const watch = await aWatch("Orders");
  const { id: other } = await aProject();
  const see = async (projectIds: readonly number[]) => {
    const by = await asViewer({ projectIds });
    const { totalCount } = await listHealth(by, healthInput.parse({}));
    const { totalSubscriptions } = await calculateStatistics(by, statisticsInput.parse({}));
    return [totalCount, totalSubscriptions];
  };
  expect(await see([watch.projectId])).toEqual([1, 1]);
  expect(await see([other, watch.projectId])).toEqual([1, 1]);
  expect(await see([other])).toEqual([0, 0]);
  expect(await see([])).toEqual([0, 0]);
});

test("an archived subscription counts nowhere, and a disabled one like any other", async () => {
  const archived = await aWatch("Archived");
  await ran(archived.id, 0, 5);
  await aFinding(archived);
  await anAnomaly(archived.id);
  await archiveSubscription(ctx, archived.id);
  const disabled = await aWatch("Disabled");
  await db.execute(
    query`update subscriptions set enabled = false, next_run_at = null where id = ${disabled.id}`,
  );
  expect(await namesIn({})).toEqual(["Disabled"]);
  expect(await statistics()).toMatchObject({
    ...{ totalSubscriptions: 1, stalledSubscriptions: 1, totalUnresolvedTasks: 0 },
    ...{ totalAnomalies30Days: 0, overallSuccessRate: 100 },
  });
});

describe("the detail", () => {
  test("has the latest twenty executions, the open task, and the window's anomalies", async () => {
    const folder = await aFolder({ projectId: source.projectId, name: "Sales" }, ctx);
    const watch = await aWatch("Orders", { folderId: folder.id });
    for (let i = 0; i < 25; i++)
      await anExecution({ subscriptionId: watch.id, rowCount: i, executedAt: ago((100 - i) * hour) });
    await anExecution({
      subscriptionId: watch.id,
      status: "Failed",
      rowCount: null,
      errorMessage: "no such table",
    });
    await aFinding(watch);
    await anAnomaly(watch.id, { detectedAt: ago(minute) });
    await anAnomaly(watch.id, { detectedAt: ago(8 * day) });
    const detail = await getDetail(ctx, { id: watch.id, timeRangeDays: 7 });
    expect(detail).toMatchObject({
      ...{ subscriptionId: watch.id, queryName: "Orders", folderPath: "Sales", timeRangeDays: 7 },
      cronExpression: "0 6 * * *",
      openTasks: [{ priority: "Normal", assignee: null, latestRowCount: 5 }],
      anomalies: [{ severity: "High", detectedValue: 200, acknowledged: false }],
    });
    expect(detail.executions).toHaveLength(20);
    expect(detail.executions[0]?.executedAt.getTime()).toBeGreaterThan(
      detail.executions[19]?.executedAt.getTime() ?? 0,
    );
    expect(detail.executions.map(({ errorMessage }) => errorMessage)).toContain("no such table");
  });

  test("of another project's subscription is not found", async () => {
    const watch = await aWatch("Orders");
    const other = await asViewer({ projectIds: [(await aProject()).id] });
    await expect(getDetail(other, { id: watch.id, timeRangeDays: 30 })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("cached statistics", () => {
  test("are shared by callers with the same access, and separated by filter and access", async () => {
    const seconds = env().STATISTICS_CACHE_S;
    const watch = await aWatch("Orders");
    const filter = statisticsInput.parse({ projectId: source.projectId });
    const before = await getStatistics(ctx, filter);
    expect(before).toMatchObject({ totalSubscriptions: 1, criticalSubscriptions: 0 });
    await ran(watch.id, 0, 3);
    const others = await asViewer();
    expect(await getStatistics(others, filter)).toEqual(before);
    expect((await getStatistics(ctx, { ...filter, timeRangeDays: 7 })).criticalSubscriptions).toBe(1);
    const nothing = await asViewer({ projectIds: [] });
    expect(await getStatistics(nothing, filter)).toMatchObject({ totalSubscriptions: 0 });
    const own = await asViewer({ projectIds: [source.projectId] });
    expect(await getStatistics(own, filter)).toMatchObject({ criticalSubscriptions: 1 });
    expect(seconds).toBe(30);
  });
});

describe("over REST", () => {
  test("a cookie and a Read key get the same; a key of another project sees nothing of it", async () => {
    await ran((await aWatch("Orders")).id, 3, 1);
    const path = `/control-tower/health?projectId=${source.projectId}`;
    const byCookie = await rest("GET", path, { cookie: await aSession("Viewer") });
    const { headers } = await aKey({ scopes: ["Read"] });
    const byKey = await rest("GET", path, { headers });
    expect(byCookie.status).toBe(200);
    expect(byKey.body).toEqual(byCookie.body);
    expect(byKey.body.items).toMatchObject([{ queryName: "Orders", successRate: 75, status: "Amber" }]);
    const other = await aKey({ scopes: ["Read"], allowedProjectIds: [(await aProject()).id] });
    expect((await rest("GET", path, { headers: other.headers })).body).toMatchObject({
      items: [],
      totalCount: 0,
    });
    const { body } = await rest("GET", "/control-tower/statistics", { headers: other.headers });
    expect(Object.keys(body)).toEqual([
      "totalSubscriptions",
      "healthySubscriptions",
      "warningSubscriptions",
      "criticalSubscriptions",
      "stalledSubscriptions",
      "totalUnresolvedTasks",
      "totalAnomalies30Days",
      "overallSuccessRate",
      "timeRangeDays",
    ]);
    expect(body.totalSubscriptions).toBe(0);
  });

  test.each([
    "timeRangeDays=0",
    "timeRangeDays=366",
    "timeRangeDays=1e2",
    "timeRangeDays=",
    "pageSize=0",
    "pageSize=501",
    "page=-1",
    "page=NaN",
    "sortBy=Worst",
    "sortDirection=down",
    "healthStatus=green",
    "hasUnresolvedTasks=1",
    "folderId=abc",
    "unknown=1",
  ])("%s is a 400", async (parameters) => {
    const { status } = await rest("GET", `/control-tower/health?${parameters}`, {
      cookie: await aSession("Viewer"),
    });
    expect(status).toBe(400);
  });
});
