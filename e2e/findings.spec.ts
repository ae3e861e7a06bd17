import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import postgres from "postgres";
import { shop } from "../server/findings/service/warehouse.fixture.ts";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { openAs } from "./enter.ts";
import { admin } from "./service.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** Someone connects a database without descriptions, reads what is wrong in it, and decides by keyboard. */
const url = sharedUrl;
const database = "e2e_findings";
const address = new URL(process.env.TEST_DATABASE_URL ?? "postgres://nowhere");
const viewer = {
  name: "Vito",
  email: "vito.findings@plumbline.example",
  password: "correct horse battery staple",
};

test.describe.configure({ mode: "serial" });

let api: Api;
let page: Page;
let project: number;
let source: number;

test.beforeAll(async ({ browser }) => {
  await onServer(`drop database if exists ${database} with (force)`, `create database ${database}`);
  await inShop(...shop((name) => name));
  api = await signIn(url);
  project = await create("/projects", { name: "Corner shop" });
  await create("/users", { ...viewer, role: "Viewer" });
  page = await signedIn(browser, admin);
});

test.afterAll(async () => {
  await page?.context().close();
  await onServer(`drop database if exists ${database} with (force)`);
});

async function statements(to: URL, sql: readonly string[]): Promise<void> {
  const server = postgres(to.href, { max: 1, onnotice: () => {} });
  for (const each of sql) await server.unsafe(each);
  await server.end();
}
const onServer = (...sql: string[]) => statements(address, sql);
const inShop = (...sql: string[]) => statements(new URL(`/${database}`, address), sql);

async function create(path: string, body: object): Promise<number> {
  const created = await api("POST", path, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return (created.body as { id: number }).id;
}

async function signedIn(browser: Browser, who: { email: string; password: string }): Promise<Page> {
  // axe requires a context created this way.
  const context = await browser.newContext({ baseURL: url, reducedMotion: "reduce" });
  const opened = await context.newPage();
  await openAs(opened, `${url}/control-tower`, who);
  return opened;
}

const list = (on = page): Locator => on.getByRole("region", { name: "Findings", exact: true });
const rows = (on = page): Locator => list(on).locator("tbody tr[data-finding]");
const rowOf = (text: string | RegExp, on = page): Locator => rows(on).filter({ hasText: text });
const fact = (label: string): Locator => page.locator(`dt:text-is("${label}") + dd`);
/** Opens the list and waits until it is interactive: keys pressed earlier have no effect. */
async function openList(query = "", on = page): Promise<void> {
  await on.goto(`/findings?source=${source}&project=${project}${query}`);
  await on.waitForLoadState("networkidle");
}

test("connecting a database opens the findings of its first scan, by table, worst first", async () => {
  await page.goto(`/data-sources/new?project=${project}`);
  await page.getByLabel("Name").fill("Till");
  await page.getByLabel("Host").fill(address.hostname);
  await page.getByLabel("Port").fill(address.port || "5432");
  await page.getByLabel("Database").fill(database);
  await page.getByLabel("User").fill(decodeURIComponent(address.username));
  await page.getByLabel("Password", { exact: true }).fill(decodeURIComponent(address.password));
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page).toHaveURL(/\/findings\?source=\d+/);
  source = Number(new URL(page.url()).searchParams.get("source"));

  await expect(rows()).toHaveCount(5);
  await expect(page.getByText("2 tables and 2,400 rows read")).toBeVisible();
  await expect(page.getByText("5 open")).toBeVisible();
  await expect(page.getByRole("button", { name: "Scan again" })).toBeEnabled();
  const tables = await list()
    .locator("th[scope=rowgroup] a")
    .filter({ hasNotText: "Teach" })
    .allTextContents();
  expect(tables).toEqual(["public.customers", "public.orders"]);
  await expect(rowOf("2 of 400").first()).toContainText("email");
});

test("a finding shows its extent and confidence, with rows whose suspicious cell is marked", async () => {
  const price = rowOf("48000");
  await expect(price).toContainText("1 of 2,000");
  await expect(price).toContainText(/(Likely|Very likely|Almost certain) \d\d/);
  await expect(price.locator("mark")).toHaveText(["48000.00 (in doubt)"]);
  const missing = rowOf("3 of 2,000");
  await expect(missing.locator("mark")).toHaveCount(3);
  await expectAccessible(page, { isOtherOnPhone: true });
});

test("filters are in the URL, and can be cleared", async () => {
  await page.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Out of range" }).click();
  await expect(rows()).toHaveCount(1);
  await expect(page).toHaveURL(/kind=OutOfRange/);
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Not a problem" }).click();
  await expect(page.getByText("No findings match these filters")).toBeVisible();
  await expect(page.getByText("2 tables and 2,400 rows read").first()).toBeVisible();
  await openList("&schema=public&table=customers");
  await expect(rows()).toHaveCount(2);
  await expect(page.getByRole("combobox", { name: "Table", exact: true })).toContainText("customers");
});

test("j, Enter, and a turn a finding into a rule of a new contract", async () => {
  await openList();
  await expect(rows()).toHaveCount(5);
  await page.keyboard.press("j");
  await expect(rows().first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(rows().nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/findings\/\d+/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("email");
  await expect(fact("Rows in doubt")).toHaveText("2 of 400 (0.50\u00a0%)");
  const sample = page.getByRole("region", { name: "Rows in doubt of customers" });
  await expect(sample.locator("tbody tr")).toHaveCount(2);
  await expect(sample.getByRole("columnheader", { name: "email" })).toContainText("in doubt");
  await expectAccessible(page);

  const dialog = page.getByRole("dialog", { name: "Make it a rule" });
  await page.keyboard.press("a");
  await expect(dialog).toContainText("A new one is created");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create contract" }).click();
  await expect(fact("Status")).toContainText("Made a rule");
  await fact("Status").getByRole("link", { name: "Open contract" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("public.customers");
  await expect(page.getByText("No missing values: email").first()).toBeVisible();
});

test("d in the list dismisses a finding as not a problem, with a reason", async () => {
  await openList();
  await expect(rows()).toHaveCount(4);
  const variant = rowOf("germany");
  const dialog = page.getByRole("dialog", { name: "Not a problem" });
  await variant.focus();
  await page.keyboard.press("d");
  await dialog.getByLabel("Reason").fill("A trading name");
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toBeHidden();
  await expect(rows()).toHaveCount(3);
  await openList("&status=Dismissed");
  await expect(rowOf("germany")).toContainText("A trading name");
});

test("an outlier is shown beside the usual values, and its SQL opens in the query editor", async () => {
  await openList();
  await rowOf("48000").getByRole("link").click();
  await expect(page.getByRole("img", { name: /^Usual values of price lie between/ })).toBeVisible();
  await expect(page.getByRole("img", { name: /In doubt: 48000.00 in 1 row/ })).toBeVisible();
  await page.getByRole("button", { name: "Why these rows?" }).click();
  const why = page.getByRole("region", { name: "Why these rows" });
  await expect(why).toContainText("Too few rows fail to tell what they have in common.");
  await page.getByRole("link", { name: "Open in the query editor" }).click();
  await expect(page.getByRole("heading", { name: "New query", level: 1 })).toBeVisible();
  await expect(page.locator(".cm-content").first()).toContainText(`from "public"."orders" as doubted`);
});

test("the table's page and the contract editor show open findings, and one becomes a rule there", async () => {
  await page.goto(`/catalog/${source}/public/orders`);
  const open = page.getByRole("list", { name: "Open findings" });
  await expect(open.getByRole("listitem")).toHaveCount(3);
  await page.goto(
    `/data-quality/contracts/new?source=${source}&schema=public&table=orders&project=${project}`,
  );
  await page.getByLabel("Name").first().fill("Orders: nightly");
  const price = open.getByRole("listitem").filter({ hasText: "48,000.00" });
  await price.getByRole("button", { name: /^Add rule/ }).click();
  await expect(price.getByRole("button", { name: /^Added/ })).toBeVisible();
  await page.getByRole("button", { name: "Create contract" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Orders: nightly");
  await openList("&status=Accepted");
  await expect(rows()).toHaveCount(2);
});

test("a Viewer can read findings, but not decide or scan", async ({ browser }) => {
  const watching = await signedIn(browser, viewer);
  await openList("", watching);
  await expect(rows(watching)).toHaveCount(2);
  for (const name of [/^Scan/, /^Actions for/])
    await expect(watching.getByRole("button", { name })).toHaveCount(0);
  await expect(watching.getByRole("link", { name: /^Teach/ })).toHaveCount(0);
  await rows(watching).first().focus();
  await watching.keyboard.press("d");
  await watching.keyboard.press("Enter");
  await expect(watching).toHaveURL(/\/findings\/\d+/);
  for (const name of ["Not a problem", "Why these rows?"])
    await expect(watching.getByRole("button", { name })).toHaveCount(0);
  await watching.context().close();
});

test("Teach asks about cells, one key for each answer, and finds what is wrong in too many rows", async () => {
  await inShop(
    `create table parcels (id int primary key, weight text, town text, email text)`,
    `insert into parcels
     select n, case when n % 3 = 0 then n % 40 || '.5 kg' else n % 37 || '.5' end,
       (array['Bremen', 'Kiel', 'Ulm'])[1 + n % 3], case when n not in (7, 8) then 'p' || n || '@shop.example' end
     from generate_series(1, 600) as n`,
  );
  await openList();
  await page.getByRole("button", { name: "Scan again" }).click();
  await page.getByRole("link", { name: "Teach public.parcels" }).click();
  const answered = (count: number) => page.getByText(`${count} of at most 20 questions answered`);
  const question = page.getByRole("heading", { name: /^Is this .+ right\?$/ });
  await expect(question).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expectAccessible(page, { isOtherOnPhone: true });

  await page.keyboard.press("u");
  await expect(answered(1)).toBeVisible();
  await page.keyboard.press("z");
  await expect(answered(0)).toBeVisible();
  const row = page.getByRole("region", { name: /^The row with the/ });
  for (let count = 1; count <= 20 && (await question.isVisible()); count++) {
    const columns = await row.getByRole("columnheader").allTextContents();
    const place = columns.findIndex((name) => name.includes("in doubt"));
    const value = await row.getByRole("cell").nth(place).textContent();
    await page.keyboard.press(value?.endsWith("kg") ? "w" : "r");
    await expect(answered(count)).toBeVisible();
    // The next question is there, or none is left.
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Judge findings again" }).click();
  const found = page.getByRole("list", { name: "New" }).getByRole("listitem");
  await expect(found).toHaveCount(1);
  await expect(found).toContainText("200 of 600 rows of parcels: weight");
  await expect(found).toContainText("Found by Teach");
  await expectAccessible(page);
  await inShop("drop table parcels");
});

test("what is fixed is gone after the next scan, and an empty list says what was scanned", async () => {
  await inShop(
    "update orders set customer_id = 3 where id in (101, 707, 1303)",
    "update orders set order_no = 'ORD-101500' where id = 1500",
  );
  await openList();
  await page.getByRole("button", { name: "Scan again" }).click();
  await expect(page.getByText("Nothing looks wrong")).toBeVisible();
  await expect(page.getByText("2 tables and 2,400 rows read").first()).toBeVisible();
  await expectAccessible(page);
});
