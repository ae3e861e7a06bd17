import { expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { type DatabaseProxy, databaseProxy } from "../server/test/database-proxy.ts";
import { type Api, signIn } from "./api.ts";
import { openAs } from "./enter.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** What pages show while something is unreachable: first a data source, then the service itself. */
const url = sharedUrl;
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_outage";
/** Right-to-left, with a character that reverses the text after it. */
const returns = "החזרות \u202e2026";

test.describe.configure({ mode: "serial" });

let shop: Sql;
let proxy: DatabaseProxy;
let api: Api;
let page: Page;
let contractId: number;
let dataSourceId: number;

test.beforeAll(async ({ browser }) => {
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${database} with (force)`);
    await server.unsafe(`create database ${database}`);
  });
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  shop = postgres(address.href, { max: 1, onnotice: () => {} });
  await shop.unsafe(`
    create table parcels (parcel_identifier_number integer primary key, created_at timestamptz, created_by text,
      note text);
    comment on column parcels.note is '${"What the carrier said of it, in as many words as it took. ".repeat(12)}';
    insert into parcels values (1, now()), (2, now()), (3, now());
    create table "${returns}" (id integer);
    analyze`);
  proxy = await databaseProxy(address.href);

  api = await signIn(url);
  const projectId = await create("/projects", { name: "Parcels" });
  dataSourceId = await create("/data-sources", {
    ...{ projectId, name: "Parcel database", kind: "PostgreSql" },
    connection: {
      ...{ host: "127.0.0.1", port: Number(new URL(proxy.url).port), database, ssl: false },
      user: decodeURIComponent(address.username),
      password: decodeURIComponent(address.password),
    },
  });
  expect((await api("POST", `/data-sources/${dataSourceId}/refresh-schema`)).status).toBe(200);
  const contract = (name: string, tableName: string, minRows: number) =>
    create("/data-quality/contracts", {
      ...{ name, dataSourceId, tableName, cronExpression: "0 6 * * *" },
      rules: [
        { name: "Enough", type: "Volume", configuration: { minRows } },
        { name: "Any", type: "Volume", configuration: { minRows: 0 } },
      ],
    });
  contractId = await contract("Parcels: daily", "parcels", 1);
  await evaluated(contractId, 100);
  // Half of the rules fail: 50.
  await evaluated(await contract("Sent-back parcels", returns, 1), 50);

  page = await (await browser.newContext({ baseURL: url })).newPage();
  await openAs(page, `${url}/data-quality`);
  await expect(page.getByRole("heading", { name: "Data quality", level: 1 })).toBeVisible();
});

test.afterAll(async () => {
  await page.context().close();
  await shop.end();
  await proxy.close();
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

async function evaluated(id: number, overallScore: number): Promise<void> {
  const { body } = await api("POST", `/data-quality/contracts/${id}/evaluate`);
  expect(body).toMatchObject({ overallScore });
}

const row = (name: string) => page.getByRole("row").filter({ hasText: name });

test("a score below its threshold has the same wording everywhere, and a source counts as its worst table", async () => {
  await page.goto("/data-quality/contracts");
  await expect(row("Sent-back parcels")).toContainText("Below 80");
  await page.goto("/data-quality?q=2026");
  await expect(row(returns)).toContainText("Below 80");
  await expect(page.getByText("1 of 2 below 80")).toBeVisible();
  await page.goto("/catalog");
  await expect(row("Parcel database").first()).toContainText("1 of 2 below 80");
});

test("a right-to-left name does not reorder the text around it", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/data-quality/contracts");
  const line = row("Sent-back parcels").getByText(/, next/);
  const [name, after] = await line.evaluate((element) => {
    const left = (text: string) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const start = node.textContent?.indexOf(text) ?? -1;
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + text.length);
        return range.getBoundingClientRect().left;
      }
      return Number.NaN;
    };
    return [left("2026"), left("next")];
  });
  // The text after the name is to its right; without isolation, the name would move it to its left.
  expect(name).toBeLessThan(after ?? Number.NaN);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("column names are shown in full at 1280 pixels", async () => {
  await page.goto(`/catalog/${dataSourceId}/public/parcels`);
  const name = page.getByRole("row").getByText("parcel_identifier_number", { exact: true });
  await expect(name).toBeVisible();
  expect(await name.evaluate((element) => element.getClientRects().length)).toBe(1);
});

test("an unreachable data source has no score except the last measured one", async () => {
  await proxy.close();
  await page.goto(`/data-quality/contracts/${contractId}`);
  await page.getByRole("button", { name: "Evaluate now" }).click();
  await expect(page.getByText("Could not be evaluated", { exact: true })).toBeVisible();
  const note = page.getByRole("note").filter({ hasText: "Could not be evaluated since" });
  await expect(note).toContainText("The last measured score is 100.00");
  await expect(page.getByText("Could not evaluate").first()).toBeVisible();
  await expect(page.getByText(/Degrading|Newly failing/)).toHaveCount(0);
  await expect(page.getByRole("slider")).toHaveAttribute("aria-valuetext", /could not be evaluated: /);
  await expect(row("Enough").last()).toContainText("Not measured");

  await page.getByRole("button", { name: "As a table" }).click();
  await expect(page.getByRole("region", { name: "Evaluations" })).toContainText("Could not be evaluated: ");
  await page.getByRole("button", { name: "Show the last that was measured" }).click();
  await expect(row("Enough").last()).toContainText("Passed");

  await page.goto("/data-quality/contracts?state=unreachable");
  await expect(row("Parcels: daily")).toContainText("100.00");
  await expect(row("Parcels: daily")).toContainText("Could not evaluate");
  await page.goto("/data-quality?q=parcels");
  // Other journeys may have a table of this name.
  const parcels = row("public.parcels").filter({ hasText: "Could not evaluate" });
  await expect(parcels).toHaveCount(1);
  const source = page.getByRole("region", { name: /^Parcel database/ });
  await expect(source.getByText("Degrading", { exact: true })).toBeVisible();
  await expect(parcels).not.toContainText("Degrading");
});

test("once it is reachable again, nothing counts as improved or recovered", async () => {
  await proxy.open();
  await page.goto(`/data-quality/contracts/${contractId}`);
  await page.getByRole("button", { name: "Evaluate now" }).click();
  await expect(page.getByText("Evaluated: 100.00")).toBeVisible();
  await expect(page.getByRole("note")).toHaveCount(0);
  await expect(page.getByText("Stable").first()).toBeVisible();
  await expect(page.getByText(/^Nothing: 2 rules stand as before/)).toBeVisible();
});

test("typing the beginning of a column's name selects it before free text", async () => {
  await page.goto(`/data-quality/contracts/new?source=${dataSourceId}&schema=public&table=parcels`);
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("menuitem", { name: /^Freshness/ }).click();
  const column = page.getByRole("combobox", { name: "Column", exact: true });
  await column.click();
  await page.keyboard.type("created");
  await expect(page.getByRole("option").last()).toHaveText("Use “created”(no such column)");
  await page.keyboard.press("Enter");
  await expect(column).toHaveText("created_at");
});

test("reminders can be set and are shown", async () => {
  await page.goto(`/data-quality/contracts/${contractId}/edit`);
  await page.getByRole("combobox", { name: "Remind" }).click();
  await page.getByRole("option", { name: "After 3 days" }).click();
  await page.getByRole("button", { name: "Save contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/\d+$/);
  expect((await api("GET", `/data-quality/contracts/${contractId}`)).body).toMatchObject({
    reminderHours: 72,
  });
});

test("while the service is down the console stays, and the opened page follows", async () => {
  await page.goto("/data-quality/contracts");
  // Lost if the browser replaces the page.
  await page.evaluate(() => document.body.setAttribute("data-kept", "yes"));
  const all = /./;
  await page.route(all, (route) => route.abort("connectionrefused"));
  await row("Sent-back parcels").click();
  await expect(page.getByText(/^The service is not responding/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Contracts" }).first()).toBeVisible();

  await page.unroute(all);
  await expect(page.getByRole("heading", { name: "Sent-back parcels", level: 1 })).toBeVisible();
  await expect(page.locator("body")).toHaveAttribute("data-kept", "yes");
  await expect(page.getByText(/^The service is not responding/)).toHaveCount(0);
});
