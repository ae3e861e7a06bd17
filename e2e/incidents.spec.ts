import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { buildLongLists } from "./long-lists.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { takenOver } from "./taken-over.ts";
import { test } from "./test.ts";

/** A load goes wrong: two checks of one table become one incident, which someone looks after until it is over. */
const dataDir = join(scratch, "incidents");
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const own = "e2e_incidents";
test.describe.configure({ mode: "serial" });

let database: Sql;
let service: Service;
let api: Api;
let page: Page;
let contractId: number;
let subscriptionId: number;

const at = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` });
const create = async (path: string, body: object) =>
  ((await api("POST", path, body)).body as { id: number }).id;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${own} with (force)`);
    await server.unsafe(`create database ${own}`);
  });
  database = postgres(at(own).href, { max: 1, onnotice: () => {} });
  await database`create table orders (id int, customer_id int)`;
  await database`insert into orders values (1, null)`;
  service = await startService(dataDir, {
    DATABASE_URL: at(own).href,
    ENCRYPTION_KEY: "55".repeat(32),
    NEXTAUTH_SECRET: "a secret that only this test uses, 32+ characters",
  });
  api = await signIn(service.url);
  await fill();
  page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await openAs(page, `${service.url}/incidents`, admin);
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
  await database?.end();
  await withServer((server) => server.unsafe(`drop database if exists ${own} with (force)`));
});

async function withServer(work: (server: Sql) => Promise<unknown>): Promise<void> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await work(server);
  await server.end();
}

async function fill(): Promise<void> {
  const projectId = await create("/projects", { name: "Shop" });
  const { hostname: host, port, username, password } = at(own);
  const dataSourceId = await create("/data-sources", {
    ...{ projectId, name: "Warehouse", kind: "PostgreSql" },
    connection: {
      ...{ host, port: Number(port || 5432), database: own, ssl: false },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  await api("GET", `/data-sources/${dataSourceId}/schema`);
  contractId = await create("/data-quality/contracts", {
    ...{ dataSourceId, name: "Orders are complete", tableName: "orders", cronExpression: "0 6 * * *" },
    rules: [{ name: "Two at least", type: "Volume", configuration: { minRows: 2 } }],
  });
  const steps = [{ dataSourceId, sql: "select id from orders where customer_id is null" }];
  const queryId = await create("/queries", { projectId, name: "Orders without customer", steps });
  subscriptionId = await create("/subscriptions", { queryId, cronExpression: "0 6 * * *" });
  await check();
}

/** Runs both checks. */
async function check(): Promise<void> {
  await api("POST", `/data-quality/contracts/${contractId}/evaluate`);
  await api("POST", `/subscriptions/${subscriptionId}/execute`, undefined, { prefer: "wait" });
}

test("two checks of one table are one incident, which leads to each of them", async () => {
  await page.getByRole("link", { name: "2 checks of public.orders found problems" }).click();
  await page.waitForURL(/\/incidents\/\d+/);
  const problems = page.getByRole("region", { name: "What is wrong" });
  await expect(problems.getByRole("row")).toHaveCount(3);
  await expect(problems).toContainText("Orders are complete");
  await expect(problems).toContainText("1 row found");
  await expectAccessible(page);
  await problems.getByRole("link", { name: "Orders are complete" }).click();
  await page.waitForURL(/\/contracts\/\d+/);
  await expect(page.getByText("Part of an incident")).toBeVisible();
  await page.getByRole("link", { name: "2 checks of public.orders found problems" }).click();
  await page.waitForURL(/\/incidents\/\d+/);
});

test("who acknowledges it has it, and says what was found out", async () => {
  await page.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByRole("button", { name: "Acknowledge" })).toHaveCount(0);
  await expect(page.getByText("Acknowledged", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Assignee" })).not.toContainText("Nobody");
  await page.getByRole("textbox", { name: "Comment" }).fill("The loader stopped half-way.");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline).toContainText("commented");
  await expect(timeline).toContainText("The loader stopped half-way.");
});

test("silencing it silences its checks, until the silence ends", async () => {
  await page.getByRole("button", { name: "Silence", exact: true }).click();
  await page
    .getByRole("menuitem", { name: /^Silence/ })
    .first()
    .click();
  await expect(page.getByText(/^Silenced until/)).toBeVisible();
  const { body } = await api("GET", `/subscriptions/${subscriptionId}`);
  expect((body as { silencedUntil: string | null }).silencedUntil).not.toBeNull();
  await page.getByRole("button", { name: "Silenced" }).click();
  await page.getByRole("menuitem", { name: "End the silence" }).click();
  await expect(page.getByText(/^Silenced until/)).toHaveCount(0);
});

test("it is over once both checks are fine", async () => {
  await database`update orders set customer_id = 7`;
  await database`insert into orders values (2, 7)`;
  await check();
  await page.reload();
  await expect(page.getByText("Resolved", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("by itself")).toBeVisible();
  await page.getByRole("link", { name: "Incidents" }).first().click();
  await page.waitForURL(/\/incidents$/);
  await expect(page.getByText("No incidents", { exact: true })).toBeVisible();
});

test("a maintenance window is created, and said wherever silence could be taken for health", async () => {
  await page.getByRole("link", { name: "Maintenance" }).click();
  await page.waitForURL(/\/maintenance$/);
  await page.getByRole("button", { name: "New window" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Reload");
  await dialog.getByText("Again and again").click();
  await dialog.getByLabel("Cron expression").fill("* * * * *");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create window" }).click();
  await expect(page.getByRole("region", { name: "Maintenance" })).toContainText("Now");
  await page.goto("/incidents");
  await expect(page.getByText(/nobody is notified about any data source until/)).toBeVisible();
});

test("a window for tables with a tag is created with it, and changed back to all tables", async () => {
  const { items } = (await api("GET", "/data-sources")).body as { items: { id: number; name: string }[] };
  const id = items.find(({ name }) => name === "Warehouse")?.id;
  const tagged = { schemaName: "public", tableName: "orders", tags: ["finance", "tier 1"] };
  await api("PUT", `/data-sources/${id}/tags`, tagged);
  await page.goto("/incidents/maintenance");
  await page.getByRole("button", { name: "New window" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Books close");
  await dialog.getByRole("textbox", { name: /^Tags/ }).fill("-");
  await dialog.getByRole("button", { name: "Create window" }).click();
  await expect(dialog.getByText("must begin with a letter or digit")).toBeVisible();
  await dialog.getByRole("textbox", { name: /^Tags/ }).fill("");
  await dialog.getByRole("button", { name: "tier 1" }).click();
  await dialog.getByRole("button", { name: "finance" }).click();
  await expect(dialog.getByRole("textbox", { name: /^Tags/ })).toHaveValue("tier 1, finance");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create window" }).click();
  const row = page.getByRole("row", { name: /Books close/ });
  await expect(row).toContainText("tables tagged finance or tier 1");
  await row.getByText("Books close").click();
  await dialog.getByRole("textbox", { name: /^Tags/ }).fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("All data sources");
});

test("a policy says who is notified", async () => {
  await page.goto("/incidents");
  await page.getByRole("link", { name: "Policies" }).click();
  await page.waitForURL(/\/policies$/);
  await page.getByRole("button", { name: "New policy" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("On call");
  await dialog.getByRole("button", { name: "Create policy" }).click();
  // Somebody must be notified.
  await expect(dialog.getByText("is required")).toBeVisible();
  await dialog.getByRole("button", { name: "New recipient" }).click();
  const recipient = page.getByRole("dialog", { name: "New recipient" });
  await recipient.getByLabel("Name").fill("Night desk");
  await recipient.getByLabel(/address/i).fill("desk@example.com");
  await recipient.getByRole("button", { name: "Create recipient" }).click();
  await expect(dialog.getByText("1 chosen")).toBeVisible();
  await dialog.getByRole("textbox", { name: /^Tags/ }).fill("Finance, ");
  await dialog.getByRole("button", { name: "Create policy" }).click();
  const row = page.getByRole("row", { name: /On call/ });
  await expect(row).toContainText("Night desk");
  await expect(row).toContainText("High and worse");
  await expect(row).toContainText("tables tagged finance");
});

test("of a thousand tables that are late at once, those near the window are drawn, wherever it scrolls", async () => {
  await buildLongLists(database, 1_000);
  await page.goto("/incidents");
  await page.getByRole("link", { name: "1,000 tables of Lake have problems" }).click();
  const table = page.getByRole("table").filter({ hasText: "What is wrong" });
  const row = (name: string) => table.getByRole("row", { name: new RegExp(`loaded\\.${name} `) });
  await expect(row("table_1")).toBeVisible();
  await expect(table).toHaveAttribute("aria-rowcount", "1001");
  await expect(table.getByRole("row")).toHaveCount(21);
  const showAll = page.getByRole("button", { name: "Show all 1,000" });
  await showAll.click();
  // The rest is asked for.
  await expect(showAll).toHaveCount(0);
  expect(await table.getByRole("row").count()).toBeLessThan(100);
  await table.evaluate((element) => element.scrollIntoView({ block: "end" }));
  await expect(row("table_1000")).toBeVisible();
  await expect(row("table_1000")).toHaveAttribute("aria-rowindex", "1001");
  await expect(row("table_1")).toHaveCount(0);
  // Of what joined at once, some are named, and the rest is counted.
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("listitem")).toHaveCount(6);
  await expect(timeline).toContainText("and 994 more");
});

test("the keys reach every row of a thousand, drawn or not", async () => {
  await page.goto("/data-quality");
  await takenOver(page);
  const table = page.getByRole("region", { name: "Tables of Lake" });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-rowindex"));
  await page.keyboard.press("j");
  await expect(page.locator("tr:focus")).toBeVisible();
  for (let step = 0; step < 40; step += 1) await page.keyboard.press("j");
  // The heading is the first row.
  expect(await focused()).toBe("42");
  // Left where it was, and not drawn any more.
  await table.evaluate((element) => element.scrollIntoView({ block: "end" }));
  await expect(page.locator("tr:focus")).toHaveCount(0);
  await page.keyboard.press("j");
  await expect.poll(focused).toBe("42");
  await page.keyboard.press("k");
  expect(await focused()).toBe("41");
  await expectAccessible(page);
});

test("of a thousand tables, the rows that are drawn ask for the course of their scores", async () => {
  await page.goto("/data-quality");
  const table = page.getByRole("region", { name: "Tables of Lake" });
  const courses = table.getByRole("img", { name: /^Scores of the last 30 evaluations, oldest first: / });
  // The worst come first, and the best last: 80 and 100 of 100.
  await expect(courses.first()).toHaveAccessibleName(/ 80\.00$/);
  const drawn = await table.locator("tr[data-index]").count();
  await expect(courses).toHaveCount(drawn);
  expect(drawn).toBeLessThan(100);
  await table.evaluate((element) => element.scrollIntoView({ block: "end" }));
  await expect(courses.last()).toHaveAccessibleName(/ 100\.00$/);
});
