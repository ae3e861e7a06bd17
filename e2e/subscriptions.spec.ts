import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { anHttpReceiver } from "../server/test/http-receiver.ts";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { enter } from "./enter.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** A person subscribes to a query on a real table: it runs, notifies, opens a task and resolves it; and it can fail. */
const dataDir = join(scratch, "subscriptions");
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_subscriptions";
test.describe.configure({ mode: "serial" });

const watched = "Orders of customers that are not there";

let shop: Sql;
let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;
let service: Service;
let api: Api;
let page: Page;
let dataSourceId: number;
let projectId: number;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${database} with (force)`);
    await server.unsafe(`create database ${database}`);
  });
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  shop = postgres(address.href, { max: 1, onnotice: () => {} });
  await shop.unsafe(`
    create table customers (id integer primary key);
    insert into customers values (1), (2), (3);
    create table orders (id integer, customer_id integer, amount integer);
    -- Two orders of 50 and more are of customers that are not there, and one of less.
    insert into orders values (1, 1, 10), (2, 2, 80), (3, 8, 50), (4, 9, 90), (5, 9, 20);
    create table loads (rows integer);
    insert into loads values (40);
  `);

  receiver = await anHttpReceiver();
  service = await startService(dataDir, { OUTBOUND_ALLOW: "127.0.0.1" });
  api = await signIn(service.url);
  projectId = await create("/projects", { name: "Shop" });
  const { hostname, port, username, password } = address;
  dataSourceId = await create("/data-sources", {
    projectId,
    name: "Shop database",
    kind: "PostgreSql",
    connection: {
      host: hostname,
      port: Number(port || 5432),
      database,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      ssl: false,
    },
  });
  await create("/recipients", {
    projectId,
    name: "Shop keepers",
    type: "Webhook",
    destination: `${receiver.url}/shop`,
  });
  await aQuery(
    watched,
    `select o.id, o.amount from orders o left join customers c on c.id = o.customer_id
     where c.id is null and o.amount >= {{least}} order by o.id`,
  );
  page = await (await browser.newContext({ baseURL: service.url })).newPage();
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
  await receiver?.stop();
  await shop?.end();
  await withServer((server) => server.unsafe(`drop database if exists ${database} with (force)`));
});

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

const aQuery = (name: string, sql: string) =>
  create("/queries", { projectId, name, steps: [{ dataSourceId, sql }] });

/** Runs it over the API, and waits for the result. */
async function execute(subscriptionId: number): Promise<{ status: string; rowCount: number | null }> {
  const ended = await api("POST", `/subscriptions/${subscriptionId}/execute`, undefined, { prefer: "wait" });
  expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  return ended.body as { status: string; rowCount: number | null };
}

/** Picks from an opening list: of a select, or of a searchable combobox. */
async function pick(label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).click();
}

/** Starts a run on the subscription's page, and waits until the page shows the result. */
async function runNow(outcome: string, latest: string): Promise<void> {
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.locator("[data-sonner-toast]").filter({ hasText: outcome }).first()).toBeVisible();
  await expect(latestRun()).toContainText(latest);
}

/** The line below the chart that says how the latest run ended. */
const latestRun = () => page.locator("main").getByText("Latest run").locator("..");

/** Opens the only row of a list by keyboard; presses keys again if the page was not interactive yet. */
async function openByKeys(address: RegExp): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(address, { timeout: 20_000 });
  }).toPass();
}

const subscriptionIn = (address: string) => Number(/subscriptions\/(\d+)/.exec(address)?.[1]);

test("signing in opens the page, which says what it is for", async () => {
  await enter(page, "/subscriptions");
  await expect(page.getByRole("heading", { name: "Subscriptions", level: 1 })).toBeVisible();
  await expect(page.getByText("No subscriptions yet")).toBeVisible();
});

test("an incomplete subscription shows beside each field what is missing", async () => {
  await page.getByRole("link", { name: "New subscription" }).first().click();
  await page.getByRole("button", { name: "Create subscription" }).click();
  await expect(page.getByText("Query is required")).toBeVisible();
  await pick("Query", watched);
  await page.getByRole("radio", { name: "There are more rows than a threshold" }).check();
  await page.getByLabel("Cron expression").fill("0 0 30 2 *");
  await page.getByLabel("Time limit").fill("1801");
  await page.getByRole("button", { name: "Create subscription" }).click();
  for (const problem of [
    "least is required",
    "Threshold is required",
    "Cron expression names a date that never comes",
    "Time limit must be at most 1800",
  ])
    await expect(page.getByText(problem)).toBeVisible();

  await page.getByRole("link", { name: "Data sources" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/subscriptions\/new/);
});

test("a subscription is created with parameters, schedule, condition, and recipients", async () => {
  await page.getByLabel("least", { exact: true }).fill("50");
  await pick("What least is", "Number");
  await page.getByLabel("Cron expression").fill("0 6 * * 1");
  await expect(page.getByText("At 06:00, on Monday")).toBeVisible();
  await expect(page.getByRole("list", { name: "Next runs" }).getByRole("listitem")).toHaveCount(5);
  await page.getByLabel("Time limit").fill("30");
  await page.getByRole("radio", { name: "Rows are found" }).check();
  await page.getByRole("switch", { name: "Open a task" }).click();
  await page.getByRole("checkbox", { name: "Shop keepers" }).check();
  await page.getByRole("button", { name: "Create subscription" }).click();

  await expect(page.getByRole("heading", { name: watched, level: 1 })).toBeVisible();
  await expect(page.getByText("It has not run yet")).toBeVisible();
  await expect(page.locator("aside").last()).toContainText("Shop keepers");
});

test("a manual run shows what it found, notifies the recipient, and opens a task", async () => {
  await runNow("Found 2 rows; ", "told 1 of 1");
  await expect(page.getByRole("link", { name: /Open task/ })).toContainText("Unassigned");
  await expect.poll(() => receiver.requests.length).toBe(1);
  expect(receiver.requests[0]?.text).toContain(watched);
});

const foundRows = () => page.getByRole("region", { name: `Rows of the run of ${watched}` });

test("the run shows its rows, as CSV and as a query with its parameters, and what was sent with the answer", async () => {
  await expect(page.getByText("This is the first run with a result")).toBeVisible();
  await expect(foundRows().getByRole("row")).toHaveText([/id/, /^3/, /^4/]);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^orders-of-customers-that-are-not-there-run-\d+\.csv$/);
  expect((await text(await file.createReadStream())).split("\r\n").slice(1)).toEqual(["3,50", "4,90", ""]);
  await page.getByRole("link", { name: "What was sent" }).click();
  await page.getByRole("button", { name: `${watched}: 2 rows` }).click();
  const sheet = page.getByRole("dialog");
  for (const words of ["Shop keepers", "HTTP 200", "returned 2 rows"])
    await expect(sheet).toContainText(words);
  await expect(sheet.getByRole("region", { name: "Rows of the message" }).getByRole("row")).toHaveCount(3);
  await sheet.getByRole("link", { name: "Open the subscription" }).click();
  await page.getByRole("link", { name: "Open in query" }).click();
  await expect(page.getByRole("textbox", { name: "least" })).toHaveValue("50");
  await expect(page.getByText("Its parameters are filled in below")).toBeVisible();
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await expect(page.getByRole("heading", { name: "2 rows" })).toBeVisible();
  await page.goBack();
});

test("the task is assigned, commented on, and resolved", async () => {
  await page.getByRole("link", { name: /Open task/ }).click();
  await expect(page.getByRole("heading", { name: watched, level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/tasks\/\d+/);
  await pick("Assignee", /you$/);
  await pick("Priority", "High");
  await page.getByLabel("Comment", { exact: true }).fill("Customers 8 and 9 were deleted last night.");
  await page.getByLabel("Comment", { exact: true }).press("Control+Enter");
  const comments = page.getByRole("region", { name: /^Comments/ });
  await expect(comments.getByRole("listitem")).toContainText("Customers 8 and 9 were deleted last night.");

  // As someone else sees it.
  await page.goto("/tasks?assignee=mine&status=Open");
  const row = page.getByRole("row", { name: watched });
  for (const text of ["High", "2", "once"]) await expect(row).toContainText(text);
  await openByKeys(/\/tasks\/\d+/);
  await expect(comments.getByRole("listitem")).toHaveCount(1);

  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Notes").fill("Restored from the backup.");
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toHaveCount(0);
  const resolution = page.getByRole("region", { name: "How it was resolved" });
  await expect(resolution).toContainText("resolved it");
  await expect(resolution).toContainText("Restored from the backup.");
  await expect(page.getByRole("button", { name: "Resolve" })).toHaveCount(0);
});

test("finding it again opens another task, which resolves itself once nothing is found", async () => {
  await page.getByRole("link", { name: "Subscription", exact: true }).click();
  await shop`update orders set id = 7 where id = 4`;
  await runNow("Found 2 rows; ", "told 1 of 1");
  await expect(page.getByText("1 new, 1 gone")).toBeVisible();
  await page.getByRole("link", { name: /Open task/ }).click();
  await expect(page.getByRole("button", { name: "Resolve" })).toBeVisible();
  await expect(foundRows().getByRole("row")).toHaveText([/id/, /^3/, /^new7/]);
  const gone = page.getByRole("region", { name: `Rows of ${watched} that are gone` });
  await expect(gone.getByRole("row")).toHaveText([/id/, /^4/]);
  const task = page.url();

  await shop`insert into customers values (8), (9)`;
  await page.getByRole("link", { name: "Subscription", exact: true }).click();
  await runNow("Found nothing", "Nothing found");
  await expect(page.getByText("None open")).toBeVisible();
  await page.goto(task);
  await expect(page.getByRole("region", { name: "How it was resolved" })).toContainText(
    "Auto-resolved: Query returned 0 results",
  );
  await page.goto("/tasks?status=Resolved");
  await expect(page.getByRole("row", { name: watched })).toHaveCount(2);
});

test("a silenced subscription runs and notifies nobody", async () => {
  await shop`delete from customers where id > 3`;
  await page.goto("/subscriptions");
  await page.getByRole("link", { name: watched }).click();
  const told = receiver.requests.length;
  await page.getByRole("button", { name: "Silence" }).click();
  await page.getByRole("menuitem", { name: "Silence for 1 hour" }).click();
  await expect(page.getByText(/silenced, ends/)).toBeVisible();
  await runNow("Found 2 rows; silenced until", "silenced until");
  await page.getByRole("button", { name: "Silenced", exact: true }).click();
  await page.getByRole("menuitem", { name: "End the silence" }).click();
  await expect(page.getByText(/silenced, ends/)).toHaveCount(0);
  expect(receiver.requests).toHaveLength(told);
});

test("a changed condition is backtested before saving", async () => {
  await page.getByRole("link", { name: "Edit" }).click();
  // So far: 2 rows notified, 2 rows notified, 0 rows, 2 rows silenced.
  const backtest = page.getByRole("status").filter({ hasText: "would have notified" });
  await expect(backtest).toContainText("3 times in the last 30 days (it did 2)");
  await page.getByRole("radio", { name: "There are more rows than a threshold" }).check();
  await page.getByLabel("Threshold", { exact: true }).fill("2");
  await expect(backtest).toContainText("0 times in the last 30 days (it did 2)");
  await page.getByRole("radio", { name: "There are fewer rows than a threshold" }).check();
  await expect(backtest).toContainText("1 time in the last 30 days (it did 2)");
  await page.getByRole("radio", { name: "There are more rows than a threshold" }).check();
  await page.getByRole("button", { name: "Save subscription" }).click();
  await expect(page.locator("aside").last()).toContainText("Above 2 rows");
  await runNow("Found 2 rows, not above the threshold", "2 rows, not above the threshold");
  await expect(page.getByText("Counts as not successful").first()).toBeVisible();
});

test("one that keeps failing comes first until it works again", async () => {
  const subscriptionId = subscriptionIn(page.url());
  await shop`alter table customers rename to clients`;
  for (let run = 0; run < 3; run++) expect((await execute(subscriptionId)).status).toBe("Failed");
  await page.goto("/subscriptions");
  await expect(page.getByText("1 incident")).toBeVisible();
  await expect(page.getByRole("row", { name: watched })).toContainText("Failing");
  await page.goto("/subscriptions?state=incident");
  await openByKeys(/\/subscriptions\/\d+/);
  const banner = page.getByRole("alert", { name: "Failing" });
  await expect(banner).toContainText("3 executions in a row failed");
  await expect(banner).toContainText("customers");
  await page.getByRole("button", { name: "Error", exact: true }).first().click();
  await expect(page.getByRole("region", { name: "Runs", exact: true })).toContainText(
    /relation "customers" does not exist/,
  );

  await shop`alter table clients rename to customers`;
  await runNow("Found 2 rows, not above the threshold", "2 rows, not above the threshold");
  await expect(banner).toHaveCount(0);
});

test("an anomaly is marked, explained, and acknowledged", async () => {
  const queryId = await aQuery("Rows loaded", "select generate_series(1, (select rows from loads)) as row");
  const subscriptionId = await create("/subscriptions", {
    queryId,
    cronExpression: "0 6 * * *",
    condition: { kind: "RowCountBelow", threshold: 10 },
    anomalyDetection: { enabled: true, method: "PercentageChange", sensitivity: 20 },
  });
  for (let run = 0; run < 30; run++) expect((await execute(subscriptionId)).rowCount).toBe(40);
  // 40 ± 20 % is 32 to 48.
  await shop`update loads set rows = 100`;
  await execute(subscriptionId);

  await page.goto("/anomalies?acknowledged=false");
  const row = page.getByRole("row", { name: "Rows loaded" });
  for (const text of ["100", "32 to 48", "above the usual"]) await expect(row).toContainText(text);
  await row.getByRole("link", { name: "Rows loaded" }).click();
  await expect(page.getByText("Unusual: The row count 100 is above the usual 32 to 48")).toBeVisible();
  await page.getByRole("button", { name: "These figures as a table" }).click();
  const figures = page.getByRole("region", { name: "Figures of the chart" }).getByRole("row");
  await expect(figures).toHaveCount(32);
  for (const words of ["100", "32 to 48", "anomaly"]) await expect(figures.nth(1)).toContainText(words);
  // The keyboard moves to the run before, shows its values, and goes to it.
  await page.keyboard.press("Shift+Tab");
  const chart = page.getByRole("slider", { name: /^Run shown below/ });
  await expect(chart).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /40 rows/);
  await expect(chart).toContainText("40 rows");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Chosen run" })).toBeFocused();
  await page.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByText(/^seen by/)).toBeVisible();
  await page.goto("/anomalies?acknowledged=false");
  await expect(page.getByText("No anomalies match these filters")).toBeVisible();
});

test("an undelivered message is shown as failed everywhere until it is sent again", async () => {
  const queryId = await aQuery("Orders to tell of", "select id from orders where id <= 2");
  const { body } = await api("GET", `/recipients?projectId=${projectId}`);
  const recipientIds = (body as { items: { id: number }[] }).items.map(({ id }) => id);
  const subscriptionId = await create("/subscriptions", {
    queryId,
    cronExpression: "0 6 * * *",
    recipientIds,
  });
  receiver.answer = (response) => response.writeHead(404).end();
  // Stored as specified.
  expect((await execute(subscriptionId)).status).toBe("NotificationSent");
  await page.goto(`/subscriptions/${subscriptionId}`);
  await expect(latestRun()).toContainText("2 rows");
  await expect(latestRun()).toContainText("delivery failed");
  await expect(page.getByText(/\bNotified\b/)).toHaveCount(0);
  await page.goto("/subscriptions");
  await expect(page.getByRole("row", { name: "Orders to tell of" })).toContainText("delivery failed");

  await page.goto("/control-tower");
  await expect(page.locator(`[data-subscription="${subscriptionId}"]`)).toContainText("delivery failed");
  await expect(page.getByRole("link", { name: /^Deliveries/ })).toContainText("failing");
  // The email that tells the Admins about it fails as well if no mail server is configured.
  await page.getByRole("link", { name: /^\d+ deliver(y is|ies are) failing$/ }).click();
  await expect(page).toHaveURL(/notifications\?failing=true/);
  const lost = page.getByRole("row", { name: "Orders to tell of: 2 rows" });
  await expect(lost).toHaveCount(1);

  receiver.answer = (response) => response.end("ok");
  await lost.getByRole("button", { name: /^Retry/ }).click();
  await expect(lost).toHaveCount(0);
  await page.goto(`/subscriptions/${subscriptionId}`);
  await expect(latestRun()).toContainText("told 1 of 1");
});

test("a message's links do what they say at one press, once, and for whoever came first", async ({
  browser,
}) => {
  receiver.requests.length = 0;
  const queryId = await create("/queries", {
    ...{ projectId, name: "Rows to look at", steps: [{ dataSourceId, sql: "select 1 as row" }] },
  });
  const { body: recipients } = await api("GET", "/recipients");
  const [keepers] = (recipients as { items: { id: number }[] }).items;
  const id = await create("/subscriptions", {
    ...{ queryId, cronExpression: "0 6 * * *", createTasks: true, recipientIds: [keepers?.id] },
  });
  await api("POST", `/subscriptions/${id}/execute`, undefined, { prefer: "wait" });
  await expect.poll(() => receiver.requests.length).toBe(1);
  const actions: { label: string; url: string }[] = receiver.requests[0]?.json.data.actions ?? [];
  const pathOf = (label: string) => {
    const { pathname, search } = new URL(actions.find((each) => each.label === label)?.url ?? "");
    return pathname + search;
  };
  const take = pathOf("Assign to me");

  const grace = {
    name: "Grace Hopper",
    email: "grace@example.com",
    password: "a moth in relay 70",
    role: "Editor",
  };
  await create("/users", grace);
  const other = await (await browser.newContext({ baseURL: service.url })).newPage();
  await enter(other, take, grace);
  await expect(other.getByRole("heading", { name: "Take the task of “Rows to look at”" })).toBeVisible();
  // Opening the link has changed nothing.
  const taskPath = `/tasks/${take.split("/").at(-1)}`;
  expect((await api("GET", taskPath)).body).toMatchObject({ assignee: null });
  await expectAccessible(other);
  await other.getByRole("button", { name: "Assign to me" }).click();
  await expect(other.getByText("The task is yours.")).toBeVisible();
  expect((await api("GET", taskPath)).body).toMatchObject({ assignee: { name: grace.name } });
  await other.context().close();

  await page.goto(take);
  await expect(page.getByText("Grace Hopper has it.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Assign to me" })).toHaveCount(0);

  await page.goto(pathOf("Silence until tomorrow"));
  await page.getByRole("button", { name: "Silence until tomorrow, 09:00" }).click();
  await expect(page.getByText(/^Silenced until .*09:00:00/)).toBeVisible();
  await api("DELETE", `/subscriptions/${id}`);
});

// everybody.spec.ts covers all pages in their initial state; here they show failures, tasks, and anomalies.
test("these pages are accessible and fit a phone", async () => {
  const [subscriptions, tasks] = await Promise.all([api("GET", "/subscriptions"), api("GET", "/tasks")]);
  const idIn = ({ body }: { body: unknown }) => (body as { items: { id: number }[] }).items[0]?.id;
  const [subscription, task] = [idIn(subscriptions), idIn(tasks)];
  for (const address of [`/subscriptions/${subscription}`, `/tasks/${task}`, "/anomalies"]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});

test("a subscription is disabled and archived from the list", async () => {
  await page.goto("/subscriptions");
  const row = page.getByRole("row", { name: "Rows loaded" });
  await row.getByRole("button", { name: "Actions for Rows loaded" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await expect(row).toContainText("disabled");
  await row.getByRole("button", { name: "Actions for Rows loaded" }).click();
  await page.getByRole("menuitem", { name: "Archive…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive subscription" }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("row", { name: watched })).toBeVisible();
});
