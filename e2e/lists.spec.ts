import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** Long lists: 510 subscriptions, of which 500 are silenced at once. */
const dataDir = join(scratch, "lists");
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const own = "e2e_lists";
test.describe.configure({ mode: "serial" });

let database: Sql;
let service: Service;
let api: Api;
let page: Page;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${own} with (force)`);
    await server.unsafe(`create database ${own}`);
  });
  database = postgres(at(own).href, { max: 1, onnotice: () => {} });
  service = await startService(dataDir, {
    DATABASE_URL: at(own).href,
    ENCRYPTION_KEY: "55".repeat(32),
    NEXTAUTH_SECRET: "a secret that only this test uses, 32+ characters",
  });
  api = await signIn(service.url);
  await fill();
  page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await openAs(page, `${service.url}/subscriptions`, admin);
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
  await database?.end();
  await withServer((server) => server.unsafe(`drop database if exists ${own} with (force)`));
});

const at = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` });

async function withServer(work: (server: Sql) => Promise<unknown>): Promise<void> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await work(server);
  await server.end();
}

/** Subscriptions that do not run, so that nothing but the journey changes them. */
async function fill(): Promise<void> {
  const { body } = await api("POST", "/projects", { name: "Shop" });
  const projectId = (body as { id: number }).id;
  await database`insert into queries (project_id, name) select ${projectId}, 'Check ' || i from generate_series(1, 510) as i`;
  await database`insert into query_versions (query_id, number, status) select id, 1, 'Active' from queries`;
  await database`
    insert into subscriptions (query_id, project_id, cron_expression, enabled, timeout_seconds, condition_kind,
      create_tasks, anomaly_enabled, anomaly_method, anomaly_sensitivity, anomaly_metric)
    select id, project_id, '0 6 * * *', false, 60, 'RowsFound', true, false, 'Iqr', 1.5, 'RowCount' from queries`;
}

const silenced = async () => {
  const [row] = await database`
    select count(*)::int as count from subscriptions where silenced_until > now() and silence_reason = 'We are moving'`;
  return row?.count;
};

test("500 subscriptions are silenced at once, with who and why", async () => {
  await page.goto(`${service.url}/subscriptions?sort=name`);
  await page.getByRole("checkbox", { name: "Select the rows of this page" }).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  await expect(bar.getByRole("status")).toHaveText("50 selected");
  await bar.getByRole("button", { name: "Select the first 500 of 510" }).click();
  await expect(bar.getByRole("status")).toHaveText("500 selected");
  await expectAccessible(page);
  await bar.getByRole("button", { name: "Silence", exact: true }).click();
  await page.getByRole("menuitem", { name: "Silence until…" }).click();
  const dialog = page.getByRole("dialog", { name: "Silence “500 subscriptions”" });
  await dialog.getByLabel("Reason").fill("We are moving");
  await dialog.getByRole("button", { name: "Silence" }).click();
  await expect(page.getByText("Silenced 500 subscriptions")).toBeVisible();
  expect(await silenced()).toBe(500);
  await expect(bar).toBeHidden();
  await expect(page.getByText(/silenced, ends/).first()).toBeVisible();
});

test("what people create one by one is searched, sorted, and paged by the service", async () => {
  await database`
    insert into users (name, email, role)
    select 'Person ' || i, 'person-' || i || '@example.com', 'Viewer' from generate_series(1, 120) as i`;
  const asked = page.waitForRequest((request) => request.url().includes("users.page"));
  await page.goto(`${service.url}/users`);
  const table = page.getByRole("region", { name: "Users" });
  // The Admin, and the first 49 people: "Person 9" before "Person 10".
  await expect(table.getByRole("row")).toHaveCount(51);
  await expect(page.getByText("1–50 of 121")).toBeVisible();
  await page.getByRole("button", { name: "Next" }).click();
  await asked;
  await expect(page.getByText("51–100 of 121")).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
  // The order and the search begin with the first page again.
  await table.getByRole("button", { name: "Name" }).click();
  await expect(page).toHaveURL(/direction=desc/);
  await expect(page).not.toHaveURL(/page=/);
  await expect(table.getByRole("row").nth(1)).toContainText("Person 120");
  await page.getByRole("searchbox", { name: "Search users" }).fill("person 11");
  await expect(table.getByRole("row")).toHaveCount(12);
  await expect(table.getByRole("row").nth(1)).toContainText("Person 119");
  await expect(table.getByRole("row").last()).toContainText("Person 11");
  await page.reload();
  await expect(table.getByRole("row")).toHaveCount(12);
  await page.getByRole("searchbox", { name: "Search users" }).fill("nobody by this name");
  await expect(page.getByText("No users match these filters")).toBeVisible();
  await expectAccessible(page);
});
