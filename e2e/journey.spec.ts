import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { smallPicture } from "../scripts/small-picture.ts";
import { aMailServer, type ReceivedMail } from "../server/test/mail-server.ts";
import { prepareFolder } from "./data-folders.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/**
 * The whole product as a team uses it, in one run and only through pages: an empty service is set up, a database is
 * connected, an AI actor proposes what to watch, a person approves it, the data breaks, an email says so, and its link
 * leads to the task. `JOURNEY_PICTURES=<folder>` saves a screenshot of each stage.
 */
const dataDir = join(scratch, "journey");
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_journey";
const pictures = process.env.JOURNEY_PICTURES;
const ada = { name: "Ada Lovelace", email: "ada@example.com", password: "analytical engine" };

let shop: Sql;
let mailServer: Awaited<ReturnType<typeof aMailServer>>;
let service: Service;
let page: Page;

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
      select n, n % 200 + 1, n % 90 + 10, now() - make_interval(mins => n * 20) from generate_series(1, 3000) n;
    analyze;
  `);
  mailServer = await aMailServer();
  service = await startService(dataDir, {
    ...{ ADMIN_EMAIL: "", ADMIN_PASSWORD: "" },
    // The figures are requested before there is anything to count, and again soon after.
    STATISTICS_CACHE_S: "0",
    ...{ SMTP_URL: mailServer.url, MAIL_FROM: "Plumbline <alerts@example.com>" },
  });
  const context = await browser.newContext({
    ...{ baseURL: service.url, viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" },
  });
  page = await context.newPage();
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

/** Ends a stage, and saves its screenshot if requested. */
async function stage(name: string, of = page): Promise<void> {
  if (!pictures) return;
  await of.waitForLoadState("networkidle");
  await of.mouse.move(1279, 799);
  const shown = await of.screenshot({ animations: "disabled", caret: "hide" });
  writeFileSync(join(pictures, `journey-${name}.png`), await smallPicture(name, shown));
}

/** The same for an email, as a mail client shows it. */
async function stageOfMail(name: string, html: string): Promise<void> {
  const reader = await page.context().newPage();
  await reader.setContent(html);
  await stage(name, reader);
  await reader.close();
}

const link = (name: string | RegExp) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });

const sent = (): ReceivedMail[] =>
  mailServer.mails.filter(({ mail }) => !mail.subject?.startsWith("Test message"));
/** Those to whoever decides about plans are not about the data. */
const alerts = (): ReceivedMail[] => sent().filter(({ to }) => !to.includes(ada.email));

test("from an empty service to an alert in a mailbox", async () => {
  await test.step("the first user sets it up", async () => {
    await page.goto("/");
    await expect(page).toHaveURL(/\/setup$/);
    await page.getByLabel("Your name").fill(ada.name);
    await page.getByLabel("Email").fill(ada.email);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await stage("1-set-up");
    await page.getByRole("button", { name: /create|set up/i }).click();
    await expect(page).toHaveURL(/\/home/);
    await expect(page.getByRole("button", { name: /Ada Lovelace/ })).toContainText("Admin");
  });

  await test.step("a project, a data source, and a recipient", async () => {
    await link("Projects").click();
    await page.getByRole("button", { name: "New project" }).first().click();
    await page.getByLabel("Name").fill("Shop");
    await page.getByRole("button", { name: "Create project" }).click();
    await expect(page.getByRole("row", { name: /Shop/ })).toBeVisible();

    await link("Data sources").click();
    await page
      .getByRole("link", { name: /Connect a/ })
      .first()
      .click();
    const { hostname, port, username, password } = address();
    await page.getByLabel("Name").fill("Shop database");
    await page.getByLabel("Host").fill(hostname);
    await page.getByLabel("Port").fill(port || "5432");
    await page.getByLabel("Database").fill(database);
    await page.getByLabel("User").fill(decodeURIComponent(username));
    await page
      .getByLabel("Password", { exact: true })
      .fill(decodeURIComponent(password) || "none is asked for");
    await page.getByRole("checkbox", { name: /^Encrypt the connection/ }).uncheck();
    await page.getByRole("button", { name: "Test connection" }).click();
    await expect(page.getByText(/PostgreSQL 1\d/).first()).toBeVisible();
    await stage("2-connect");
    await page.getByRole("button", { name: /^(Connect|Save|Create)/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Findings" })).toBeVisible();
    await expect(page.getByText("rows read").first()).toBeVisible();

    await link("Recipients").click();
    await page.getByRole("button", { name: "New recipient" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Shop keepers");
    await dialog.getByLabel(/address|Email/i).fill("shop-keepers@example.com");
    await dialog.getByRole("button", { name: "Create recipient" }).click();
    await expect(page.getByRole("row", { name: /Shop keepers/ })).toBeVisible();
  });

  await test.step("an AI actor looks around and proposes a plan", async () => {
    await link(/^AI actors/).click();
    await page.getByRole("link", { name: "New actor" }).first().click();
    await page.getByLabel("Name").fill("Watch over the orders");
    await page
      .getByLabel("Instructions")
      .fill("Watch that the orders refer to customers that exist, and that orders keep arriving.");
    await page.getByRole("checkbox", { name: /^Shop keepers/ }).check();
    await page.getByRole("button", { name: "Create actor" }).click();
    const inbox = page.getByRole("region", { name: "Plans waiting for a decision" });
    await expect(inbox).toContainText("A plan is waiting for a decision", { timeout: 60_000 });
    await inbox.getByRole("link").first().click();
  });

  await test.step("a person reviews the plan with its evidence and approves it", async () => {
    await expect(page.getByRole("heading", { level: 1, name: "Initial setup" })).toBeVisible();
    await page
      .getByRole("list", { name: "Actions" })
      .getByRole("button", { name: /Create query.*customer/i })
      .first()
      .click();
    const evidence = page.getByRole("region", { name: "Evidence" });
    for (const gate of ["Only reads: passed", "Explained by the engine: passed", "Ran: passed"])
      await expect(evidence.getByRole("listitem").filter({ hasText: gate })).toHaveCount(1);
    await stage("3-plan");
    const decision = page.getByRole("region", { name: "Decision" });
    await decision.getByRole("button", { name: "Approve" }).click();
    await page.getByLabel("Comment on the approval").fill("Well seen");
    await page.keyboard.press("Control+Enter");
    await expect(decision).toContainText("Executed", { timeout: 60_000 });
  });

  const panel = page.getByRole("complementary", { name: "Orders with an unknown customer" });
  await test.step("its subscription is in Control Tower, and healthy", async () => {
    await link("Control Tower").click();
    const row = page.getByRole("row", { name: /Orders with an unknown customer/ });
    await expect(row.getByTitle("The AI actor Watch over the orders watches over it")).toBeVisible();
    await row.getByText("Orders with an unknown customer").click();
    await panel.getByRole("button", { name: "Run now" }).click();
    await expect(panel).toContainText("Nothing found");
    await expect(page.getByRole("button", { name: /^Total/ })).toContainText("6");
    expect(alerts()).toEqual([]);
    expect(sent().map(({ to, mail }) => [to, mail.subject])).toEqual([
      [[ada.email], "A plan waits for your decision: Watch over the orders"],
    ]);
    await stage("4-control-tower");
  });

  await test.step("the data breaks, and an email reports it", async () => {
    await shop.unsafe("insert into orders values (9001, 777, 12, now()), (9002, 778, 12, now())");
    await panel.getByRole("button", { name: "Run now" }).click();
    await expect.poll(() => alerts().length).toBe(1);
    const [alert] = alerts();
    expect(alert?.to).toEqual(["shop-keepers@example.com"]);
    expect(alert?.mail.subject).toContain("Orders with an unknown customer");
    expect(alert?.mail.text).toContain("777");
    await stageOfMail("5-alert", alert?.mail.html ?? "");
  });

  await test.step("its link opens what was found", async () => {
    const [, found] = /(http:\/\/localhost:\d+\/\S+)/.exec(alerts()[0]?.mail.text ?? "") ?? [];
    expect(found).toBeDefined();
    await page.goto(found ?? "/");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(/customer/i);
    await stage("6-found");
  });
});
