import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { type ModelServer, startModelServer } from "../server/test/model-server.ts";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { addressOf, createDatabases, dropDatabases } from "./databases.ts";
import { openAs } from "./enter.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** A load is cut short: someone asks why, and follows the tables that are made from it, two steps up and down. */
const dataDir = join(scratch, "causes");
const names = { own: "e2e_causes", shop: "e2e_causes_shop" };
test.describe.configure({ mode: "serial" });

let shop: Sql;
let model: ModelServer | undefined;
let service: Service;
let api: Api;
let page: Page;
let sourceId: number;
let projectId: number;

const settings = () => ({
  DATABASE_URL: addressOf(names.own).href,
  ENCRYPTION_KEY: "55".repeat(32),
  NEXTAUTH_SECRET: "a secret that only this test uses, 32+ characters",
});

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  await createDatabases(...Object.values(names));
  shop = postgres(addressOf(names.shop).href, { max: 1, onnotice: () => {} });
  await shop`create table raw_orders (id int primary key, placed_at timestamptz not null, source text, total int)`;
  await shop`create index on raw_orders (placed_at)`;
  await shop`create view orders as select id, placed_at, total from raw_orders where total >= 0`;
  await shop`create view daily_revenue as select placed_at::date as day, sum(total) as revenue from orders group by 1`;
  await shop`create view monthly_revenue as select date_trunc('month', day) as month, sum(revenue) as revenue
    from daily_revenue group by 1`;
  // 200 a day for 60 days; of the latest day, the last 80 are missing.
  await shop`insert into raw_orders select n, now() - (n + 0.5) * interval '432 seconds',
    (array['web', 'shop'])[n % 2 + 1], n % 90 from generate_series(80, 11999) as n`;
  service = await startService(dataDir, settings());
  api = await signIn(service.url);
  const create = async (path: string, body: object) =>
    ((await api("POST", path, body)).body as { id: number }).id;
  projectId = await create("/projects", { name: "Shop" });
  const url = addressOf(names.shop);
  sourceId = await create("/data-sources", {
    ...{ projectId, name: "Shop", kind: "PostgreSql" },
    connection: {
      ...{ host: url.hostname, port: Number(url.port), database: names.shop, ssl: false },
      ...{ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    },
  });
  await api("POST", `/data-sources/${sourceId}/refresh-schema`);
  await api("PUT", `/data-sources/${sourceId}/watch`, { enabled: true });
  await create("/events", {
    ...{ projectId, kind: "Load", name: "orders nightly", state: "Failed" },
    at: new Date(Date.now() - 9.5 * 3_600_000).toISOString(),
    outputs: [{ dataSourceId: sourceId, schemaName: "public", tableName: "raw_orders" }],
    url: "https://ci.example.com/42",
  });
  page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await openAs(page, `${service.url}/incidents?project=${projectId}`, admin);
});

test.afterAll(async () => {
  await page?.context().close();
  await model?.close();
  expect(await service?.stop()).toBe(0);
  await shop?.end();
  await dropDatabases(...Object.values(names));
});

/** Pictures to look at, where a folder for them is given. */
const picture = async (name: string) => {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

test("the incident says why: the load that failed, and from when rows are missing", async () => {
  test.setTimeout(240_000);
  await expect
    .poll(
      async () => ((await api("GET", "/incidents?current=true")).body as { items: unknown[] }).items.length,
      { timeout: 200_000, intervals: [2000] },
    )
    .toBe(1);
  await page.reload();
  await page
    .getByRole("link", { name: /public\.raw_orders/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Why?" }).click();
  const why = page.getByRole("region", { name: "Why", exact: true });
  const causes = why.getByRole("listitem");
  await expect(causes.nth(0)).toContainText("Load orders nightly failed.");
  await expect(causes.nth(1)).toContainText(/With placed_at from .* 0 rows came; usually (79|80) do\./);
  // Without a language model, the facts stand by themselves.
  await expect(why.getByRole("button", { name: /Summarize/ })).toHaveCount(0);
  await expectAccessible(page);
  await picture("incident-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("incident-dark");
  await page.emulateMedia({ colorScheme: null });
});

test("lineage shows two steps up and down, with the incident, and can be searched", async () => {
  await page.goto(`/catalog/${sourceId}/public/daily_revenue?project=${projectId}`);
  const lineage = page.getByRole("region", { name: "Lineage", exact: true });
  await expect(lineage).toContainText("2 upstream, 1 downstream");
  const box = (name: string) => lineage.getByRole("button", { name: new RegExp(`^${name}`) });
  await expect(box("raw_orders")).toContainText(/public/);
  await expect(box("raw_orders")).toHaveClass(/border-(warning|critical)/);
  await expect(box("orders")).not.toHaveClass(/border-(warning|critical)/);
  await lineage.getByRole("searchbox", { name: "Search lineage" }).fill("raw");
  await expect(box("monthly_revenue")).toHaveClass(/opacity-35/);
  await expect(box("raw_orders")).not.toHaveClass(/opacity-35/);
  await lineage.getByRole("searchbox", { name: "Search lineage" }).fill("");
});

test("the keyboard goes from table to table, and says which column goes into which", async () => {
  const lineage = page.getByRole("region", { name: "Lineage", exact: true });
  const box = (name: string) => lineage.getByRole("button", { name: new RegExp(`^${name}`) });
  await box("daily_revenue").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(box("orders")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(box("raw_orders")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(box("raw_orders")).toHaveAttribute("aria-pressed", "true");
  await expect(lineage).toContainText("total");
  await expectAccessible(page);
  await picture("lineage-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("lineage-dark");
  await page.emulateMedia({ colorScheme: null });
});

test("on a phone, both are lists that fit", async () => {
  await page.setViewportSize({ width: 360, height: 780 });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  await expect(page.getByRole("region", { name: "Lineage", exact: true })).toContainText("raw_orders");
  expect(await fits()).toBe(true);
  await picture("lineage-phone");
  await page.goto(`/incidents?project=${projectId}`);
  await page
    .getByRole("link", { name: /public\.raw_orders/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Why?" }).click();
  await expect(page.getByRole("region", { name: "Why", exact: true })).toContainText(
    "Load orders nightly failed.",
  );
  expect(await fits()).toBe(true);
  await expectAccessible(page);
  await picture("incident-phone");
});

test("with a language model, the facts are written as an account, each sentence with its source", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  await page.context().close();
  expect(await service.stop()).toBe(0);
  model = await startModelServer();
  service = await startService(dataDir, { ...settings(), OPENAI_BASE_URL: model.url, LLM_MODEL: "scripted" });
  page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await openAs(page, `${service.url}/incidents?project=${projectId}`, admin);
  await page
    .getByRole("link", { name: /public\.raw_orders/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Why?" }).click();
  const why = page.getByRole("region", { name: "Why", exact: true });
  await expect(why.getByRole("listitem").nth(0)).toContainText("Load orders nightly failed.");
  model.reply({
    answer: {
      sentences: [
        { text: "The nightly load of orders failed.", sources: ["C1"] },
        { text: "Since then no rows came.", sources: ["C2", "C1"] },
        { text: "Somebody should restart it.", sources: [] },
        { text: "The moon was full.", sources: ["C99"] },
      ],
    },
  });
  await why.getByRole("button", { name: /Summarize with .*scripted/ }).click();
  const account = why.getByRole("region", { name: "Account" });
  await expect(account).toContainText("The nightly load of orders failed. [C1]");
  await expect(account).toContainText("Since then no rows came. [C2] [C1]");
  await expect(account).toContainText("2 sentences without a source left out");
  await expect(account).not.toContainText("moon");
  // A source leads to its fact.
  await expect(account.getByRole("link", { name: "[C2]" })).toHaveAttribute("href", "#cause-C2");
  await expect(why.locator("#cause-C2")).toContainText("0 rows came");
  const asked = JSON.stringify(model.requests.map(({ body }) => body));
  expect(asked).toContain("Load orders nightly failed.");
  await expectAccessible(page);
  await picture("account");
});
