import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import postgres from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** The demo's tables are looked up, described by keyboard, and read by assistants; and so are unusual names. */
const dataDir = join(scratch, "catalog");
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_catalog";
const odd = '100% "odd" of/it | #1?';
const viewer = { name: "Vera", email: "vera@plumbline.example", password: "correct horse battery staple" };
test.describe.configure({ mode: "serial" });

let service: Service;
let api: Api;
let page: Page;
let oddSource: number;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir, "demo");
  await onServer(`drop database if exists ${database} with (force)`, `create database ${database}`);
  const shop = postgres(oddUrl().href, { max: 1, onnotice: () => {} });
  const quoted = `"${odd.replaceAll('"', '""')}"`;
  await shop.unsafe(`create table ${quoted} (id int primary key, "the column" text);
    create table lines (id int primary key, part_of int references lines (id), of int references ${quoted} (id));
    insert into ${quoted} select n, case when n <= 90 then 'north' when n <= 99 then 'south' else 'nroth' end
      from generate_series(1, 100) n`);
  await shop.end();
  service = await startService(dataDir, { DEMO: "on" });
  api = await signIn(service.url);
  const { hostname, port, username, password } = oddUrl();
  const projectId = await create("/projects", { name: "Odd names" });
  oddSource = await create("/data-sources", {
    ...{ projectId, name: "Odd shop", kind: "PostgreSql" },
    connection: {
      ...{ host: hostname, port: Number(port || 5432), database, ssl: false },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  await create("/users", { ...viewer, role: "Viewer" });
  const { items } = (await api("GET", "/data-quality/contracts")).body as {
    items: { id: number; tableName: string }[];
  };
  const airports = items.find(({ tableName }) => tableName === "airports")?.id;
  for (let n = 0; n < 3; n++)
    expect((await api("POST", `/data-quality/contracts/${airports}/evaluate`)).status).toBe(200);
  page = await signedIn(browser);
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
  await onServer(`drop database if exists ${database} with (force)`);
});

async function onServer(...statements: string[]): Promise<void> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  for (const statement of statements) await server.unsafe(statement);
  await server.end();
}

function oddUrl(): URL {
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  return address;
}

async function create(path: string, body: object): Promise<number> {
  const created = await api("POST", path, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return (created.body as { id: number }).id;
}

async function signedIn(
  browser: Browser,
  look: object = {},
  { email, password } = admin as Pick<typeof admin, "email" | "password">,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.url, acceptDownloads: true, ...look });
  const opened = await context.newPage();
  await openAs(opened, `${service.url}/control-tower`, { email, password });
  await expect(opened).toHaveURL(/\/control-tower/);
  return opened;
}

const rowsOf = (label: string, on = page): Locator =>
  on.getByRole("region", { name: label, exact: true }).locator("tbody tr");
const columnRow = (name: string, on = page): Locator => on.locator(`[id="column-${name}"]`);

/** Opens a page and waits until it is interactive: keys pressed earlier have no effect. */
async function open(address: string, on = page): Promise<void> {
  await on.goto(address);
  await on.waitForLoadState("networkidle");
}

async function downloaded(): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Markdown" }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("the catalog lists every table, and filters narrow the list", async () => {
  await open("/control-tower");
  await page.getByRole("link", { name: "Catalog", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Catalog" })).toBeVisible();
  await expect(rowsOf("Data sources")).toHaveCount(2);
  // Nobody has opened the other one yet.
  await expect(rowsOf("Data sources").filter({ hasText: "Odd shop" })).toContainText("not yet");
  await expect(rowsOf("Tables")).toHaveCount(7);

  await page.keyboard.press("/");
  await page.keyboard.type("identifier");
  await expect(rowsOf("Tables")).toHaveCount(1);
  await expect(rowsOf("Tables")).toContainText("airports");
  await expect(page).toHaveURL(/q=identifier/);
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Contracts" }).click();
  await page.getByRole("option", { name: "Without a contract" }).click();
  await expect(rowsOf("Tables")).toHaveCount(2);
  await expect(page).toHaveURL(/watched=no/);
  await page.reload({ waitUntil: "networkidle" });
  await expect(rowsOf("Tables")).toContainText([/flights/, /us_states/]);
  await open("/catalog?sort=score");
  await expect(rowsOf("Tables").first()).toContainText("bird_strikes");
  await open("/catalog?kind=View");
  await expect(page.getByText("No tables match these filters")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rowsOf("Tables")).toHaveCount(7);
});

test("the keyboard moves through rows, and Enter opens a table", async () => {
  await open("/catalog?q=public.airports");
  await expect(rowsOf("Tables")).toHaveCount(1);
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(rowsOf("Tables").first()).toBeFocused({ timeout: 5000 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/catalog\/1\/public\/airports$/);
  await expect(page.getByRole("heading", { level: 1, name: "public.airports" })).toBeVisible();
});

test("a table shows its columns, its quality, and the queries that use it", async () => {
  const iata = columnRow("iata");
  await expect(iata).toContainText("primary key");
  await expect(iata).toContainText("FAA identifiers");
  await expect(iata.getByRole("link", { name: "One row per code" }).first()).toHaveAttribute(
    "href",
    /\/data-quality\/contracts\/\d+/,
  );
  await expect(page.getByText("Rules on the whole table")).toBeVisible();
  await expect(page.getByText(/The last \d+ evaluations/)).toBeVisible();

  const readers = rowsOf("Queries that read the table");
  await expect(readers.filter({ hasText: "Delays by airport name" })).toContainText("Every day at 07:00");
  await expect(readers.filter({ hasText: "Airports listed twice" })).toContainText(/Healthy|Critical/);
  await readers.getByRole("link", { name: "Airports listed twice" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Airports listed twice");
  await page.goBack();
  await page.getByRole("list", { name: "Contracts" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/data-quality\/contracts\/\d+$/);
});

test("a description is written by keyboard and appears wherever the table is described", async () => {
  await open("/catalog/1/public/flights#column-origin");
  await expect(columnRow("origin")).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Describe flights" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Flights that were **flown**");
  await page.keyboard.press("Enter");
  await page.keyboard.type("and none that were cancelled");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("button", { name: "Change the description of flights" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Description" })).toContainText(
    "and none that were cancelled",
  );

  // The keyboard starts where the URL leads.
  await page.keyboard.press("j");
  await expect(columnRow("origin")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Not this");
  await page.keyboard.press("Escape");
  await expect(columnRow("origin")).not.toContainText("Not this");
  await expect(columnRow("origin").getByRole("button", { name: "Describe origin" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Where it took off");
  await page.keyboard.press("Control+Enter");
  await expect(
    columnRow("origin").getByRole("button", { name: "Change the description of origin" }),
  ).toBeFocused();
  await page.reload({ waitUntil: "networkidle" });
  await expect(columnRow("origin")).toContainText("Where it took off");

  const file = await downloaded();
  expect(file.name).toBe("demo-warehouse-public-flights.md");
  expect(file.text).toContain("Flights that were \\*\\*flown\\*\\*\n\nand none that were cancelled");
  expect(file.text).toContain("Where it took off");
  await open("/catalog/1");
  expect((await downloaded()).text).toContain("Where it took off");
  await open("/catalog?project=1");
  const whole = await downloaded();
  expect(whole.text).toContain("Where it took off");
  expect(whole.text).not.toContain("Odd shop");

  const { body } = await api("GET", "/data-sources/1/documentation?tableName=flights");
  expect((body as { markdown: string }).markdown).toContain("Where it took off");
  const read = await asAssistant();
  expect(await read("documentation")).toContain("Where it took off");
  expect(await read("report")).toContain("`public`.`airports`");
});

async function asAssistant(): Promise<(name: string) => Promise<string>> {
  const { body } = await api("POST", "/api-keys", { name: "Assistant", scopes: ["Read"] });
  const { rawKey } = body as { rawKey: string };
  const client = new Client({ name: "journey", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/svc/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${rawKey}` } },
    }) as Transport,
  );
  return async (name) => {
    const { contents } = await client.readResource({ uri: `svc://project/1/${name}` });
    return contents.map((content) => ("text" in content ? content.text : "")).join("\n");
  };
}

test("someone else's newer description is shown, and not overwritten without asking", async () => {
  await open("/catalog/1/public/flights");
  await page.getByRole("button", { name: "Change the description of flights" }).click();
  const field = page.getByRole("textbox", { name: "Description of flights" });
  await field.fill("Mine");
  const theirs = { schemaName: "public", tableName: "flights", description: "Theirs" };
  expect((await api("PUT", "/data-sources/1/descriptions", theirs)).status).toBe(200);
  await field.press("Control+Enter");
  const alert = page.getByRole("region", { name: "Description" }).getByRole("alert");
  await expect(alert).toContainText("Someone else has changed this description");
  await expect(alert).toContainText("says: “Theirs”");
  await alert.getByRole("button", { name: "Keep mine" }).click();
  await field.press("Control+Enter");
  await expect(page.getByRole("button", { name: "Change the description of flights" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Description" })).toContainText("Mine");
  // An empty one removes it.
  await page.getByRole("button", { name: "Change the description of flights" }).click();
  await field.fill("");
  await field.press("Control+Enter");
  await expect(page.getByRole("button", { name: "Describe flights" })).toBeVisible();
});

test("contracts and queries can be created from the table", async () => {
  await open("/catalog/1/public/flights");
  await page.getByRole("link", { name: "New query" }).click();
  await expect(page.locator(".cm-content")).toContainText("from public.flights");
  await open("/catalog/1/public/flights");
  await page.getByRole("link", { name: "New contract" }).click();
  await expect(page).toHaveURL(/contracts\/new\?source=1&schema=public&table=flights/);
  await expect(page.getByRole("combobox", { name: "Table" })).toContainText("flights");
});

test("a table's values are profiled on request, here and next to a rule", async () => {
  await open(`/catalog/${oddSource}/public/${encodeURIComponent(odd)}`);
  const profile = page.getByRole("button", { name: "Profile the columns" });
  await profile.click();
  const values = rowsOf(`Values of ${odd}`);
  // 100 rows: 90 north, 9 south, 1 nroth, and ids from 1 to 100.
  const [id, words] = [values.filter({ hasText: /^id/ }), values.filter({ hasText: "the column" })];
  await expect(id).toContainText("1 to 100");
  await expect(words).toContainText("north, south");
  await expect(words).toContainText("1 rare value");
  await words.getByRole("button").click();
  await expect(page.getByRole("list", { name: "Rare values" })).toHaveText(/nroth1 row, 1.0\s%/);
  await expect(page.getByRole("list", { name: "Common values" })).toContainText(/north90 rows, 90.0\s%/);
  await expectAccessible(page);

  const start = new URLSearchParams({ source: String(oddSource), schema: "public", table: odd });
  await open(`/data-quality/contracts/new?${start}`);
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("menuitem", { name: /^Range/ }).click();
  await page.getByRole("combobox", { name: "Column" }).click();
  await page.getByRole("option", { name: /^id/ }).click();
  await page.getByRole("button", { name: "Show what it holds" }).click();
  await expect(page.getByRole("region", { name: "Values of id" })).toContainText("From 1 to 100, median 50");
});

test("the first visit reads a data source's schema; names with any characters have pages", async () => {
  await open(`/catalog/${oddSource}`);
  await expect(rowsOf("Tables")).toHaveCount(2);
  await rowsOf("Tables")
    .getByRole("link", { name: `public.${odd}`, exact: true })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: odd })).toBeVisible();
  await page.reload({ waitUntil: "networkidle" });
  await expect(page.getByRole("heading", { level: 1, name: odd })).toBeVisible();
  await page.getByRole("link", { name: "public.lines.of" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "public.lines" })).toBeVisible();
  await columnRow("of")
    .getByRole("link", { name: /refers to/ })
    .click();
  await expect(columnRow("id")).toHaveAttribute("aria-selected", "true");
  await open(`/catalog/${oddSource}/public/${encodeURIComponent(odd)}#column-the%20column`);
  await expect(columnRow("the column")).toHaveAttribute("aria-selected", "true");

  await open(`/catalog/${oddSource}`);
  await page.getByRole("button", { name: "Refresh schema" }).click();
  await expect(page.getByText("Read the schema: 2 tables")).toBeVisible();
  for (const nowhere of [`/catalog/${oddSource}/public/nothing`, "/catalog/2000000000"]) {
    await page.goto(nowhere);
    await expect(page.getByRole("heading", { level: 1, name: "Not found" })).toBeVisible();
  }
});

test("a Viewer can read everything and is offered no changes", async ({ browser }) => {
  const watching = await signedIn(browser, {}, viewer);
  await open("/catalog/1/public/flights", watching);
  await expect(columnRow("origin", watching)).toContainText("Where it took off");
  await expect(watching.getByRole("button", { name: /^(Describe|Change)/ })).toHaveCount(0);
  for (const name of ["New contract", "New query"])
    await expect(watching.getByRole("link", { name })).toHaveCount(0);
  await expect(watching.getByRole("button", { name: "Profile the columns" })).toHaveCount(0);
  await columnRow("origin", watching).focus();
  await watching.keyboard.press("Enter");
  await expect(watching.getByRole("textbox", { name: /^Description/ })).toHaveCount(0);
  await open("/catalog/1", watching);
  await expect(rowsOf("Tables", watching)).toHaveCount(7);
  await expect(watching.getByRole("button", { name: "Refresh schema" })).toHaveCount(0);
  const empty = await create("/projects", { name: "Empty" });
  await open(`/catalog?project=${empty}`, watching);
  await expect(watching.getByText("Nothing to browse yet")).toBeVisible();
  await expect(watching.getByRole("link", { name: "Connect a data source" })).toHaveCount(0);
  await watching.context().close();
});

// everybody.spec.ts covers all pages in their initial state.
test("open forms and names with any characters are accessible", async ({ browser }) => {
  const shown = await signedIn(browser, {});
  for (const address of [
    "/catalog/1/public/airports#column-state",
    `/catalog/${oddSource}/public/${encodeURIComponent(odd)}`,
  ]) {
    await open(address, shown);
    await expect(shown.getByRole("row").first()).toBeVisible();
    if (address.endsWith("state")) await shown.getByRole("button", { name: "Describe airports" }).click();
    await expectAccessible(shown, { isOtherOnPhone: true });
  }
  await shown.context().close();
});
