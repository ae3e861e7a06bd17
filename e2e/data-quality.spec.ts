import { expect, type Locator, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { enter } from "./enter.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";
import { withhold } from "./withhold.ts";

/** A person writes a contract for a real table, sees its scores, changes it, and archives it. */
const url = sharedUrl;
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_data_quality";

test.describe.configure({ mode: "serial" });

let shop: Sql;
let api: Api;
let page: Page;

test.beforeAll(async ({ browser }) => {
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${database} with (force)`);
    await server.unsafe(`create database ${database}`);
  });
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  shop = postgres(address.href, { max: 1, onnotice: () => {} });
  await shop.unsafe(`
    create table customers (id integer primary key);
    insert into customers select generate_series(1, 8);
    create table orders (id integer, customer_id integer, amount numeric(10, 2), email text);
    -- Ten orders: the ninth is of a customer that is not there, the tenth of none; two amounts and three
    -- email addresses are not as they should be.
    insert into orders values
      (1, 1, 10, 'a@example.com'), (2, 2, 20, 'b@example.com'), (3, 3, 30, null), (4, 4, 40, null),
      (5, 5, 50, null), (6, 6, 60, 'c@example.com'), (7, 7, 1000.01, 'd@example.com'),
      (8, 8, -1, 'e@example.com'), (9, 99, 1000, 'f@example.com'), (10, null, 0, 'g@example.com');
    create table returns (id integer primary key, code text, email text);
    insert into returns
      select n, 'R-' || lpad(n::text, 3, '0'), 'c' || n || '@example.com' from generate_series(1, 30) n;
    analyze;
  `);

  api = await signIn(url);
  const project = await create("/projects", { name: "Shop" });
  const { hostname, port, username, password } = address;
  await create("/data-sources", {
    projectId: project,
    name: "Shop database",
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
  await create("/recipients", {
    projectId: project,
    name: "Shop keepers",
    type: "Email",
    destination: "shop@example.com",
  });
  page = await (await browser.newContext({ baseURL: url })).newPage();
});

test.afterAll(async () => {
  await page.context().close();
  await shop.end();
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

/** Picks from an opening list: of a select, or of a searchable combobox. */
async function pick(within: Page | Locator, label: string, option: RegExp): Promise<void> {
  await within.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).click();
}

/** Adds a rule of a type and returns its item in the list, expanded. */
async function addRule(type: string): Promise<Locator> {
  const rules = page.getByRole("region", { name: /^Rules/ }).locator("ol > li");
  const count = await rules.count();
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("menuitem", { name: new RegExp(`^${type}`) }).click();
  await expect(rules).toHaveCount(count + 1);
  return rules.nth(count);
}

/** Unfolds what a rule can say beside what it begins with. */
const unfold = (rule: Locator) => rule.locator("summary").filter({ hasText: /^More/ }).click();

/** The line of a rule on the contract's page. */
const ruleLine = (name: string) =>
  page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });

/** A figure above the history, with its surrounding text. */
const figures = () => page.getByRole("main");

async function evaluate(score: string): Promise<void> {
  await page.getByRole("button", { name: "Evaluate now" }).click();
  await expect(page.getByText(`Evaluated: ${score}`)).toBeVisible();
}

test("signing in opens the overview", async () => {
  await enter(page, "/data-quality");
  await expect(page.getByRole("heading", { name: "Data quality", level: 1 })).toBeVisible();
});

test("an incomplete contract shows beside each field what is missing", async () => {
  await page.goto("/data-quality/contracts/new");
  await pick(page, "Data source", /^Shop database/);
  const nulls = await addRule("Null rate");
  await page.getByRole("button", { name: "Create contract" }).click();
  await expect(page.getByText("Table is required")).toBeVisible();
  await expect(page.getByText("Name is required")).toBeVisible();
  await expect(nulls.getByText("Column is required")).toBeVisible();
  await expect(nulls.getByText("2 problems")).toBeVisible();
});

test("leaving with unsaved changes asks for confirmation", async () => {
  await page.getByRole("link", { name: "Data sources" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/contracts\/new/);
  await page.getByRole("link", { name: "Data sources" }).click();
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await expect(page).toHaveURL(/\/data-sources/);
});

test("a contract is written in the editor, with columns picked from the real table", async () => {
  await page.goto("/data-quality/contracts/new");
  await pick(page, "Data source", /^Shop database/);
  await pick(page, "Table", /^public\.orders/);
  await page.getByLabel("Name", { exact: true }).fill("Orders: what the shop relies on");

  const nulls = await addRule("Null rate");
  await pick(nulls, "Column", /^email\s*text/);
  await nulls.getByLabel("At most (% NULL)").fill("10");

  const range = await addRule("Range");
  await pick(range, "Column", /^amount\s*numeric/);
  await range.getByLabel("From").fill("0");
  await range.getByLabel("To").fill("1000");
  await unfold(range);
  await pick(range, "Severity", /^High/);
  await range.getByLabel("Name").fill("Amount is plausible");

  const referential = await addRule("Referential");
  await pick(referential, "Column", /^customer_id/);
  await pick(referential, "Reference table", /^public\.customers/);
  // The reference table's only key is selected as the column.
  await expect(referential.getByRole("combobox", { name: "Reference column" })).toHaveText("id");
  await unfold(referential);
  await pick(referential, "Severity", /^Critical/);
  await referential.getByLabel("Name").fill("Customer exists");

  const unique = await addRule("Uniqueness");
  await pick(unique, "Column", /^id\s*integer/);
  await unfold(unique);
  await pick(unique, "Severity", /^Low/);

  const custom = await addRule("Custom SQL");
  await custom
    .getByRole("textbox", { name: "SQL" })
    .fill("select 0 as passed, 50 as score, 'half' as actual_value");
  await unfold(custom);
  await custom.getByLabel("Name").fill("Half of it");

  // Medium 2, High 3, Critical 4, Low 1, Medium 2: twelfths of the score.
  await expect(referential.getByText("33.3 %").first()).toBeVisible();
  await expect(unique.getByText("8.3 %").first()).toBeVisible();

  await page.getByLabel("Cron expression").fill("30 6 * * 1-5");
  await expect(page.getByText("At 06:30, Monday through Friday")).toBeVisible();
  await expect(page.getByRole("list", { name: "Next runs" }).getByRole("listitem")).toHaveCount(5);
  await page.getByRole("checkbox", { name: "Shop keepers" }).check();
  await page.getByRole("button", { name: "Create contract" }).click();

  await expect(
    page.getByRole("heading", { name: "Orders: what the shop relies on", level: 1 }),
  ).toBeVisible();
  await expect(page.getByText("No evaluations yet")).toBeVisible();
  await expect(page.getByText("Shop keepers")).toBeVisible();
});

test("its evaluation has the scores computed by hand, and what each rule costs", async () => {
  // Null rate: 3 of 10 are NULL, 30% instead of 10: 100 − (30 − 10) = 80, weight 2.
  // Range: 2 of 10 are outside: (1 − 2/10) × 100 = 80, weight 3. Referential: one orphan: 0, weight 4.
  // Uniqueness passes: 100, weight 1. Custom SQL returns 50, weight 2.
  // (80 × 2 + 80 × 3 + 0 × 4 + 100 × 1 + 50 × 2) / 12 = 600 / 12 = 50.
  await evaluate("50.00");
  await expect(figures().getByText("Below 80", { exact: true })).toBeVisible();
  for (const [name, ...texts] of [
    ["Null rate of email", "Failed", "16.7 %", "80.00", "−3.33"],
    ["Amount is plausible", "Failed", "25.0 %", "80.00", "−5.00"],
    ["Customer exists", "Failed", "33.3 %", "0.00", "−33.33"],
    ["Uniqueness of id", "Passed", "8.3 %", "100.00"],
    ["Half of it", "Failed", "16.7 %", "50.00", "−8.33", "half"],
  ] as const)
    for (const text of texts) await expect(ruleLine(name)).toContainText(text);
  // What costs most comes first.
  await expect(page.getByRole("table").last().getByRole("row").nth(1)).toContainText("Customer exists");
});

test("a rule expands into its result and its configuration", async () => {
  const line = ruleLine("Half of it");
  await line.getByRole("button", { name: /Half of it/ }).click();
  await expect(
    page.getByText("select 0 as passed, 50 as score, 'half' as actual_value").last(),
  ).toBeVisible();
  await expect(page.getByText("50.00, which costs 8.33 points")).toBeVisible();
});

test("corrected data shows a better score, a trend, and a history", async () => {
  await shop`update orders set customer_id = 1 where customer_id = 99`;
  // Referential passes now: (160 + 240 + 400 + 100 + 100) / 12 = 1000 / 12 = 83.33, 33.33 more than before.
  await evaluate("83.33");
  await expect(figures().getByText("Meets 80", { exact: true }).first()).toBeVisible();
  await expect(figures().getByText("33.33").first()).toBeVisible();
  await expect(figures().getByText("Improving").first()).toBeVisible();
  await expect(ruleLine("Customer exists")).toContainText("Passed");

  // The arrow keys move through the history, and the rules follow.
  const history = page.getByRole("slider", { name: /Evaluation shown below/ });
  await expect(history).toHaveAttribute("aria-valuemax", "2");
  await history.press("ArrowLeft");
  await expect(ruleLine("Customer exists")).toContainText("Failed");
  await expect(page).toHaveURL(/evaluation=\d+/);
  await page.getByRole("button", { name: "Show the latest" }).click();
  await expect(ruleLine("Customer exists")).toContainText("Passed");

  await page.getByRole("button", { name: "As a table" }).click();
  const table = page.getByRole("region", { name: "Evaluations" });
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(table.getByRole("row").nth(1)).toContainText("+33.33");
  await page.getByRole("button", { name: "As a chart" }).click();
});

test("an edit keeps the results of rules that it leaves as they are, and is evaluated at once", async () => {
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("switch", { name: "Half of it: enabled" }).click();
  await expect(page.getByText(/Rules that you did not change keep their results/)).toBeVisible();
  const rules = page.getByRole("region", { name: /^Rules/ }).locator("ol > li");
  await rules
    .nth(1)
    .getByRole("button", { name: /^Amount is plausible/ })
    .first()
    .press("Alt+ArrowUp");
  await expect(rules.first()).toContainText("Amount is plausible");
  await page.getByRole("button", { name: "Save and evaluate" }).click();

  // Without the custom rule's two twelfths: (160 + 240 + 400 + 100) / 10 = 90, 6.67 more than 83.33.
  await expect(page.getByText("Evaluated: 90.00")).toBeVisible();
  await page.getByRole("slider").press("ArrowLeft");
  await expect(ruleLine("Half of it")).toContainText(/Passed|Failed/);
  await expect(page.getByText("judged by version 1 of now 2")).toBeVisible();
  await page.getByRole("button", { name: "Show the latest" }).click();
  await expect(figures().getByText("6.67").first()).toBeVisible();
  await expect(ruleLine("Half of it")).toContainText("Disabled");
});

test("what the editor loads later can fail and be loaded again, and what was typed stays", async () => {
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByRole("heading", { name: /^Edit/ })).toBeVisible();
  const address = page.url();
  const other = await page.context().newPage();
  // The definitions of rules.
  const release = await withhold(other, "Every number in a column is between two bounds");
  const failed = other.waitForEvent("requestfailed");
  await other.goto(address);
  const rule = other
    .getByRole("region", { name: /^Rules/ })
    .locator("ol > li")
    .first();
  await failed;
  // The sentence has come with the page.
  await expect(rule).toContainText("Every amount is between 0 and 1000");
  await rule
    .getByRole("button", { name: /^Amount is plausible/ })
    .first()
    .click();
  await expect(rule.getByText("The form of this rule could not be loaded")).toBeVisible();
  await expectAccessible(other);
  await other.getByLabel("Description").fill("Typed in the meantime");
  // A rule that says something else has no sentence of before.
  await rule.getByRole("switch").click();
  await rule
    .getByRole("button", { name: /^Amount is plausible/ })
    .first()
    .click();
  await expect(rule).not.toContainText("Every amount");
  await other.getByRole("button", { name: "Save contract" }).click();
  await expect(other.getByText("A part of this page could not be loaded")).toBeVisible();

  release();
  await rule
    .getByRole("button", { name: /^Amount is plausible/ })
    .first()
    .click();
  await expect(rule.getByLabel("From")).toHaveValue("0");
  await expect(rule.getByText(/^Every amount is between 0 and 1000.*disabled\.$/)).toBeVisible();
  await expect(other.getByLabel("Description")).toHaveValue("Typed in the meantime");
  await other.close();
  await page.getByRole("link", { name: "Cancel" }).click();
});

test("its versions are compared, and an earlier one is restored", async () => {
  await page.getByRole("tab", { name: /Versions/ }).click();
  const versions = page.getByRole("region", { name: "Versions" });
  await expect(versions.getByRole("row")).toHaveCount(3);
  await expect(versions.getByRole("row").nth(1)).toContainText("Rule “Half of it” changed");
  const comparison = page.getByRole("region", { name: "Comparison" });
  const changed = comparison.getByRole("region", { name: "Rule Half of it" });
  await expect(changed.locator("del")).toHaveText("on");
  await expect(changed.locator("ins")).toHaveText("off");
  await expectAccessible(page);

  for (const [number, restored] of [
    [1, 3],
    [2, 4],
  ]) {
    await versions.getByRole("button", { name: `Restore version ${number}` }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog.getByRole("region", { name: "Rule Half of it" })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Restore version" }).click();
    await expect(page.getByText(`Version ${number} is restored as version ${restored}`)).toBeVisible();
  }
  await expect(versions.getByRole("row").nth(1)).toContainText("Restored version 2");
  await page.getByRole("tab", { name: "Quality" }).click();
  await expect(ruleLine("Half of it")).toContainText("Disabled");
});

test("the list and the overview show it, with keyboard navigation", async () => {
  await page.goto("/data-quality/contracts?q=shop");
  const row = page.getByRole("row", { name: /Orders: what the shop relies on/ });
  for (const text of ["90.00", "Meets 80", "2 of 4 failed"]) await expect(row).toContainText(text);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/contracts\/\d+/);

  await page.goto("/data-quality?q=orders");
  const table = page
    .getByRole("row", { name: /public\.orders/ })
    .filter({ hasText: "Orders: what the shop relies on" });
  for (const text of ["90.00", "Healthy", "Improving", "Orders: what the shop relies on"])
    await expect(table).toContainText(text);
  await table.getByRole("link", { name: "Orders: what the shop relies on" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Orders: what the shop relies on");
});

test("an archived contract leaves the list, and its URL is not found", async () => {
  await page.getByRole("button", { name: "More about this contract" }).click();
  await page.getByRole("menuitem", { name: "Archive…" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("public.orders");
  const address = page.url();
  await dialog.getByRole("button", { name: "Archive contract" }).click();
  await expect(page).toHaveURL(/\/contracts$/);
  await expect(page.getByRole("row", { name: /Orders: what the shop relies on/ })).toHaveCount(0);
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Orders: what the shop relies on");
});

test("a table without a contract is listed in the overview, and rules are suggested for it", async () => {
  await page.goto("/data-quality");
  // Without any contract, the tables are below the first steps.
  const source = page.getByRole("region", { name: /^Shop database/ });
  await source.getByRole("button", { name: /tables without a contract/ }).click();
  await expectAccessible(page);
  await source.getByRole("link", { name: "New contract for public.returns" }).click();
  await expect(page.getByRole("combobox", { name: "Table", exact: true })).toHaveText("public.returns");

  const dialog = page.getByRole("dialog", { name: "Suggested rules for returns" });
  // What is wrong comes first, although nothing has scanned the table.
  await shop`update returns set email = null where id = 5`;
  await page.getByRole("button", { name: "Suggest rules" }).click();
  const wrong = dialog.getByRole("region", { name: "Fails today" }).getByRole("listitem");
  await expect(wrong).toHaveCount(1);
  await expect(wrong).toContainText("No missing values: email");
  await expect(wrong).toContainText("1 of 30 rows of returns has no email");
  await expect(wrong).toContainText("Fails: 1 row");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await shop`update returns set email = 'c5@example.com' where id = 5`;

  await page.getByRole("button", { name: "Suggest rules" }).click();
  await expect(dialog.getByRole("region", { name: "Fails today" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Add: email is never NULL" }).click();
  await dialog.getByRole("button", { name: "Add: code is unique" }).click();
  await expect(dialog.getByRole("button", { name: "Added: code is unique" })).toBeVisible();
  await expect(dialog.getByText("30 values in all 30 rows, all different").first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("region", { name: "Rules (2)" })).toBeVisible();
});

test("a rule, and the whole contract, can be tried before saving", async () => {
  const rules = page.getByRole("region", { name: /^Rules/ }).locator("ol > li");
  const code = rules.nth(1);
  await code.getByRole("button", { name: /^code is unique/ }).click();
  await code.getByRole("button", { name: "Try it" }).click();
  await expect(code.getByText("Would pass")).toBeVisible();

  // One code is repeated: the rule would fail, and the trial shows it.
  await shop`update returns set code = 'R-001' where id = 2`;
  await code.getByRole("button", { name: "Try again" }).click();
  await expect(code.getByText("Would fail")).toBeVisible();
  await expect(code.getByRole("cell", { name: "R-001" })).toBeVisible();
  // Medium 2 and High 3: without the code two fifths are left.
  await page.getByRole("button", { name: "Try all" }).click();
  await expect(page.getByText("Would score 40.00")).toBeVisible();
  await expect(page.getByText("below the threshold of 80, 1 passed, 1 failed")).toBeVisible();

  await expectAccessible(page);
  await shop`update returns set code = 'R-002' where id = 2`;
  await page.getByRole("button", { name: "Try all" }).click();
  await expect(page.getByText("Would score 100.00")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).first().fill("Returns");
  await page.getByRole("button", { name: "Create contract" }).click();
  await expect(page.getByRole("heading", { name: "Returns", level: 1 })).toBeVisible();
});

test("a failing rule shows its rows, since when it has failed, and what changed", async () => {
  await evaluate("100.00");
  await shop`update returns set email = null where id <= 25`;
  // 25 of 30 are NULL: 100 − 83.33 = 16.67, with 2 of 5 of the weight: (33.33 + 300) / 5 = 66.67.
  await evaluate("66.67");
  const changes = page.getByRole("region", { name: "What changed" });
  await expect(changes.getByRole("listitem").first()).toContainText("Newly failing");
  await expect(changes.getByRole("listitem").first()).toContainText("email is never NULL");
  await expect(changes.getByText("100.00 → 66.67 (−33.33)")).toBeVisible();

  await ruleLine("email is never NULL")
    .getByRole("button", { name: /email is never NULL/ })
    .click();
  await expect(page.getByText("20 of 25")).toBeVisible();
  const rows = page.getByRole("region", { name: "Failing rows of email is never NULL" });
  await expect(rows.getByRole("columnheader", { name: "email masked" })).toBeVisible();
  await expect(rows.getByRole("cell", { name: "NULL", exact: true })).toHaveCount(20);
  await expect(page.getByRole("img", { name: "Score in 2 evaluations, 1 of them failed" })).toBeVisible();
  await expectAccessible(page);
});

test("a contract can be exported and imported as a file", async () => {
  await page.getByRole("button", { name: "More about this contract" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as YAML" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("returns.odcs.yaml");

  await page.goto("/data-quality/contracts/import");
  await pick(page, "Data source", /^Shop database/);
  await page.getByLabel("Or paste it").fill("apiVersion: v3.1.0\nkind: Nothing");
  await page.getByRole("button", { name: "Check the files" }).click();
  await expect(page.getByRole("alert").getByText(/Open Data Contract Standard/)).toBeVisible();

  await page.getByLabel("Choose files").setInputFiles(await file.path());
  await page.getByRole("button", { name: "Check the files" }).click();
  const found = page.getByRole("list", { name: "Contracts of the file" });
  for (const text of ["returns", "email is never NULL", "code is unique"])
    await expect(found).toContainText(text);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create 1 contract" }).click();
  await expect(page.getByText("1 contract created")).toBeVisible();
  await page.getByRole("list", { name: "Created contracts" }).getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Returns", level: 1 })).toBeVisible();
  await evaluate("66.67");
});

test("a contract can be duplicated", async () => {
  await page.getByRole("button", { name: "More about this contract" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(page.getByRole("heading", { name: "New contract", level: 1 })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true }).first()).toHaveValue("Returns (copy)");
  await page.getByRole("button", { name: "Create contract" }).click();
  await expect(page.getByRole("heading", { name: "Returns (copy)", level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Rules (2)" })).toBeVisible();
  await expect(page.getByText("No evaluations yet")).toBeVisible();
});

test("columns are approved by one press, and changes since then are shown", async () => {
  await page.goto("/data-quality/contracts/new");
  const columns = await addRule("Schema");
  await expect(columns.getByRole("button", { name: "Take the present columns" })).toBeDisabled();
  await pick(page, "Data source", /^Shop database/);
  await pick(page, "Table", /^public\.returns/);
  await page.getByLabel("Name", { exact: true }).first().fill("Columns of returns");
  // Nothing is approved yet, and the field says so.
  await columns.getByRole("button", { name: "Try it" }).click();
  await expect(columns.getByText("The list of approved columns is required.")).toBeVisible();
  await columns.getByRole("button", { name: "Take the present columns" }).click();
  const approved = columns.getByRole("region", { name: "Approved columns" });
  await expect(approved.getByRole("row")).toHaveText([
    /column\s*type\s*NULL/,
    /id\s*integer\s*not null/,
    /code\s*text\s*may be NULL/,
    /email\s*text\s*may be NULL/,
  ]);
  await columns.getByRole("button", { name: "Try it" }).click();
  await expect(columns.getByText("Would pass")).toBeVisible();
  await expect(columns.getByText("no change")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create contract" }).click();
  await expect(page.getByRole("heading", { name: "Columns of returns", level: 1 })).toBeVisible();
  await evaluate("100.00");
});

test("altered columns fail the rule, and pass once they are approved as they are", async () => {
  await shop`alter table returns drop column email`;
  await shop`alter table returns alter code type varchar(20)`;
  await shop`alter table returns add seen date`;
  await evaluate("0.00");
  await ruleLine("Schema")
    .getByRole("button", { name: /^Schema/ })
    .click();
  const changes = page.getByRole("region", { name: "Changes of Schema" });
  await expect(changes.getByRole("row")).toHaveText([
    /change\s*column\s*approved\s*now\s*effect/,
    /column removed\s*email\s*text\s*–\s*fails/,
    /type changed\s*code\s*text\s*character varying\(20\)\s*fails/,
    /column added\s*seen\s*–\s*date\s*reported only/,
  ]);
  await expect(page.getByText("email (text) was removed")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Approve as it is now" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve the columns of returns?" });
  await expect(dialog.getByRole("region", { name: "What would be approved" }).getByRole("row")).toHaveCount(
    4,
  );
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("Approved as version 2")).toBeVisible();
  // The note of an earlier evaluation may still be there.
  await expect(page.getByText("Evaluated: 100.00").first()).toBeVisible();
  await expect(page.getByText(/judged by version 2/)).toBeVisible();

  await page.getByRole("tab", { name: /^Versions/ }).click();
  await expect(page.getByText("column removed: email")).toBeVisible();
});

test("one failing group is marked as known, counts no longer, and is listed beside the alerts until it is ended", async () => {
  await shop`create table parcels (id integer primary key, country text not null, kg integer not null)`;
  // Two of ten are out of range: one of four in Portugal, one of six elsewhere.
  await shop`insert into parcels values (1, 'PT', 900), (2, 'PT', 1), (3, 'PT', 1), (4, 'PT', 1),
    (5, 'ES', 900), (6, 'ES', 2), (7, 'ES', 2), (8, 'FR', 3), (9, 'FR', 3), (10, 'FR', 3)`;
  const { body } = await api("GET", "/data-sources");
  const { items } = body as { items: { id: number; name: string }[] };
  const id = await create("/data-quality/contracts", {
    ...{ name: "Parcels", dataSourceId: items.find(({ name }) => name === "Shop database")?.id },
    ...{ schemaName: "public", tableName: "parcels", cronExpression: "0 6 * * *", samples: "Full" },
    rules: [
      {
        ...{ name: "Weight", type: "Range", column: "kg", severity: "Medium", weight: 1 },
        configuration: { min: 0, max: 100, groupBy: ["country"] },
      },
    ],
  });
  await page.goto(`/data-quality/contracts/${id}`);
  await evaluate("80.00");
  // The first evaluation's rules take the place of those that had no results.
  await expect(ruleLine("Weight")).toContainText("Failed");
  await ruleLine("Weight")
    .getByRole("button", { name: /Weight/ })
    .click();
  await page.getByRole("button", { name: "Known, until…" }).click();
  await page.getByRole("menuitem", { name: "country = PT" }).click();
  const dialog = page.getByRole("dialog", { name: "Mark as known: Weight, country = PT" });
  await dialog.getByLabel("Reason").fill("The scales in Porto");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Mark as known" }).click();
  const list = page.getByRole("list", { name: "Known failures" });
  await expect(list.getByRole("listitem")).toHaveText(/^Weight: country = PT until .*: The scales in Porto/);

  // Without Portugal, 1 of 6 rows is out of range: 83.33.
  await evaluate("83.33");
  await list.getByRole("button", { name: "End what is known of Weight, country = PT" }).click();
  await expect(list).toHaveCount(0);
  const { body: again } = await api("POST", `/data-quality/contracts/${id}/evaluate`);
  expect(again).toMatchObject({ overallScore: 80 });
});

test("a rule that learns what is usual is tried with its course and what was usual beside it", async () => {
  await shop`create table visits (id integer primary key)`;
  await shop`insert into visits select generate_series(1, 30)`;
  const { body } = await api("GET", "/data-sources");
  const { items } = body as { items: { id: number; name: string }[] };
  const id = await create("/data-quality/contracts", {
    ...{ name: "Visits", dataSourceId: items.find(({ name }) => name === "Shop database")?.id },
    ...{ schemaName: "public", tableName: "visits", cronExpression: "0 6 * * *" },
    rules: [{ name: "As many as usual", type: "Volume", configuration: { usual: "Both" } }],
  });
  for (let n = 0; n < 15; n++) await api("POST", `/data-quality/contracts/${id}/evaluate`);
  await shop`insert into visits select generate_series(31, 600)`;
  await page.goto(`/data-quality/contracts/${id}/edit`);
  const rule = page
    .getByRole("region", { name: /^Rules/ })
    .locator("ol > li")
    .first();
  await rule.getByRole("button", { name: /^As many as usual/ }).click();
  await rule.getByRole("button", { name: "Try it" }).click();
  await expect(rule.getByText("Would fail")).toBeVisible();
  await expect(rule.getByText("Above what is usual")).toBeVisible();
  // The fifteen before, and this one, which is the only one that is not usual.
  await expect(rule.getByRole("img", { name: "Rows in 16 evaluations, 1 of them failed" })).toBeVisible();
  await expect(rule.getByText(/^600, .*, usually \d+ to \d+$/)).toBeVisible();
  await expectAccessible(page);
});

test("rules are edited as YAML, with what is wrong told by its line, and are in the form at once", async () => {
  const { body } = await api("GET", "/data-quality/contracts");
  const { items } = body as { items: { id: number; name: string }[] };
  const id = items.find(({ name }) => name === "Parcels")?.id;
  await page.goto(`/data-quality/contracts/${id}/edit`);
  await page.getByRole("tab", { name: "YAML" }).click();
  const text = page.getByLabel("Rules as YAML");
  await expect(text).toHaveValue(/^- name: Weight\n {2}type: Range\n {2}configuration:\n/);
  await expectAccessible(page);

  const valid = await text.inputValue();
  await text.fill(
    valid.replace('max: "100"', 'max: "50"\n    most: 7').replace("max: 100", "max: 50\n    most: 7"),
  );
  const problem = page.getByRole("button", { name: /Line 7: configuration.most: is not a known property/ });
  await expect(problem).toBeVisible();
  // Neither saved nor left while something is wrong.
  await page.getByRole("button", { name: "Save contract" }).click();
  await expect(page.getByText("The YAML is not valid yet; see the lines above.")).toBeVisible();
  await page.getByRole("tab", { name: "Form" }).click();
  await expect(text).toBeFocused();

  await text.fill((await text.inputValue()).replace("\n    most: 7", ""));
  await expect(problem).toHaveCount(0);
  await page.getByRole("tab", { name: "Form" }).click();
  await expect(page.getByRole("button", { name: /^Weight/ })).toContainText(
    "Every kg is between 0 and 50, by country",
  );
  await page.getByRole("button", { name: "Save contract" }).click();
  await expect(page).toHaveURL(new RegExp(`/contracts/${id}(\\?|$)`));
  const { body: saved } = await api("GET", `/data-quality/contracts/${id}`);
  expect(saved).toMatchObject({ rules: [{ name: "Weight", configuration: { max: "50" } }] });
});

test("another tool's checks are imported: planned first, then as contracts, and nothing twice", async () => {
  const json = (name: string, content: object) => ({
    ...{ name, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(content)) },
  });
  const model = {
    resource_type: "model",
    name: "returns",
    schema: "public",
    alias: "returns",
    package_name: "shop",
  };
  const aTest = (name: string, column: string) => ({
    ...{ resource_type: "test", name: `${name}_returns_${column}`, package_name: "shop", config: {} },
    ...{ original_file_path: "models/shop.yml", attached_node: "model.shop.returns", column_name: column },
    ...{ test_metadata: { name, kwargs: {} }, depends_on: { nodes: ["model.shop.returns"], macros: [] } },
  });
  const manifest = {
    metadata: {
      dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json",
      ...{ dbt_version: "1.10.0", project_name: "shop" },
    },
    nodes: {
      "model.shop.returns": model,
      "test.shop.a": aTest("unique", "code"),
      "test.shop.b": aTest("not_null", "seen"),
      "test.shop.c": aTest("is_odd", "id"),
    },
    sources: {},
  };
  const plan = page.getByRole("list").filter({ hasText: "returns (dbt)" }).first();
  const checkFiles = page.getByRole("button", { name: "Check the files" });

  await page.goto("/data-quality/contracts/import");
  await pick(page, "Data source", /^Shop database/);
  await page.getByLabel("Choose files").setInputFiles([json("people.json", { people: 3 })]);
  const files = page.getByRole("list", { name: "Chosen files" });
  await expect(files).toContainText("The file is neither dbt's manifest.json");
  await expect(checkFiles).toBeDisabled();
  await page.getByRole("button", { name: "Remove people.json" }).click();

  for (const isAgain of [false, true]) {
    await page.getByLabel("Choose files").setInputFiles([json("manifest.json", manifest)]);
    await expect(files).toContainText("dbt manifest");
    await checkFiles.click();
    await expect(plan).toContainText("code: unique");
    await expect(plan).toContainText("No code occurs twice; High severity.");
    await expect(page.getByRole("region", { name: "Not carried over" })).toContainText("models/shop.yml");
    if (isAgain) {
      await expect(page.getByRole("button", { name: /^New rules 0/ })).toBeVisible();
      break;
    }
    await expectAccessible(page);
    await page.getByRole("searchbox", { name: "Search the plan" }).fill("seen");
    await expect(plan).not.toContainText("code: unique");
    await page.getByRole("button", { name: "Import 2 changes" }).click();
    await expect(page.getByText("2 new rules, 0 updated")).toBeVisible();
    await expect(page.getByRole("link", { name: "Open returns (dbt)" })).toBeVisible();
    await page.getByRole("button", { name: "Import more files" }).click();
  }
  await page.goto("/data-quality/contracts");
  await page.getByRole("link", { name: "returns (dbt)" }).click();
  await expect(page.getByRole("heading", { name: "returns (dbt)", level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Rules (2)" })).toBeVisible();
});
