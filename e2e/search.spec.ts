import { expect, type Page } from "@playwright/test";
import postgres from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { enter } from "./enter.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** Someone finds things by keyboard alone, even with typos. */
const url = sharedUrl;
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_search";

test.describe.configure({ mode: "serial" });

let api: Api;
let page: Page;
let ids: { project: number; source: number; query: number; contract: number };

test.beforeAll(async ({ browser }) => {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`drop database if exists ${database} with (force)`);
  await server.unsafe(`create database ${database}`);
  await server.end();
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  const harbour = postgres(address.href, { max: 1, onnotice: () => {} });
  await harbour.unsafe(`
    create table harbour_berths (id integer primary key, "longestVessel" integer);
    comment on table harbour_berths is 'Where ships lie';
    insert into harbour_berths select n, 100 from generate_series(1, 5) n;`);
  await harbour.end();

  api = await signIn(url);
  const project = await create("/projects", { name: "Harbour" });
  const { hostname, port, username, password } = address;
  const source = await create("/data-sources", {
    projectId: project,
    name: "Harbour office",
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
  await api("GET", `/data-sources/${source}/schema`);
  const contract = await create("/data-quality/contracts", {
    name: "Berths: nightly",
    dataSourceId: source,
    tableName: "harbour_berths",
    cronExpression: "0 6 * * *",
    rules: [{ name: "Some", type: "Volume", configuration: { minRows: 1 } }],
  });
  await api("POST", `/data-quality/contracts/${contract}/evaluate`);
  const query = await create("/queries", {
    projectId: project,
    name: "Berths that are free",
    steps: [{ dataSourceId: source, sql: "select 1 as one" }],
  });
  ids = { project, source, query, contract };
  page = await (await browser.newContext()).newPage();
});

test.afterAll(async () => {
  await page.context().close();
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`drop database if exists ${database} with (force)`);
  await server.end();
});

async function create(path: string, body: object): Promise<number> {
  const answer = await api("POST", path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.body as { id: number }).id;
}

const input = () => page.getByRole("combobox", { name: "Go anywhere" });
const group = (name: string) => page.getByRole("listbox", { name: "Found" }).getByRole("group", { name });

async function open(text = ""): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(input()).toBeFocused();
  if (text) await page.keyboard.type(text);
}

test("signing in", async () => {
  await enter(page, "/control-tower");
  await expect(page.getByRole("heading", { name: "Control Tower", level: 1 })).toBeVisible();
});

test("a table is found by a misspelled name, with its quality, and opened with Enter", async () => {
  await open("harbuor");
  const table = group("Tables").getByRole("option", { name: /harbour_berths/ });
  await expect(table).toContainText("Healthy");
  await expect(table).toContainText("100.00");
  await expect(table).toContainText("Harbour office / public");
  await expect(table).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/catalog/${ids.source}/public/harbour_berths$`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("harbour_berths");
});

test("it works in light and dark, on a phone, and for screen readers", async () => {
  await open("berths");
  await expect(group("Queries").getByRole("option", { name: /Berths that are free/ })).toBeVisible();
  await expect(group("Contracts").getByRole("option", { name: /Berths: nightly/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(input()).toBeHidden();
});

test("arrow keys move through all groups and wrap around, and the input announces the position", async () => {
  await open("berths");
  await expect(group("Contracts").getByRole("option")).toHaveCount(1);
  const options = page.getByRole("option");
  const count = await options.count();
  const active = async () => {
    const id = await input().getAttribute("aria-activedescendant");
    const chosen = page.locator('[role="option"][aria-selected="true"]');
    await expect(chosen).toHaveCount(1);
    expect(await chosen.getAttribute("id")).toBe(id);
    return chosen.textContent();
  };
  const first = await active();
  for (let step = 1; step < count; step++) await page.keyboard.press("ArrowDown");
  expect(await active()).toBe(await options.last().textContent());
  await page.keyboard.press("ArrowDown");
  expect(await active()).toBe(first);
  await page.keyboard.press("ArrowUp");
  expect(await active()).toBe(await options.last().textContent());
  await page.keyboard.press("Escape");
});

test("columns, queries, and contracts open their pages, even if Enter comes early", async () => {
  await open("longest_vessle");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/harbour_berths#column-longestVessel$/);
  await open("berths that");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/queries/${ids.query}$`));
  await open("nightly berth");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/data-quality/contracts/${ids.contract}$`));
});

test("recent searches are listed, and a new query is found right away", async () => {
  await create("/queries", {
    projectId: ids.project,
    name: "Tugs on duty",
    steps: [{ dataSourceId: ids.source, sql: "select 1 as one" }],
  });
  await open();
  await expect(group("Recent searches").getByRole("option")).toHaveText([
    ...["nightly berth", "berths that", "longest_vessle", "harbuor"],
  ]);
  await group("Recent searches").getByRole("option", { name: "nightly berth" }).click();
  await expect(input()).toHaveValue("nightly berth");
  await expect(group("Contracts").getByRole("option")).toHaveCount(1);
  await input().fill("tugs");
  await expect(group("Queries").getByRole("option", { name: /Tugs on duty/ })).toBeVisible();
  await input().fill("zyxwvut");
  await expect(page.getByText("No results")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("what is starred comes first, then what was opened lately", async () => {
  await page.goto(`/queries/${ids.query}`);
  const star = page.getByRole("button", { name: "Favorite" });
  await expect(star).toBeEnabled();
  await star.click();
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await page.goto(`/data-quality/contracts/${ids.contract}`);
  await expect(star).toHaveAttribute("aria-pressed", "false");
  await open();
  await expect(group("Favorites").getByRole("option")).toHaveText([/Berths that/i]);
  await expect(group("Recent").getByRole("option").first()).toHaveText(/^Berths: nightly/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/queries/${ids.query}$`));
  await star.click();
  await expect(star).toHaveAttribute("aria-pressed", "false");
});

test("pages and create actions are found by name", async () => {
  await open("new que");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/queries\/new$/);
  await page.goto("/control-tower");
  await page.getByRole("button", { name: "Go anywhere" }).click();
  await expect(input()).toBeFocused();
  await page.keyboard.type("recip");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/recipients$/);
});
