import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { takenOver } from "./taken-over.ts";
import { test } from "./test.ts";

/** Control Tower over subscriptions that have really run: read, filtered, navigated, and acted on from its panel. */
const dataDir = join(scratch, "control-tower");
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const [own, watched] = ["e2e_control_tower", "e2e_control_tower_shop"];
test.describe.configure({ mode: "serial" });

let shop: Sql;
let database: Sql;
let service: Service;
let api: Api;
let page: Page;
let projectId: number;
let dataSourceId: number;
const ids: Record<string, number> = {};

const broken = "Orders without customer";
const shaky = "Late parcels";
const steady = "Daily sums";
const literal = "100 % of orders";
const stalled = "Forgotten returns";

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  await withServer(async (server) => {
    for (const name of [own, watched]) {
      await server.unsafe(`drop database if exists ${name} with (force)`);
      await server.unsafe(`create database ${name}`);
    }
  });
  shop = postgres(at(watched).href, { max: 1, onnotice: () => {} });
  database = postgres(at(own).href, { max: 1, onnotice: () => {} });
  await shop.unsafe(
    "create table orders (id integer); insert into orders values (1), (2); create table parcels (id integer)",
  );
  service = await startService(dataDir, {
    DATABASE_URL: at(own).href,
    ENCRYPTION_KEY: "55".repeat(32),
    NEXTAUTH_SECRET: "a secret that only this test uses, 32+ characters",
    STATISTICS_CACHE_S: "0",
  });
  api = await signIn(service.url);
  await fill();
  page = await signedIn(browser);
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
  await shop?.end();
  await database?.end();
  await withServer(async (server) => {
    for (const name of [own, watched]) await server.unsafe(`drop database if exists ${name} with (force)`);
  });
});

const at = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` });

async function withServer(work: (server: Sql) => Promise<unknown>): Promise<void> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await work(server);
  await server.end();
}

async function create(path: string, body: object): Promise<number> {
  const created = await api("POST", path, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return (created.body as { id: number }).id;
}

async function watch(name: string, sql: string, more: { folderId?: number } & Record<string, unknown> = {}) {
  const { folderId, ...subscription } = more;
  const steps = [{ dataSourceId, sql }];
  const queryId = await create("/queries", { projectId, name, steps, ...(folderId && { folderId }) });
  ids[name] = await create("/subscriptions", { queryId, cronExpression: "0 6 * * *", ...subscription });
}

async function run(name: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    const ended = await api("POST", `/subscriptions/${ids[name]}/execute`, undefined, { prefer: "wait" });
    expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  }
}

/** One subscription in each health, and enough others for a second page. */
async function fill(): Promise<void> {
  projectId = await create("/projects", { name: "Shop" });
  const { hostname, port, username, password } = at(watched);
  dataSourceId = await create("/data-sources", {
    ...{ projectId, name: "Shop database", kind: "PostgreSql" },
    connection: {
      ...{ host: hostname, port: Number(port || 5432), database: watched, ssl: false },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  const sales = await create("/query-folders", { projectId, name: "Sales" });
  const integrity = await create("/query-folders", { projectId, name: "Integrity", parentId: sales });

  await watch(broken, "select id from missing", { folderId: integrity });
  await watch(shaky, "select id from parcels", {
    ...{ folderId: integrity, anomalyDetection: { enabled: true } },
  });
  await watch(steady, "select id from orders", { folderId: sales, createTasks: true });
  await watch(literal, "select 1 as one");
  await watch(stalled, "select 1 as one");
  await run(broken, 2);
  await run(shaky, 3);
  await shop.unsafe("alter table parcels rename to parcels_away");
  await run(shaky);
  await shop.unsafe("alter table parcels_away rename to parcels");
  await run(steady, 2);
  await run(literal);
  await database`update subscriptions set created_at = now() - interval '2 days' where id = ${ids[stalled] ?? 0}`;
  await database`
    insert into anomalies (subscription_id, execution_id, detected_at, severity, method, metric, detected_value,
      expected_low, expected_high, explanation)
    select subscription_id, max(id), now(), 'High', 'StandardDeviation', 'RowCount', 200, 80, 120,
      'The row count 200 is above the usual 80 to 120'
    from executions where subscription_id = ${ids[shaky] ?? 0} group by subscription_id`;
  // Counted as the service would have counted it. There are no earlier days.
  for (const counters of ["subscription_state", "subscription_day"])
    await database`
      update ${database(counters)} set anomalies = 1 where subscription_id = ${ids[shaky] ?? 0}`;
  const [of] = await database`select query_id from subscriptions where id = ${ids[literal] ?? 0}`;
  const subscription = { queryId: of?.query_id, cronExpression: "0 6 * * *", enabled: false };
  for (let each = 0; each < 47; each++) await create("/subscriptions", subscription);
}

async function signedIn(browser: Browser, options: object = {}, who = admin): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.url, ...options });
  const opened = await context.newPage();
  await openAs(opened, `${service.url}/control-tower`, who);
  await expect(opened.getByRole("heading", { level: 1, name: "Control Tower" })).toBeVisible();
  return opened;
}

const row = (name: string, on = page) => on.locator(`[data-subscription="${ids[name]}"]`);
const rows = (on = page) => on.locator("[data-subscription]");
const card = (name: string, on = page) => on.getByRole("button", { name: new RegExp(`^${name} ?\\d`) });
const panel = (on = page) => on.getByRole("complementary", { name: /./ }).filter({ hasText: "Latest runs" });
const search = (on = page) => on.getByRole("searchbox", { name: "Search" });

test("Home lists what needs a person, worst first, and its figures lead to Control Tower", async () => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/home$/);
  const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link").first();
  await expect(link).toHaveAccessibleName("Home 4 need attention");
  await expect(page).toHaveTitle("(4) Home · Plumbline");
  const items = page.getByRole("region", { name: "Needs attention" }).locator("tbody tr");
  // Those that cannot run, the latest first; then rows without a task, then the task.
  await expect(items).toContainText([
    new RegExp(`Could not run.*${shaky}.*Could not run: .*Run now`),
    new RegExp(`Could not run.*${broken}.*Could not run: .*Run now`),
    new RegExp(`Rows found.*${literal}.*1 row found.*Silence`),
    new RegExp(`Task.*${steady}.*2 rows found, for 2 runs.*Assign to me`),
  ]);
  await expectAccessible(page);

  await page.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Tasks (1)" }).click();
  await expect(page).toHaveURL(/kind=Task/);
  await expect(items).toHaveCount(1);
  await page.getByRole("button", { name: `Assign to me: “${steady}”` }).click();
  await expect(items).toContainText(["Open"]);
  const { body } = await api("GET", "/tasks");
  const [task] = (body as { items: { id: number; assignee: object | null }[] }).items;
  expect(task?.assignee).not.toBeNull();
  await api("POST", `/tasks/${task?.id}/assign`, {});

  await page.goto("/home");
  await takenOver(page);
  // The list listens for keys a moment after it is drawn; on its first row, k changes nothing.
  await expect(async () => {
    await page.keyboard.press("k");
    await expect(items.first()).toBeFocused({ timeout: 5000 });
  }).toPass();
  await page.keyboard.press("j");
  await expect(items.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/subscriptions/${ids[broken]}$`));
  await expect(page).toHaveTitle(/^\(4\) .+ · Plumbline$/);
  await page.goBack();
  await page.getByRole("link", { name: /^Critical ?1/ }).click();
  await expect(page).toHaveURL(/\/control-tower\?status=Red/);
  await expect(rows()).toHaveCount(1);
});

test("groups of pages stay closed, except for the current page", async () => {
  const pages = page.getByRole("navigation", { name: "Pages" });
  await takenOver(page);
  await pages.getByRole("button", { name: "Watch" }).click();
  await expect(pages.getByRole("button", { name: "Watch" })).toHaveAttribute("aria-expanded", "false");
  await expect(pages.getByRole("list", { name: "Watch" }).getByRole("link")).toHaveText(["Control Tower"]);
  await page.reload();
  await takenOver(page);
  await expect(pages.getByRole("list", { name: "Watch" }).getByRole("link")).toHaveCount(1);
  await pages.getByRole("button", { name: "Watch" }).click();
  await expect(pages.getByRole("list", { name: "Watch" }).getByRole("link")).toHaveCount(5);
});

test("shows the overall health", async () => {
  await page.goto("/control-tower");
  // Five of them by name, and 47 that are younger than a day and have not run.
  await expect(card("Total")).toContainText("52");
  await expect(card("Healthy")).toContainText("49");
  await expect(card("Warning")).toContainText("1");
  await expect(card("Critical")).toContainText("1");
  await expect(card("Stalled")).toContainText("1");
  await expect(card("Open tasks")).toContainText("1 anomaly");
  // 6 of the 9 runs: 0 of 2, 3 of 4, 2 of 2, 1 of 1.
  await expect(card("Total")).toContainText("66.6 % ok");
  await expect(rows()).toHaveCount(50);
  // Critical, Warning, then the healthy one with an open task.
  for (const [place, name] of [broken, shaky, steady].entries())
    await expect(rows().nth(place)).toContainText(name);
  const status = page.getByRole("columnheader", { name: "Status" });
  await expect(status).toHaveAttribute("aria-sort", "descending");
  await expect(row(broken)).toContainText("Critical");
  await expect(row(broken)).toContainText("Sales / Integrity");
  await expect(row(broken)).toContainText("0.0 %");
  await expect(row(broken)).toContainText("Could not run");
  // Rows found, but nobody to notify: not shown in green.
  await expect(row(steady)).toContainText("2 rows");
  await expect(row(steady)).toContainText("nobody to tell");
  await expect(page.getByText(/\bNotified\b/)).toHaveCount(0);
  // 47 have not run yet. They count as healthy, but do not look so.
  await expect(card("Healthy")).toContainText("47 not run yet");
  await expect(rows().last()).toContainText("Not run yet");
  await expect(rows().last()).not.toContainText("Healthy");
  await expect(row(shaky)).toContainText("75.0 %");
  await expect(row(shaky).getByTitle("75.00 %: 3 of 4 runs were successful")).toBeVisible();
  await expect(row(shaky).getByRole("img", { name: /^1 anomaly: 1 on \d+ \w+$/ })).toBeVisible();
  await expect(row(shaky)).toContainText("Looks for anomalies");
});

test("a card filters and shows the count without it; clicking again shows everything", async () => {
  await card("Critical").click();
  await expect(page).toHaveURL(/status=Red/);
  await expect(rows()).toHaveCount(1);
  await expect(row(broken)).toBeVisible();
  await expect(card("Critical")).toHaveAttribute("aria-pressed", "true");
  await expect(card("Warning")).toContainText("of 1");
  await expect(card("Healthy")).toContainText("of 49");
  await card("Stalled").click();
  await expect(row(stalled)).toBeVisible();
  await expect(rows()).toHaveCount(1);
  await card("Stalled").click();
  await expect(page).not.toHaveURL(/status/);
  await card("Open tasks").click();
  await expect(page).toHaveURL(/tasks=true/);
  await expect(rows()).toHaveCount(1);
  await expect(row(steady)).toContainText("1 open");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(rows()).toHaveCount(50);
});

test("filters survive a reload and going back from another page", async () => {
  await page.getByRole("button", { name: /^Window/ }).click();
  await page.getByRole("menuitemradio", { name: "7 days" }).click();
  await expect(page).toHaveURL(/days=7/);
  await page.getByRole("combobox", { name: "Folder" }).click();
  await page.getByRole("option", { name: "Sales", exact: true }).click();
  await page.getByRole("combobox", { name: "Data source" }).click();
  await page.getByRole("option", { name: /^Shop database/ }).click();
  await expect(page).toHaveURL(/source=\d+/);
  await expect(rows()).toHaveCount(3);
  await search().fill("PARCEL");
  await expect(rows()).toHaveCount(1);
  const holds = async () => {
    await expect(page.getByRole("button", { name: "Window: 7 days" })).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Folder" })).toHaveText("Sales");
    await expect(page.getByRole("combobox", { name: "Data source" })).toHaveText("Shop database");
    await expect(search()).toHaveValue("PARCEL");
    await expect(rows()).toHaveCount(1);
    await expect(row(shaky)).toBeVisible();
  };
  await expect(page).toHaveURL(/q=PARCEL/);
  await page.reload();
  await holds();
  await page.getByRole("link", { name: "Queries", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Queries" })).toBeVisible();
  await page.goBack();
  await holds();
  // Going back removes the last filter that was chosen.
  await search().fill("");
  await expect(page).not.toHaveURL(/q=/);
  await page.goBack();
  await expect(page).not.toHaveURL(/source=/);
  await expect(page.getByRole("combobox", { name: "Data source" })).not.toHaveText("Shop database");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(/control-tower\?days=7$/);
});

test("a search is plain text: % is just a character", async () => {
  await page.goto("/control-tower");
  await search().fill("%");
  await expect(card("Total")).toContainText("48");
  for (const name of [broken, shaky, steady, stalled]) await expect(row(name)).toHaveCount(0);
  await search().fill("%o");
  await expect(page.getByText("No subscriptions match these filters")).toBeVisible();
  await expect(card("Total")).toContainText("0");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows()).toHaveCount(50);
});

test("columns sort both ways, and pages can be turned", async () => {
  const sort = (name: string) => page.getByRole("columnheader", { name }).getByRole("button");
  await sort("Subscription").click();
  await expect(page.getByRole("columnheader", { name: "Subscription" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await expect(rows().first()).toContainText(literal);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(rows()).toHaveCount(2);
  await expect(page.getByText("51–52 of 52")).toBeVisible();
  // Changing the order returns to the first page.
  await sort("Subscription").click();
  await expect(page).not.toHaveURL(/page=/);
  await expect(page.getByRole("columnheader", { name: "Subscription" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await expect(rows().first()).toContainText(broken);
  await sort("Success").click();
  await expect(rows().first()).toContainText(broken);
  await sort("Success").click();
  await expect(rows().first()).toContainText("100.0 %");
  for (const name of ["Runs", "Tasks", "Anomalies", "Last run", "Status"]) {
    await sort(name).click();
    await expect(page.getByRole("columnheader", { name })).toHaveAttribute("aria-sort", "descending");
    await expect(page.locator("th[aria-sort]")).toHaveCount(1);
  }
  await expect(rows().first()).toContainText(broken);
  await sort("Status").click();
  await expect(page.getByRole("columnheader", { name: "Status" })).toHaveAttribute("aria-sort", "ascending");
  // The least urgent of the healthy ones first.
  await expect(rows().first()).not.toContainText(/Critical|Warning|Stalled/);
  await page.goto("/control-tower?page=1000000000");
  await page.getByRole("button", { name: "First page" }).click();
  await expect(rows()).toHaveCount(50);
});

test("a link opens the panel with its reasons, and Escape returns to the row", async () => {
  await page.goto(`/control-tower?subscription=${ids[broken]}`);
  await expect(panel().getByRole("heading", { name: broken })).toBeFocused();
  await expect(panel().getByRole("img", { name: "The last 2 runs: Could not run 2" })).toBeVisible();
  await expect(
    panel()
      .getByText(/relation "missing" does not exist/)
      .first(),
  ).toBeVisible();
  await expect(panel().getByText("No open tasks. The last run could not run")).toBeVisible();
  await expect(panel().getByRole("link", { name: "Open the query" })).toBeVisible();
  await expect(row(broken)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Escape");
  await expect(panel()).toHaveCount(0);
  await expect(page).not.toHaveURL(/subscription=/);
  await expect(row(broken)).toBeFocused();

  await page.goto("/control-tower?subscription=2000000000");
  await expect(page.getByText("Subscription not found")).toBeVisible();
  await page.getByRole("button", { name: "Close the panel" }).click();
  await expect(page).not.toHaveURL(/subscription=/);
});

test("the keyboard moves, opens, closes, and searches", async () => {
  await page.keyboard.press("j");
  await expect(row(broken)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel().getByRole("heading", { name: broken })).toBeFocused();
  // The rows can still be reached while it is open.
  await page.keyboard.press("j");
  await expect(row(broken)).toBeFocused();
  await page.keyboard.press("j");
  await expect(row(shaky)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel().getByRole("heading", { name: shaky })).toBeFocused();
  // The panel is shown up to 50 ms before its address is in the history.
  await expect(page).toHaveURL(new RegExp(`subscription=${ids[shaky]}$`));
  await page.goBack();
  await expect(panel().getByRole("heading", { name: broken })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row(broken)).toBeFocused();
  await page.keyboard.press("/");
  await expect(search()).toBeFocused();
  await page.keyboard.press("Escape");
});

test("a run from the panel is followed to its end, and updates the row and the cards", async () => {
  await row(broken).click();
  await shop.unsafe("create table missing (id integer)");
  await panel().getByRole("button", { name: "Run now" }).click();
  await expect(
    panel().getByRole("img", { name: "The last 3 runs: Nothing to tell 1, Could not run 2" }),
  ).toBeVisible();
  // 1 of 3.
  await expect(row(broken)).toContainText("33.3 %");
  await expect(row(broken)).toContainText("Nothing found");
  await expect(card("Total")).toContainText("70.0 % ok");
  await page.keyboard.press("Escape");
  await expect(row(broken).getByRole("img", { name: /^Rows in the last 3 runs: always 0/ })).toHaveCount(1);
});

test("a task is updated and an anomaly acknowledged in the panel", async () => {
  await row(steady).getByRole("link").click();
  await panel().getByRole("combobox", { name: "Priority" }).click();
  await page.getByRole("option", { name: "Critical" }).click();
  await expect(panel().getByRole("combobox", { name: "Priority" })).toHaveText("Critical");
  await panel().getByRole("combobox", { name: "Assignee" }).click();
  await page.getByRole("option", { name: /you$/ }).click();
  await panel().getByRole("button", { name: "Snooze" }).click();
  await page.getByRole("menuitem", { name: "Snooze for 1 hour" }).click();
  await expect(panel().getByText("Snoozed until")).toBeVisible();
  await panel().getByRole("button", { name: "Resolve" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click();
  await expect(panel().getByText("No open tasks.")).toBeVisible();
  await expect(card("Open tasks")).toContainText(/Open tasks\s*0/);
  await expect(row(steady)).toContainText("of 1");

  await panel().getByRole("button", { name: "Silence" }).click();
  await page.getByRole("menuitem", { name: "Silence for 1 hour" }).click();
  await expect(panel().getByText("Silenced until")).toBeVisible();

  await row(shaky).getByRole("link").click();
  await panel().getByRole("button", { name: "Acknowledge" }).click();
  await expect(panel().getByText("seen", { exact: true })).toBeVisible();
  await expect(panel().getByRole("link", { name: "Query", exact: true })).toHaveAttribute(
    "href",
    /\/queries\/\d+/,
  );
  await page.keyboard.press("Escape");
});

test("a refresh comes every 30 s while someone looks, and loses neither the row in focus nor the place", async ({
  browser,
}) => {
  const watching = await signedIn(browser, { viewport: { width: 1200, height: 500 } });
  await watching.clock.install();
  await watching.goto("/control-tower?sort=last");
  await expect(rows(watching).first()).toBeVisible();
  await row(broken, watching).focus();
  const place = await row(broken, watching).evaluate((element) => {
    const rows = [...document.querySelectorAll("[data-subscription]")];
    return rows.indexOf(element);
  });
  // Another run has finished since: the order changes.
  await run(literal);
  await run(steady);
  await watching.mouse.wheel(0, 120);
  await expect.poll(() => watching.evaluate(() => window.scrollY)).toBe(120);
  await watching.clock.runFor(31_000);
  await expect(rows(watching).first()).toContainText(steady);
  await expect(row(broken, watching)).toBeFocused();
  expect(await watching.evaluate(() => window.scrollY)).toBe(120);
  expect(
    await row(broken, watching).evaluate((element) =>
      [...document.querySelectorAll("[data-subscription]")].indexOf(element),
    ),
  ).not.toBe(place);

  let asked = 0;
  watching.on("request", (request) => {
    if (request.url().includes("controlTower.health")) asked++;
  });
  await watching.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await watching.clock.runFor(90_000);
  expect(asked).toBe(0);
  await watching.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await watching.clock.runFor(1_000);
  await expect.poll(() => asked).toBeGreaterThan(0);
  await watching.context().close();
});

test("while the service is down the rows stay, and a click retries", async () => {
  await page.goto("/control-tower");
  await expect(rows()).toHaveCount(50);
  await page.route("**/svc/trpc/**", (route) => route.abort());
  await page.getByRole("button", { name: "Refresh now" }).click();
  const failure = page.getByRole("alert").filter({ hasText: "did not answer" });
  await expect(failure).toBeVisible();
  await expect(rows()).toHaveCount(50);
  await card("Critical").click();
  await expect(failure).toBeVisible();
  await page.unroute("**/svc/trpc/**");
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(failure).toHaveCount(0);
  await expect(rows()).toHaveCount(1);
});

test("a Viewer sees the reasons and no actions they may not take", async ({ browser }) => {
  const viewer = { email: "vera@plumbline.example", password: "correct horse battery staple" };
  await create("/users", { name: "Vera", role: "Viewer", ...viewer });
  const watching = await signedIn(browser, {}, viewer);
  await watching.goto(`/control-tower?subscription=${ids[shaky]}`);
  await expect(panel(watching).getByRole("link", { name: "Query", exact: true })).toBeVisible();
  await expect(panel(watching).getByText("above the usual")).toBeVisible();
  for (const name of ["Run now", "Silence", "Resolve", "Acknowledge"])
    await expect(panel(watching).getByRole("button", { name })).toHaveCount(0);
  const emptyId = await create("/projects", { name: "New" });
  await watching.goto(`/control-tower?project=${emptyId}`);
  await expect(watching.getByText("No subscriptions yet")).toBeVisible();
  await expect(watching.getByRole("link", { name: "New subscription" })).toHaveCount(0);
  await page.goto(`/control-tower?project=${emptyId}`);
  await expect(page.getByRole("link", { name: "New subscription" })).toBeVisible();
  await watching.context().close();
});

// everybody.spec.ts covers the page in its initial state.
test("panels that slide in are accessible", async ({ browser }) => {
  const shown = await signedIn(browser, {});
  await shown.goto(`/control-tower?subscription=${ids[shaky]}`);
  await expect(rows(shown).first()).toBeVisible();
  await expect(shown.getByRole("heading", { name: "Latest runs" })).toBeVisible();
  await expect(shown.getByText("Every day at 06:00", { exact: true })).toBeVisible();
  await expectAccessible(shown, { isOtherOnPhone: true });
  await shown.context().close();
});

test("becomes interactive with at most 230 kB of JavaScript, without Zod or the schedule parser", async () => {
  // The document names what the page needs; everything else is loaded on use, or afterwards.
  const html = await (await page.request.get("/control-tower")).text();
  const named = html.replaceAll(/<script[^>]* noModule[^>]*>/gi, "");
  const paths = new Set(named.match(/static\/chunks\/[^"\\]+?\.js/g));
  expect(paths.size).toBeGreaterThan(10);
  const scripts = await Promise.all(
    [...paths].map(async (path) => (await page.request.get(`/_next/${path}`)).body()),
  );
  const size = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);
  expect(size).toBeLessThanOrEqual(230_000);
  const all = Buffer.concat(scripts).toString();
  for (const sign of ["ZodError", "CronPattern", "cronstrue"]) expect(all.includes(sign), sign).toBe(false);
});
