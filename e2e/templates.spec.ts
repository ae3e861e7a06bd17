import { expect, type Locator, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { enter } from "./enter.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** One rule for many tables: written once, given to tables that come later, left out of one, and changed. */
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_templates";

test.describe.configure({ mode: "serial" });

let depot: Sql;
let api: Api;
let page: Page;
let dataSourceId: number;
let ordersId: number;

test.beforeAll(async ({ browser }) => {
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${database} with (force)`);
    await server.unsafe(`create database ${database}`);
  });
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  depot = postgres(address.href, { max: 1, onnotice: () => {} });
  await depot.unsafe(`
    create table orders (id integer primary key, customer_id integer, note text);
    insert into orders values (1, 1, 'a'), (2, null, 'b'), (3, 3, null), (4, 4, null);
  `);
  api = await signIn(sharedUrl);
  const projectId = await create("/projects", { name: "Depot of templates" });
  const { hostname, port, username, password } = address;
  dataSourceId = await create("/data-sources", {
    ...{ projectId, name: "Depot database", kind: "PostgreSql" },
    connection: {
      ...{ host: hostname, port: Number(port || 5432), database, ssl: false },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  await readSchema();
  ordersId = await create("/data-quality/contracts", {
    ...{ name: "Orders of the depot", dataSourceId, schemaName: "public", tableName: "orders" },
    cronExpression: "0 6 * * *",
    rules: [{ name: "Not empty", type: "Volume", configuration: { minRows: 1 } }],
  });
  page = await (await browser.newContext({ baseURL: sharedUrl })).newPage();
});

test.afterAll(async () => {
  await page.context().close();
  await depot.end();
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

const readSchema = async () =>
  expect((await api("POST", `/data-sources/${dataSourceId}/refresh-schema`)).status).toBe(200);

type Contract = {
  id: number;
  tableName: string;
  rules: { name: string; severity: string; configuration: object }[];
};

/** The contract of a table, once there is one. */
async function contractOf(tableName: string): Promise<Contract | undefined> {
  const { body } = await api("GET", `/data-quality/contracts?dataSourceId=${dataSourceId}`);
  const { items } = body as { items: Contract[] };
  return items.find((each) => each.tableName === tableName);
}

const rulesOf = async (tableName: string) =>
  (await contractOf(tableName))?.rules.map(({ name }) => name).toSorted();

/** Picks from an opening list. */
async function pick(within: Page | Locator, label: string, option: RegExp): Promise<void> {
  await within.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).click();
}

test("a template is written with a selector, and shows what it reaches while it is typed", async () => {
  await enter(page, "/data-quality/templates/new");
  await pick(page, "Project", /^Depot of templates/);
  await page.getByLabel("Name", { exact: true }).fill("References are set");
  await pick(page, "Check", /^Null rate/);
  await page.getByLabel("At most (% NULL)").fill("0");
  await expect(page.getByText("No {column} is NULL.")).toBeVisible();
  await page.getByLabel("Columns", { exact: true }).fill("*_id");
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("1 rule in 1 contract");
  await expect(preview).toContainText("public.orders");
  await expect(preview).toContainText("customer_id");
  await page.getByLabel("Create contracts for matching tables that never had one").check();

  const more = page.locator("summary").filter({ hasText: /^More/ });
  await more.click();
  await pick(page, "Severity", /^High/);
  await page.getByLabel("Name in the contracts").fill("{column} is set");
  await expectAccessible(page);
  await more.click();
  await expect(more).toContainText("More: “{column} is set”, High severity");
  await expect(page.getByText("No {column} is NULL; High severity.")).toBeVisible();

  await page.getByRole("button", { name: "Create template" }).click();
  const row = page.getByRole("row").filter({ hasText: "References are set" });
  await expect(row).toContainText("No {column} is NULL; High severity");
  await expect(row).toContainText("Applied");
});

test("the contract that there is gets the rule, which says where it comes from", async () => {
  await expect.poll(() => rulesOf("orders")).toEqual(["Not empty", "customer_id is set"]);
  await page.goto(`/data-quality/contracts/${ordersId}`);
  const rule = page.getByRole("row").filter({ hasText: "customer_id is set" });
  await expect(rule).toContainText("template No customer_id is NULL");
  await page.goto(`/data-quality/contracts/${ordersId}/edit`);
  await page.getByRole("button", { name: /^customer_id is set/ }).click();
  await expect(page.getByRole("note")).toContainText("From the template References are set");
  const form = page.getByRole("group", { name: "customer_id is set" });
  await expect(form.getByRole("combobox", { name: "Check" })).toBeDisabled();
});

test("a table that comes later gets its rule once the schema is read", async () => {
  await depot.unsafe(`
    create table refunds (id integer primary key, order_id integer, carrier_id integer);
    insert into refunds values (1, 1, 1), (2, 2, null);
  `);
  await readSchema();
  await expect.poll(() => rulesOf("refunds")).toEqual(["carrier_id is set", "order_id is set"]);
  const refunds = await contractOf("refunds");
  await page.goto(`/data-quality/contracts/${refunds?.id}`);
  await page.getByRole("button", { name: "Evaluate now" }).click();
  // Half of the carriers are missing: 50; the orders are all there: 100.
  await expect(page.getByText("Evaluated: 75.00")).toBeVisible();
});

test("a contract leaves a rule out with a reason, and can take it back", async () => {
  await page.goto(`/data-quality/contracts/${ordersId}`);
  await page.getByRole("button", { name: /customer_id is set/ }).click();
  await page.getByRole("button", { name: "Leave out…" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave out “customer_id is set”" });
  await dialog.getByRole("button", { name: "Leave out" }).click();
  await expect(dialog).toContainText("Reason is required");
  await dialog.getByLabel("Reason").fill("Walk-in customers have none");
  await dialog.getByRole("button", { name: "Leave out" }).click();
  const list = page.getByRole("list", { name: "Left out or detached" });
  await expect(list).toContainText("Left out: Walk-in customers have none");
  await expect.poll(() => rulesOf("orders")).toEqual(["Not empty"]);
});

test("a changed template changes its rules everywhere, but not where it was left out", async () => {
  await page.goto("/data-quality/templates");
  await page.getByRole("link", { name: "References are set" }).click();
  await page.getByLabel("At most (% NULL)").fill("60");
  await expect(page.getByText("At most 60% of {column} is NULL; High severity.")).toBeVisible();
  await page.getByRole("button", { name: "Save template" }).click();
  const row = page.getByRole("row").filter({ hasText: "References are set" });
  await expect(row).toContainText("At most 60% of {column} is NULL");
  const limits = async () => (await contractOf("refunds"))?.rules.map(({ configuration }) => configuration);
  await expect
    .poll(limits)
    .toEqual([
      expect.objectContaining({ maxNullPercent: 60 }),
      expect.objectContaining({ maxNullPercent: 60 }),
    ]);
  expect(await rulesOf("orders")).toEqual(["Not empty"]);

  const refunds = await contractOf("refunds");
  await page.goto(`/data-quality/contracts/${refunds?.id}`);
  await page.getByRole("button", { name: "Evaluate now" }).click();
  await expect(page.getByText("Evaluated: 100.00")).toBeVisible();
});

test("a table that gets a tag gets the rules for it, and is found by it", async () => {
  await page.goto("/data-quality/templates/new");
  await pick(page, "Project", /^Depot of templates/);
  await page.getByLabel("Name", { exact: true }).fill("Tagged tables are watched");
  await pick(page, "Check", /^Null rate/);
  await page.getByLabel("At most (% NULL)").fill("0");
  await page.getByLabel("Tags").fill("audited");
  await page.getByLabel("Columns").fill("id");
  await page.getByRole("button", { name: /^(Create|Save) template$/ }).click();
  await expect(page.getByRole("row").filter({ hasText: "Tagged tables are watched" })).toContainText(
    "in those tagged audited",
  );

  await page.goto(`/catalog/${dataSourceId}/public/orders`);
  await page.getByRole("button", { name: "Tag orders" }).click();
  await page.getByRole("textbox", { name: "Tags" }).fill("Audited, tier 1");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => rulesOf("orders")).toHaveLength(2);
  await expectAccessible(page);

  await page.getByRole("link", { name: "audited" }).click();
  await expect(page).toHaveURL(/\/catalog\?.*tag=audited/);
  const rows = page.getByRole("region", { name: "Tables", exact: true }).locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("tier 1");
});
