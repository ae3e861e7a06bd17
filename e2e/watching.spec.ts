import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { addressOf, createDatabases, dropDatabases } from "./databases.ts";
import { openAs } from "./enter.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** A database without any rule is watched: half of a day's orders are missing, and someone finds out. */
const dataDir = join(scratch, "watching");
const names = { own: "e2e_watching", shop: "e2e_watching_shop" };
test.describe.configure({ mode: "serial" });

let shop: Sql;
let service: Service;
let api: Api;
let page: Page;
let sourceId: number;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  await createDatabases(...Object.values(names));
  shop = postgres(addressOf(names.shop).href, { max: 1, onnotice: () => {} });
  await shop`create table orders (id int primary key, created_at timestamptz not null, email text)`;
  await shop`create index on orders (created_at)`;
  // 200 a day for 60 days; half of the latest day's are missing.
  await shop`insert into orders select n, now() - (n + 0.5) * interval '432 seconds', 'a@example.com'
    from generate_series(0, 11999) as n where n >= 200 or n % 2 = 0`;
  service = await startService(dataDir, {
    DATABASE_URL: addressOf(names.own).href,
    ENCRYPTION_KEY: "55".repeat(32),
    NEXTAUTH_SECRET: "a secret that only this test uses, 32+ characters",
  });
  api = await signIn(service.url);
  const create = async (path: string, body: object) =>
    ((await api("POST", path, body)).body as { id: number }).id;
  const projectId = await create("/projects", { name: "Shop" });
  const url = addressOf(names.shop);
  sourceId = await create("/data-sources", {
    ...{ projectId, name: "Shop", kind: "PostgreSql" },
    connection: {
      ...{ host: url.hostname, port: Number(url.port), database: names.shop, ssl: false },
      ...{ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    },
  });
  await api("POST", `/data-sources/${sourceId}/refresh-schema`);
  page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await openAs(page, `${service.url}/data-sources/${sourceId}`, admin);
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
  await shop?.end();
  await dropDatabases(...Object.values(names));
});

test("before it is switched on, the page says what it will cost", async () => {
  const watching = page.getByRole("region", { name: "Watching" });
  await expect(watching).toContainText("For 1 table: at most 3 statements each quarter of an hour");
  await watching.getByRole("switch", { name: "Watch every table" }).click();
  await expect(watching.getByRole("switch", { name: "Watch every table" })).toBeChecked();
});

test("within two minutes it has looked, profiled, and found the missing half", async () => {
  test.setTimeout(180_000);
  const watching = page.getByRole("region", { name: "Watching" });
  const unusual = watching.getByRole("list", { name: "Unusual tables" });
  await expect(unusual).toContainText(/New rows in a day: 100, usually/, { timeout: 150_000 });
  await expect(watching).toContainText(/A look takes .* of the data source’s time/);
  await expectAccessible(page);
});

test("hours and budget can be changed", async () => {
  await page.getByRole("button", { name: "Hours and budget" }).click();
  const dialog = page.getByRole("dialog", { name: "Hours and budget" });
  await dialog.getByLabel("Budget in minutes").fill("0");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("must be at least 10 seconds");
  await dialog.getByLabel("Budget in minutes").fill("5");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  expect((await api("GET", `/data-sources/${sourceId}/watch`)).body).toMatchObject({ budgetSeconds: 300 });
});

test("the table's page shows the day among those before it", async () => {
  await page.getByRole("link", { name: "public.orders" }).click();
  const over = page.getByRole("region", { name: "Over time" });
  await expect(over.getByRole("list", { name: "Unusual now" })).toContainText("New rows in a day: 100");
  await expect(
    over.getByRole("img", { name: /^New rows in a day: 59 values, 1 of them unusual/ }),
  ).toBeVisible();
  await over.getByText("The numbers").click();
  const rows = over.getByRole("row");
  await expect(rows.nth(1)).toContainText("100 (unusual)");
  await expect(rows.nth(2)).toContainText("200");
  await expectAccessible(page);
  await over.getByRole("button", { name: /email.*Share of NULL/ }).click();
  await expect(over.getByRole("img", { name: /^email: share of NULL: 59 values, 0 of them/ })).toBeVisible();
});

test("it is an incident, until someone says that it is as expected", async () => {
  const current = async () =>
    ((await api("GET", "/incidents?current=true")).body as { items: { title: string }[] }).items;
  expect(await current()).toMatchObject([
    { title: expect.stringContaining("public.orders: new rows in a day: 100") },
  ]);
  await page.getByRole("button", { name: "As expected" }).click();
  await expect(page.getByRole("list", { name: "Unusual now" })).toContainText("said that it is as expected");
  expect(await current()).toEqual([]);
});
