import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Browser, expect, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { s3Keys, startS3Storage } from "../server/test/s3-storage.ts";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/**
 * Two people edit the same contract and the same subscription, each in their own browser: neither loses what the other
 * saved. Also, lists longer than a page are searched and sorted as a whole.
 */
const dataDir = join(scratch, "edits");
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_edits";
const anna = { name: "Anna Analyst", email: "anna@plumbline.example", password: "a long enough password" };
test.describe.configure({ mode: "serial" });

let stored: Sql;
let service: Service;
let api: Api;
let mine: Page;
let annas: Page;
let projectId: number;
let queryId: number;
let contractPath: string;
let subscriptionPath: string;
let dataSourceId: number;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${database} with (force)`);
    await server.unsafe(`create database ${database}`);
  });
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  service = await startService(dataDir, {
    DATABASE_URL: address.href,
    ENCRYPTION_KEY: "22".repeat(32),
    NEXTAUTH_SECRET: "the secret of this one journey, and no other",
    SECRETS_ENV_PREFIX: "EDITS_",
    EDITS_WAREHOUSE: decodeURIComponent(address.password),
    OUTBOUND_ALLOW: "127.0.0.1",
  });
  stored = postgres(address.href, { max: 1, onnotice: () => {} });
  await stored.unsafe("create table flights (id integer, delay integer)");
  api = await signIn(service.url);
  projectId = await create("/projects", { name: "Airport" });
  dataSourceId = await create("/data-sources", {
    ...{ projectId, name: "Warehouse", kind: "PostgreSql" },
    connection: {
      ...{ host: address.hostname, port: Number(address.port || 5432), database, ssl: false },
      ...{ user: decodeURIComponent(address.username), password: decodeURIComponent(address.password) },
    },
  });
  const steps = [{ dataSourceId, sql: "select id from flights" }];
  queryId = await create("/queries", { projectId, name: "Late flights", steps });
  subscriptionPath = `/subscriptions/${await create("/subscriptions", { queryId, cronExpression: "0 6 * * *" })}`;
  const contract = {
    ...{ dataSourceId, name: "Flights: daily load", tableName: "flights", cronExpression: "0 6 * * *" },
    rules: [
      { name: "Not empty", type: "Volume", configuration: { minRows: 1 } },
      { name: "Delay is known", type: "NullRate", configuration: { column: "delay", maxNullPercent: 5 } },
    ],
  };
  contractPath = `/data-quality/contracts/${await create("/data-quality/contracts", contract)}`;
  await create("/users", { ...anna, role: "Editor" });
  mine = await browserOf(browser, admin);
  annas = await browserOf(browser, anna);
});

test.afterAll(async () => {
  await Promise.all([mine, annas].map((page) => page?.context().close()));
  await stored?.end();
  expect(await service?.stop()).toBe(0);
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

async function browserOf(browser: Browser, who: { email: string; password: string }): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await openAs(page, `${service.url}/subscriptions`, who);
  await expect(page.getByRole("heading", { level: 1, name: "Subscriptions" })).toBeVisible();
  return page;
}

async function get(path: string) {
  const { status, body } = await api("GET", path);
  expect(status).toBe(200);
  return body as Record<string, unknown> & { rules: { name: string; weight: number; severity: string }[] };
}

const saveButton = (page: Page) => page.getByRole("button", { name: /^Save (contract|subscription|actor)$/ });
const save = (page: Page) => saveButton(page).click();

test("when two people edit a contract, the second merges with what the first saved", async () => {
  await Promise.all([mine, annas].map((page) => page.goto(`${contractPath}/edit`)));

  // Anna changes the threshold, the severity of a rule, and the name.
  await annas.getByLabel("Failure threshold").fill("95");
  await annas.getByLabel("Name", { exact: true }).first().fill("Flights of the day");
  await annas.getByRole("button", { name: /^Delay is known/ }).click();
  await annas.locator("summary").filter({ hasText: /^More/ }).click();
  await annas.getByLabel("Weight").fill("5");
  await save(annas);
  await expect(annas.getByRole("heading", { level: 1, name: "Flights of the day" })).toBeVisible();

  // I change the description and the name, and remove a rule.
  await mine.getByLabel("Description").fill("What arrives every day");
  await mine.getByLabel("Name", { exact: true }).first().fill("Flights, all of them");
  await mine.getByRole("button", { name: "More about Not empty" }).click();
  await mine.getByRole("menuitem", { name: "Remove" }).click();
  await save(mine);

  const dialog = mine.getByRole("dialog", { name: /Anna Analyst changed this contract/ });
  await expect(dialog).toBeVisible();
  // Only what both changed must be chosen, and nothing is preselected.
  await expect(dialog.getByRole("radiogroup")).toHaveCount(1);
  await expect(dialog.getByRole("button", { name: "Merge and save" })).toBeDisabled();
  const theirs = dialog.getByRole("region", { name: "Their changes" });
  await expect(theirs).toContainText("Failure threshold80 → 95Anna Analyst");
  await expect(theirs).toContainText("Rule “Delay is known”: weight1 → 5");
  await expect(dialog.getByRole("region", { name: "Your changes" })).toContainText("Rule “Not empty”");
  await expectAccessible(mine);
  await dialog.getByRole("radio", { name: "Flights, all of them" }).check();
  await dialog.getByRole("button", { name: "Merge and save" }).click();
  await expect(mine.getByRole("heading", { level: 1, name: "Flights, all of them" })).toBeVisible();

  expect(await get(contractPath)).toMatchObject({
    revision: 3,
    name: "Flights, all of them",
    description: "What arrives every day",
    failureThreshold: 95,
    rules: [{ name: "Delay is known", weight: 5 }],
  });
});

test("someone editing a subscription is told that someone else saved it, and keeps both changes", async () => {
  await mine.goto(`${subscriptionPath}/edit`);
  await mine.getByLabel("Time limit").fill("120");

  await annas.goto(`${subscriptionPath}/edit`);
  await annas.getByRole("radio", { name: "There are more rows than a threshold" }).check();
  await annas.getByLabel("Threshold", { exact: true }).fill("10");
  await save(annas);
  await expect(annas.getByRole("heading", { level: 1, name: "Late flights", exact: true })).toBeVisible();

  // The page polls occasionally, before anything is saved.
  const notice = mine.getByRole("alert", { name: "Changed by someone else" });
  await expect(notice).toContainText("Anna Analyst changed this subscription");
  await expect(mine.getByLabel("Time limit")).toHaveValue("120");
  await notice.getByRole("button", { name: "Review" }).click();
  const dialog = mine.getByRole("dialog", { name: /Anna Analyst changed this subscription/ });
  await expect(dialog.getByRole("radiogroup")).toHaveCount(0);
  await expect(dialog).toContainText("When rows are found → Above 10 rows");
  await dialog.getByRole("button", { name: "Merge into the form" }).click();
  await expect(notice).toHaveCount(0);
  await expect(mine.getByLabel("Threshold", { exact: true })).toHaveValue("10");
  await save(mine);
  await expect(mine.getByRole("heading", { level: 1, name: "Late flights", exact: true })).toBeVisible();

  expect(await get(subscriptionPath)).toMatchObject({
    revision: 3,
    timeoutSeconds: 120,
    condition: { kind: "RowCountAbove", threshold: 10 },
  });
});

test("an actor that two people edit keeps both changes", async () => {
  const actor = await create("/ai-actors", {
    ...{ name: "Flight watch", instructions: "Watch the flights", dataSourceId },
    activateImmediately: false,
  });
  await Promise.all([mine, annas].map((page) => page.goto(`/ai-actors/${actor}/edit`)));
  await annas.getByLabel("Instructions").fill("Watch the flights and the airports");
  await save(annas);
  await expect(annas.getByRole("heading", { level: 1, name: "Flight watch" })).toBeVisible();
  await mine.getByLabel("Name", { exact: true }).fill("Flight guard");
  await save(mine);
  const dialog = mine.getByRole("dialog", { name: /Anna Analyst changed this actor/ });
  await expect(dialog.getByRole("region", { name: "Their changes" })).toContainText("Instructions");
  await expectAccessible(mine);
  await dialog.getByRole("button", { name: "Merge and save" }).click();
  await expect(mine.getByRole("heading", { level: 1, name: "Flight guard" })).toBeVisible();
  expect(await get(`/ai-actors/${actor}`)).toMatchObject({
    ...{ revision: 3, name: "Flight guard", instructions: "Watch the flights and the airports" },
  });
});

test("a query that two people edit keeps both changes, and asks where both changed the same", async () => {
  const steps = [{ dataSourceId, sql: "select id from flights where delay > 60" }];
  const query = await create("/queries", { projectId, name: "Very late", steps });
  await Promise.all([mine, annas].map((page) => page.goto(`/queries/${query}`)));
  await annas.getByLabel("Name", { exact: true }).fill("Very late flights");
  await annas.getByLabel("Description").fill("More than an hour");
  await annas.getByRole("button", { name: "Save", exact: true }).click();
  await expect(annas.getByText("Saved “Very late flights”")).toBeVisible();

  await mine.getByLabel("Name", { exact: true }).fill("Late by an hour");
  await mine.getByRole("button", { name: "Save", exact: true }).click();
  const notice = mine.getByRole("alert", { name: "Changed by someone else" });
  await expect(notice).toContainText("Anna Analyst changed this query");
  await expect(notice).toContainText("Name: yours is “Late by an hour”, theirs is “Very late flights”.");
  await expect(mine.getByLabel("Description")).toHaveValue("More than an hour");
  await expectAccessible(mine);
  await notice.getByRole("button", { name: "Take theirs" }).click();
  await expect(mine.getByLabel("Name", { exact: true })).toHaveValue("Very late flights");
  await mine.getByLabel("Name", { exact: true }).fill("Very late flights of today");
  await mine.getByRole("button", { name: "Save", exact: true }).click();
  await expect(mine.getByText("Saved “Very late flights of today”")).toBeVisible();
  expect(await get(`/queries/${query}`)).toMatchObject({
    ...{ revision: 3, name: "Very late flights of today", description: "More than an hour" },
  });
});

test("in a dialog, too: a policy that two people edit", async () => {
  const recipient = await create("/recipients", {
    ...{ projectId, name: "Team", type: "Email", destination: "team@example.com" },
  });
  const policy = await create("/incident-policies", { projectId, name: "Nights", recipientIds: [recipient] });
  const dialogOn = async (page: Page) => {
    await page.goto("/incidents/policies");
    await page.getByRole("button", { name: "Actions for Nights" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    return page.getByRole("dialog", { name: "Edit “Nights”" });
  };
  const [my, her] = [await dialogOn(mine), await dialogOn(annas)];
  await her.getByLabel("Name", { exact: true }).fill("Nights and weekends");
  await her.getByRole("combobox", { name: "Incidents" }).click();
  await annas.getByRole("option", { name: "All" }).click();
  await her.getByRole("button", { name: "Save" }).click();
  await expect(her).toBeHidden();

  await my.getByLabel("Name", { exact: true }).fill("Every night");
  await my.getByRole("button", { name: "Save" }).click();
  const notice = my.getByRole("alert", { name: "Changed by someone else" });
  await expect(notice).toContainText("Anna Analyst changed this policy");
  await expect(notice).toContainText("Incidents is now “All”.");
  await expect(notice).toContainText("Name: yours is “Every night”, theirs is “Nights and weekends”.");
  await expectAccessible(mine);
  await my.getByRole("button", { name: "Save" }).click();
  await expect(my).toBeHidden();
  expect(await get(`/incident-policies/${policy}`)).toMatchObject({
    ...{ revision: 3, name: "Every night", minSeverity: "Low" },
  });
});

test("in a recipient's dialog: the second keeps the name, and learns of the address", async () => {
  const id = await create("/recipients", {
    ...{ projectId, name: "On call", type: "Email", destination: "call@example.com" },
  });
  const dialogOn = async (page: Page) => {
    await page.goto("/recipients");
    await page.getByRole("button", { name: "Actions for On call" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    return page.getByRole("dialog", { name: "Edit “On call”" });
  };
  const [my, her] = [await dialogOn(mine), await dialogOn(annas)];
  await her.getByLabel("Email address").fill("nights@example.com");
  await her.getByRole("button", { name: "Save" }).click();
  await expect(her).toBeHidden();

  await my.getByLabel("Name", { exact: true }).fill("On call at night");
  await my.getByRole("button", { name: "Save" }).click();
  const notice = my.getByRole("alert", { name: "Changed by someone else" });
  await expect(notice).toContainText("Anna Analyst changed this recipient");
  await expect(notice).toContainText("Email address is now “nights@example.com”.");
  await expectAccessible(mine);
  await my.getByRole("button", { name: "Save" }).click();
  await expect(my).toBeHidden();
  const { items } = (await get("/recipients")) as unknown as { items: { id: number }[] };
  expect(items.find((each) => each.id === id)).toMatchObject({
    ...{ revision: 3, name: "On call at night", destination: "nights@example.com" },
  });
});

test("in a data source's form: the parts of the connection are merged one by one", async () => {
  // Both are Admins, who alone change connections.
  const address = new URL(serverUrl);
  const connection = {
    ...{ host: address.hostname, port: Number(address.port || 5432), database, ssl: false },
    ...{ user: decodeURIComponent(address.username), password: decodeURIComponent(address.password) },
  };
  const id = await create("/data-sources", { projectId, name: "Archive", kind: "PostgreSql", connection });
  await mine.goto(`/data-sources/${id}/edit`);
  await mine.getByLabel("Name", { exact: true }).fill("Old flights");
  await mine.getByLabel("Allowed functions").fill("tax");

  // Meanwhile, it is called otherwise, leads to another database, and is scanned at night.
  const { password: _, ...rest } = connection;
  const stored = await api("PUT", `/data-sources/${id}`, {
    ...{ name: "Archive of flights", connection: { ...rest, database: "postgres" } },
    scanSchedule: { cronExpression: "0 3 * * *", timezone: "UTC" },
  });
  expect(stored.status, JSON.stringify(stored.body)).toBe(200);

  await mine.getByRole("button", { name: "Save" }).click();
  const notice = mine.getByRole("alert", { name: "Changed by someone else" });
  await expect(notice).toContainText("Database is now “postgres”.");
  await expect(notice).toContainText("Scan schedule is now “0 3 * * *” (UTC).");
  await expect(notice).toContainText("Name: yours is “Old flights”, theirs is “Archive of flights”.");
  await expect(mine.getByLabel("Database")).toHaveValue("postgres");
  await expectAccessible(mine);
  await notice.getByRole("button", { name: "Take theirs" }).click();
  await mine.getByRole("button", { name: "Save" }).click();
  await expect(mine.getByRole("heading", { level: 1, name: "Archive of flights" })).toBeVisible();
  expect(await get(`/data-sources/${id}`)).toMatchObject({
    ...{ name: "Archive of flights", allowedFunctions: ["tax"] },
    ...{ connection: { database: "postgres" }, scanSchedule: { cronExpression: "0 3 * * *" } },
  });
});

test("where a data source's password is kept is shown, and kept through edits", async () => {
  const address = new URL(serverUrl);
  const kept = "{{env:EDITS_WAREHOUSE}}";
  await mine.goto(`/data-sources/new?project=${projectId}`);
  await mine.getByLabel("Name", { exact: true }).fill("Kept elsewhere");
  await mine.getByLabel("Host").fill(address.hostname);
  await mine.getByLabel("Port", { exact: true }).fill(address.port || "5432");
  await mine.getByLabel("Database").fill(database);
  await mine.getByLabel("User").fill(decodeURIComponent(address.username));
  const password = mine.getByLabel("Password", { exact: true });
  await password.fill("{{env:HOME}}");
  await mine.getByRole("button", { name: "Test connection" }).click();
  await expect(mine.getByText("{{env:HOME}} is not allowed by SECRETS_ENV_PREFIX")).toBeVisible();
  await password.fill(kept);
  await mine.getByRole("button", { name: "Test connection" }).click();
  await expect(mine.getByRole("status").getByText(/^Connected to PostgreSQL/)).toBeVisible();
  await mine.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(mine).toHaveURL(/\/findings/);

  const { items } = (await api("GET", `/data-sources?projectId=${projectId}`)).body as {
    items: { id: number; name: string; secretReferences: string[] }[];
  };
  const source = items.find(({ name }) => name === "Kept elsewhere");
  expect(source?.secretReferences).toEqual([kept]);
  await mine.goto(`/data-sources/${source?.id}`);
  await expect(mine.getByText(kept)).toBeVisible();
  await mine.goto(`/data-sources/${source?.id}/edit`);
  await expect(password).toHaveValue(kept);
  await expect(password).toHaveAttribute("type", "text");
  await expectAccessible(mine);
  // Another login needs a password again: where it is kept is sent along.
  await mine.getByLabel("User").fill("nobody-by-this-name");
  await mine.getByRole("button", { name: "Save" }).click();
  await mine.waitForURL((url) => url.pathname === `/data-sources/${source?.id}`);
  expect(await get(`/data-sources/${source?.id}`)).toMatchObject({
    ...{ connection: { user: "nobody-by-this-name" }, secretReferences: [kept] },
  });
});

test("a bucket is connected with a temporary key, and its tables are there", async () => {
  const storage = await startS3Storage();
  try {
    await storage.put("exports/flights.csv", "id,delay\n1,5\n2,7\n");
    await mine.goto(`/data-sources/new?project=${projectId}`);
    await mine.getByRole("combobox", { name: "Kind" }).click();
    await mine.getByRole("option", { name: "Files" }).click();
    await mine.getByRole("combobox", { name: "Where the files are" }).click();
    await mine.getByRole("option", { name: "S3-compatible storage" }).click();
    await mine.getByLabel("Name", { exact: true }).fill("Exports");
    await mine.getByLabel("Bucket").fill(storage.bucket);
    await mine.getByLabel("Prefix").fill("exports");
    await mine.getByLabel("Endpoint").fill(storage.endpoint);
    await mine.getByLabel("Access key ID").fill(s3Keys.accessKeyId);
    const secretKey = mine.getByLabel("Secret access key", { exact: true });
    await mine.getByLabel("Session token").fill("a token of the journey");
    await mine.getByRole("button", { name: "Test connection" }).click();
    await expect(mine.getByText("is required with a session token")).toBeVisible();
    await secretKey.fill(s3Keys.secretAccessKey);
    await mine.getByRole("button", { name: "Test connection" }).click();
    await expect(mine.getByRole("status").getByText("Found 1 object with 17 bytes")).toBeVisible();
    expect(storage.seen.at(-1)?.headers["x-amz-security-token"]).toBe("a token of the journey");
    await expectAccessible(mine);
    await mine.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(mine).toHaveURL(/\/findings/);
    const id = new URL(mine.url()).searchParams.get("source");
    await mine.goto(`/data-sources/${id}`);
    await expect(
      mine.getByRole("region", { name: "Schema" }).getByRole("button", { name: "flights" }),
    ).toBeVisible();
  } finally {
    await storage.close();
  }
});

test("an unchanged form follows what others save", async () => {
  await mine.goto(`${subscriptionPath}/edit`);
  const timeLimit = mine.getByLabel("Time limit");
  await expect(timeLimit).toHaveValue("120");
  const saved = await api("PUT", subscriptionPath, {
    ...{ queryId, cronExpression: "0 6 * * *", timeoutSeconds: 90 },
  });
  expect(saved.status).toBe(200);
  await expect(timeLimit).toHaveValue("90");
  await expect(mine.getByRole("alert", { name: "Changed by someone else" })).toHaveCount(0);
});

test("what a folder of files owns is changed there, until an Admin takes it over", async () => {
  const folder = join(scratch, "edits-as-code");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "plumbline.yaml"), "stack: acme/airport\n");
  writeFileSync(
    join(folder, "load.yaml"),
    `project: Airport
maintenanceWindows:
  - { name: Nightly load, cronExpression: "0 2 * * *", durationMinutes: 60 }
aiActors:
  - { name: Runway watch, dataSource: Warehouse, instructions: Watch delays., activateImmediately: false }
`,
  );
  const key = (await api("POST", "/api-keys", { name: "Deploy", scopes: ["Admin"] })).body as {
    rawKey: string;
  };
  const apply = async () => {
    const program = join(import.meta.dirname, "../cli/plumbline.mjs");
    const child = spawn(process.execPath, [program, "apply", folder], {
      env: { ...process.env, PLUMBLINE_URL: service.url, PLUMBLINE_API_KEY: key.rawKey },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { stdout, stderr };
  };
  expect(await apply()).toMatchObject({ stdout: expect.stringContaining("2 changes made"), stderr: "" });

  // Of a list, an Editor sees it instead of the form, and cannot remove it either.
  await annas.goto("/incidents/maintenance");
  await annas.getByText("Nightly load", { exact: true }).click();
  const dialog = annas.getByRole("dialog", { name: "Edit “Nightly load”" });
  const notice = dialog.getByRole("region", { name: "Managed as code" });
  await expect(notice).toContainText("acme/airport in load.yaml");
  await expect(notice).toContainText("An Admin can take it over.");
  await expect(dialog.getByLabel("Name")).toHaveCount(0);
  await expectAccessible(annas);
  await annas.keyboard.press("Escape");
  await annas.getByRole("button", { name: "Actions for Nightly load" }).click();
  await annas.getByRole("menuitem", { name: "Remove…" }).click();
  const removal = annas.getByRole("alertdialog", { name: "Remove “Nightly load”?" });
  await removal.getByRole("button", { name: "Remove window" }).click();
  await expect(removal).toContainText("is managed as code, by the stack acme/airport (load.yaml)");

  // Of a page of its own, an Admin takes it over, edits it, and apply does not undo that.
  await mine.goto("/ai-actors");
  await mine.getByRole("link", { name: "Runway watch" }).click();
  await expect(mine.getByRole("heading", { level: 1, name: "Runway watch" })).toBeVisible();
  await mine.getByRole("link", { name: "Edit" }).click();
  // The page before it has the same button.
  await expect(mine.getByRole("heading", { level: 1, name: "Edit Runway watch" })).toBeVisible();
  await expect(mine.getByRole("button", { name: "Save actor" })).toHaveCount(0);
  await mine.getByRole("button", { name: "Take over" }).click();
  await mine.getByRole("alertdialog").getByRole("button", { name: "Take over" }).click();
  await expect(mine.getByRole("region", { name: "Managed as code" })).toContainText(
    "took this AI actor over from acme/airport in load.yaml",
  );
  await mine.getByLabel("Instructions").fill("Watch delays at night.");
  // What said so before the page did is above the button, not over it.
  await expect(mine.getByText("This AI actor can be edited here again")).toBeVisible();
  const lowest = await mine
    .locator("[data-sonner-toaster]")
    .evaluate((toasts) => window.innerHeight - Number.parseFloat(getComputedStyle(toasts).bottom));
  expect(lowest).toBeLessThan((await saveButton(mine).boundingBox())?.y ?? 0);
  await save(mine);
  await expect(mine.getByText("Watch delays at night.")).toBeVisible();
  expect((await apply()).stderr).toContain("the AI actor Runway watch (Airport) was taken over by ");
});

test("subscriptions beyond the first page can be found, sorted, and picked", async () => {
  await stored`
    with made as (
      insert into queries (project_id, name)
      select ${projectId}, 'Watch ' || lpad(n::text, 3, '0') from generate_series(1, 260) n
      returning id
    ), versions as (
      insert into query_versions (query_id, number, status) select id, 1, 'Active' from made
    )
    insert into subscriptions (query_id, project_id, cron_expression, timeout_seconds, condition_kind, create_tasks,
      anomaly_enabled, anomaly_method, anomaly_sensitivity, anomaly_metric, enabled)
    select id, ${projectId}, '0 6 * * *', 60, 'RowsFound', false, false, 'Iqr', 1.5, 'RowCount', false from made`;
  const rows = mine.getByRole("region", { name: "Subscriptions" }).locator("tbody tr");
  await mine.goto("/subscriptions?sort=name");
  await expect(rows.first()).toContainText("Late flights");
  await expect(mine.getByRole("navigation", { name: "Pages of the list" })).toContainText("1–50 of 261");
  await mine.getByRole("button", { name: "Subscription", exact: true }).click();
  await expect(rows.first()).toContainText("Watch 260");
  await expect(mine.getByRole("columnheader", { name: "Subscription", exact: true })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await mine.getByLabel("Search subscriptions").fill("017");
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("Watch 017");
  await expect(mine).toHaveURL(/q=017/);
  await mine.reload();
  await expect(rows).toHaveCount(1);
  await mine.getByLabel("Search subscriptions").fill("0%7");
  await expect(mine.getByText("No subscriptions match these filters")).toBeVisible();

  await mine.goto("/subscriptions?sort=name&page=6");
  await expect(rows).toHaveCount(11);
  await expect(rows.last()).toContainText("Watch 260");

  // Filters of other lists, and the palette.
  await mine.goto("/tasks?status=Open");
  await mine.getByRole("combobox", { name: "Subscription" }).click();
  await expect(mine.getByText("162 more: type to narrow")).toBeVisible();
  await mine.getByPlaceholder("Search subscriptions…").fill("watch 259");
  await mine.getByRole("option", { name: "Watch 259" }).click();
  await expect(mine.getByRole("combobox", { name: "Subscription" })).toContainText("Watch 259");
  // The address follows a moment after the choice.
  await expect(mine).toHaveURL(/subscription\w*=\d+/);
  await mine.reload();
  await expect(mine.getByRole("combobox", { name: "Subscription" })).toContainText("Watch 259");
  await mine.keyboard.press("Control+k");
  await mine.getByRole("combobox", { name: "Go anywhere" }).fill("watch 258");
  await mine.getByRole("option", { name: /Watch 258.*06:00/ }).click();
  await expect(mine).toHaveURL(/\/subscriptions\/\d+/);
  await expect(mine.getByRole("heading", { level: 1 })).toContainText("Watch 258");
});
