import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { aMailServer } from "../server/test/mail-server.ts";
import { violationsOf } from "./accessible.ts";
import { turnMinute } from "./clock.ts";
import { prepareFolder } from "./data-folders.ts";
import { policyViolationsOf } from "./policy-violations.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/**
 * The first hour on an empty service: one page leads from no project to a first score, and no other page is a dead end
 * before that. `GUIDE_PICTURES=<folder>` saves a screenshot of each stage.
 */
test.describe.configure({ mode: "serial" });

const dataDir = join(scratch, "getting-started");
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_getting_started";
const pictures = process.env.GUIDE_PICTURES;

let shop: Sql;
let mailServer: Awaited<ReturnType<typeof aMailServer>>;
let service: Service;
let page: Page;
let violations: string[];

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  if (pictures) mkdirSync(pictures, { recursive: true });
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${database} with (force)`);
    await server.unsafe(`create database ${database}`);
  });
  shop = postgres(address().href, { max: 1, onnotice: () => {} });
  await shop.unsafe(`
    create table customers (id integer primary key, email text not null, country text not null);
    insert into customers
      select n, 'customer' || n || '@example.com', case when n % 3 = 0 then 'NO' else 'DE' end
      from generate_series(1, 200) n;
    create table orders (
      id integer primary key, customer_id integer, amount numeric(10, 2) not null, placed_at timestamptz not null
    );
    insert into orders
      select n, n % 200 + 1, case when n in (700, 1400) then -5 else n % 90 + 10 end,
        now() - make_interval(mins => n * 20)
      from generate_series(1, 3000) n;
    create table notes (id integer primary key, said text);
    analyze;
  `);
  mailServer = await aMailServer();
  service = await startService(dataDir, { SMTP_URL: mailServer.url, MAIL_FROM: "alerts@example.com" });
  const context = await browser.newContext({ baseURL: service.url, reducedMotion: "reduce" });
  page = await context.newPage();
  violations = await policyViolationsOf(page);
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/home/);
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
  await mailServer?.stop();
  await shop?.end();
  await withServer((server) => server.unsafe(`drop database if exists ${database} with (force)`));
});

function address(): URL {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url;
}

async function withServer(work: (server: Sql) => Promise<unknown>): Promise<void> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await work(server);
  await server.end();
}

/** Ends a stage: it is accessible, fits a phone, and is saved as pictures if requested. */
async function stage(name: string): Promise<void> {
  expect.soft(await violationsOf(page), name).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, `${name} on a phone`).toBe(0);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}-phone.png`), fullPage: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  if (!pictures) return;
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(pictures, `${name}-dark.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: "light" });
}

const checklist = () => page.getByRole("region", { name: "Getting started" });
const step = (name: string) => page.getByRole("region", { name, exact: true });
const heading = (name: string) => page.getByRole("button", { name: new RegExp(`\\d\\. ${name}`) });

async function fillConnection(): Promise<void> {
  const { hostname, port, username, password } = address();
  await page.getByLabel("Host").fill(hostname);
  await page.getByLabel("Port").fill(port || "5432");
  await page.getByLabel("Database", { exact: true }).fill(database);
  await page.getByLabel("User").fill(decodeURIComponent(username));
  await page
    .getByLabel("Password", { exact: true })
    .fill(decodeURIComponent(password) || "none is asked for");
  await page.getByRole("checkbox", { name: /^Encrypt the connection/ }).uncheck();
}

test("no page asks for something else without offering it there", async () => {
  for (const [path, needs] of [
    ["/data-quality/contracts/new", "A contract needs a database"],
    ["/data-quality/contracts/import", "Contracts need a database"],
    ["/queries/new", "A query needs a data source"],
    ["/subscriptions/new", "A query needs a data source"],
    ["/ai-actors/new", "An actor needs a database"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(needs)).toBeVisible();
    await expect(page.getByLabel("Host")).toBeVisible();
    await expect(page.getByRole("button", { name: "New project" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeEnabled();
  }
  await stage("dead-end-actor");
  for (const path of ["/findings", "/catalog", "/data-quality", "/data-sources"]) {
    await page.goto(path);
    await expect(
      page.getByRole("main").getByRole("link", { name: /^Connect a (data source|database)/ }),
    ).toHaveAttribute("href", "/data-sources/new");
  }
});

test("a dialog creates the project it needs, and nothing of the dialog is lost", async () => {
  await page.goto("/recipients");
  await page.getByRole("button", { name: "New recipient" }).click();
  const dialog = page.getByRole("dialog", { name: "New recipient" });
  await dialog.getByLabel("Name").fill("Keepers");
  await dialog.getByRole("button", { name: "New project" }).click();
  const inner = page.getByRole("dialog", { name: "New project" });
  await inner.getByRole("button", { name: "Cancel" }).click();
  await expect(inner).toHaveCount(0);
  await expect(dialog.getByLabel("Name")).toHaveValue("Keepers");
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("Home begins with the checklist, which leads to the first step", async () => {
  await page.goto("/home");
  await expect(checklist()).toContainText("0 of 5 done");
  await expect(checklist().getByRole("listitem")).toHaveText([
    /^Connect a database/,
    /^See what its tables hold/,
    /^Choose rules for a table/,
    /^Say who is notified/,
    /^Get the first score/,
  ]);
  await stage("1-home");
  await checklist().getByRole("link", { name: "Start" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Getting started" })).toBeVisible();
  await expect(step("Connect a database").getByLabel("Host")).toBeVisible();
});

test("a database is connected, in a project that is created on the way", async () => {
  const connect = step("Connect a database");
  await connect.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  await dialog.getByLabel("Name").fill("Shop");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await expect(connect.getByRole("combobox", { name: "Project" })).toHaveText("Shop");
  await connect.getByLabel("Name").fill("Shop database");
  await fillConnection();
  await stage("2-connect");
  await connect.getByRole("button", { name: "Test connection" }).click();
  await expect(connect.getByText(/PostgreSQL 1\d/).first()).toBeVisible();
  await connect.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(heading("Connect a database")).toContainText("Done");
  await expect(heading("Connect a database")).toContainText("Shop database");
});

test("its tables show what was found, what that cost, and what is not covered", async () => {
  await expect(heading("See what its tables hold")).toContainText(
    /3 tables and 3,200 rows read in [\d.]+\s(ms|s)/,
    { timeout: 60_000 },
  );
  const tables = step("See what its tables hold");
  const orders = tables.getByRole("row", { name: /public\.orders/ });
  await expect(orders.getByRole("link", { name: /findings? in public\.orders/ })).toBeVisible();
  await expect(tables.getByText("Only findings").locator("../..")).toContainText("1");
  await stage("3-tables");
  await orders.getByRole("link", { name: "Write a contract for public.orders" }).first().click();
});

test("rules are chosen for a table, and tried before they are saved", async () => {
  const rules = step("Choose rules for a table");
  await expect(rules.getByRole("combobox", { name: "Table" })).toContainText("orders");
  await rules.getByRole("button", { name: "Suggest rules" }).click();
  const failing = rules.getByRole("group", { name: /Fails today/ });
  const negative = failing.getByRole("listitem").filter({ hasText: "amount" }).first();
  await expect(negative).toContainText("Fails: 2 rows");
  const passing = rules.getByRole("group", { name: /Passes today/ });
  await passing.getByRole("button", { name: "Choose none" }).click();
  await rules.getByRole("button", { name: "Try the chosen rules" }).click();
  await expect(rules.getByRole("status").filter({ hasText: "Would score" })).toContainText(/0 passed/);
  await passing.getByRole("checkbox").first().check();
  await expect(rules.getByText("Would score")).toHaveCount(0);
  await rules.getByRole("button", { name: "Try the chosen rules" }).click();
  await expect(rules.getByText("Would score")).toBeVisible();
  await stage("4-rules");
  await rules.getByLabel("Name", { exact: true }).fill("Orders of the shop");
  await rules.getByRole("button", { name: /^Create contract with \d+ rules?$/ }).click();
  await expect(heading("Choose rules for a table")).toContainText("Done");
  await expect(heading("Choose rules for a table")).toContainText("Orders of the shop");
});

test("it is resumed where it was left, also in another browser", async ({ browser }) => {
  await page.goto("/home");
  await expect(checklist()).toContainText("3 of 5 done");
  const context = await browser.newContext({
    ...{ baseURL: service.url, storageState: await page.context().storageState() },
  });
  const other = await context.newPage();
  await other.goto("/getting-started");
  await expect(other.getByRole("region", { name: "Say who is notified" })).toBeVisible();
  await context.close();
  await checklist().getByRole("link", { name: "Continue" }).click();
  await expect(step("Say who is notified").getByLabel("Email address")).toBeVisible();
});

test("a step is skipped and put back, and the checklist is dismissed and shown again", async () => {
  await step("Say who is notified").getByRole("button", { name: "Skip this step" }).click();
  await expect(heading("Say who is notified")).toContainText("Skipped");
  await expect(step("Get the first score")).toBeVisible();
  await heading("Say who is notified").click();
  await step("Say who is notified").getByRole("button", { name: "Put it back on the list" }).click();
  await expect(heading("Say who is notified")).toContainText("To do");

  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("The checklist is not shown on Home any more.")).toBeVisible();
  await page.goto("/home");
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  await expect(checklist()).toHaveCount(0);
  await page.getByRole("button", { name: "Admin Admin" }).click();
  await page.getByRole("menuitem", { name: "Getting started" }).click();
  await page.getByRole("button", { name: "Show on Home" }).click();
  await expect(page.getByRole("button", { name: "Dismiss" })).toBeVisible();
});

test("a recipient gets a test message, and the contract notifies it", async () => {
  await page.goto("/getting-started");
  const recipient = step("Say who is notified");
  await recipient.getByLabel("Name").fill("Shop keepers");
  await recipient.getByLabel("Email address").fill("shop-keepers@example.com");
  await recipient.getByRole("button", { name: "Create recipient" }).click();
  await expect(heading("Say who is notified")).toContainText("Shop keepers, not tested yet");
  await recipient.getByRole("button", { name: "Notify when “Orders of the shop” fails" }).click();
  await expect(recipient.getByRole("button", { name: /^Notify when/ })).toHaveCount(0);
  await stage("5-recipient");
  await recipient.getByRole("button", { name: "Send a test to Shop keepers" }).click();
  await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual([["shop-keepers@example.com"]]);
  await expect(heading("Say who is notified")).toContainText("Done");
});

test("the first score ends it", async () => {
  await page.goto("/getting-started");
  const score = step("Get the first score");
  await score.getByRole("button", { name: "Evaluate “Orders of the shop”" }).click();
  await expect(heading("Get the first score")).toContainText("Done");
  await expect(page.getByText("Every step is done or skipped")).toBeVisible();
  await expect(page.getByText("5 of 5 done")).toBeVisible();
  await stage("6-done");
  await page.getByRole("link", { name: "Home", exact: true }).last().click();
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  await expect(checklist()).toHaveCount(0);
});

test("a subscription writes its query on the way, and a recipient is created in the form", async () => {
  await page.goto("/subscriptions/new");
  await expect(page.getByText("There are no queries yet").first()).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("Negative amounts");
  await page.locator(".cm-content").first().fill("select id from orders where amount < 0");
  await page.getByRole("button", { name: "Create query" }).click();
  await expect(page.getByRole("combobox", { name: "Query" })).toContainText("Negative amounts");
  await page.getByRole("button", { name: "New recipient" }).click();
  const dialog = page.getByRole("dialog", { name: "New recipient" });
  await dialog.getByLabel("Name").fill("Accounting");
  await dialog.getByLabel("Email address").fill("accounting@example.com");
  await dialog.getByRole("button", { name: "Create recipient" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("checkbox", { name: /^Accounting/ })).toBeChecked();
  await stage("7-subscription");
  await page.getByRole("button", { name: "Create subscription" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Negative amounts" })).toBeVisible();
});

test("a second subscription runs the same query, and has a name of its own", async () => {
  await page.goto("/queries");
  await page.getByRole("link", { name: "Negative amounts" }).first().click();
  await page.getByRole("link", { name: "Subscribe" }).click();
  await expect(page.getByRole("combobox", { name: "Query" })).toContainText("Negative amounts");
  await page.getByLabel(/^Name/).first().fill("Negative amounts for the auditors");
  await page.getByRole("checkbox", { name: /^Accounting/ }).check();
  await page.getByRole("button", { name: "Create subscription" }).click();
  await expect(
    page.getByRole("heading", { level: 1, name: "Negative amounts for the auditors" }),
  ).toBeVisible();
  await page.goto("/subscriptions");
  await expect(page.getByRole("link", { name: "Negative amounts for the auditors" })).toBeVisible();
});

test("a second contract begins from its table, and has its name", async () => {
  await page.goto("/data-sources/1");
  await page.getByRole("link", { name: "Contracts and findings by table" }).click();
  await page
    .getByRole("row", { name: /customers/ })
    .getByRole("link", { name: /^Write/ })
    .click();
  await expect(page.getByLabel("Name", { exact: true }).first()).toHaveValue("customers");
  await page.getByRole("button", { name: "Suggest rules" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Add all/ }).click();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Create and evaluate" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "customers" })).toBeVisible();
  await expect(page.getByText("Meets 80")).toBeVisible();
});

test("a third contract is of an empty table: suggestions say so, and a rule is added by hand", async () => {
  await page.goto("/data-sources/1");
  await page.getByRole("link", { name: "Contracts and findings by table" }).click();
  await page
    .getByRole("row", { name: /notes/ })
    .getByRole("link", { name: /^Write/ })
    .click();
  await page.getByRole("button", { name: "Suggest rules" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Add rules manually");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("menuitem", { name: /^Volume/ }).click();
  await page.getByLabel("At most").fill("10000");
  await stage("8-third-contract");
  await page.getByRole("button", { name: "Create and evaluate" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "notes" })).toBeVisible();
  await page.goto("/data-quality/contracts");
  for (const name of ["Orders of the shop", "customers", "notes"])
    await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
});

test("what breaks is an incident, which someone takes, and which is over once it is mended", async () => {
  await page.goto("/data-quality/contracts");
  await page.getByRole("link", { name: "customers", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "customers" })).toBeVisible();
  const contract = page.url();
  const evaluate = async (result: RegExp) => {
    await page.goto(contract);
    await page.getByRole("button", { name: "Evaluate now" }).first().click();
    await expect(page.getByText(result).first()).toBeVisible();
    await turnMinute(dataDir);
  };
  await shop`alter table customers rename to customers_moved`;
  await evaluate(/^Evaluated: 0/);
  const incident = page.getByRole("link", { name: /^customers: score 0/ });
  await expect(async () => {
    await page.goto("/incidents");
    await expect(incident).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await incident.click();
  await page.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByText("Acknowledged", { exact: true }).first()).toBeVisible();
  await stage("9-incident");
  const path = page.url();

  await shop`alter table customers_moved rename to customers`;
  await evaluate(/^Evaluated: 100/);
  await expect(async () => {
    await page.goto(path);
    await expect(page.getByText("Resolved", { exact: true }).first()).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await stage("10-solved");
  expect(violations).toEqual([]);
});
