import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { openAs } from "./enter.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";
import { withhold } from "./withhold.ts";

/** A person writes a query over two databases, runs it, changes it, compares its versions, and locks it. */
const url = sharedUrl;
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const databases = { shop: "e2e_queries_shop", returns: "e2e_queries_returns" };

test.describe.configure({ mode: "serial" });

let api: Api;
let page: Page;
let project: number;
let queryUrl: string;

test.beforeAll(async ({ browser }) => {
  await withServer(serverUrl, async (server) => {
    for (const name of Object.values(databases)) {
      await server.unsafe(`drop database if exists ${name} with (force)`);
      await server.unsafe(`create database ${name}`);
    }
  });
  await withServer(addressOf(databases.shop).href, (shop) =>
    shop.unsafe(`
      create table orders (id integer primary key, region text, amount numeric(10, 2), tracking bigint);
      insert into orders values
        (1, 'north', 10.50, 9007199254740993), (2, 'north', 99.90, null), (3, 'south', 5.00, 3),
        (4, 'south', 250.00, 4), (5, null, 1000.00, 5);
    `),
  );
  await withServer(addressOf(databases.returns).href, (returns) =>
    returns.unsafe(`
      create table returned (order_id integer, reason text);
      insert into returned values (2, 'late'), (4, 'broken'), (5, E'too large,\\nsent back');
    `),
  );
  api = await signIn(url);
  project = await create("/projects", { name: "Query shop" });
  await connect("Shop", databases.shop);
  await connect("Returns", databases.returns);
  page = await browser.newPage({ baseURL: url });
});

test.afterAll(async () => {
  await page.close();
  await withServer(serverUrl, async (server) => {
    for (const name of Object.values(databases))
      await server.unsafe(`drop database if exists ${name} with (force)`);
  });
});

function addressOf(database: string): URL {
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  return address;
}

async function withServer(address: string, work: (server: Sql) => PromiseLike<unknown>): Promise<void> {
  const server = postgres(address, { max: 1, onnotice: () => {} });
  await work(server);
  await server.end();
}

async function create(path: string, body: object): Promise<number> {
  const created = await api("POST", path, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return (created.body as { id: number }).id;
}

async function connect(name: string, database: string): Promise<void> {
  const { hostname, port, username, password } = addressOf(database);
  await create("/data-sources", {
    projectId: project,
    name,
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
}

const sql = () => page.getByRole("textbox", { name: "SQL", exact: true });
const result = () => page.getByRole("region", { name: "Result" });
const grid = () => page.getByRole("grid", { name: "Rows of the result" });

/** The rows of the result, cell by cell, without row numbers. */
async function rows(): Promise<string[][]> {
  return grid()
    .locator("tbody tr:not([aria-hidden])")
    .evaluateAll((lines) =>
      lines.map((line) => [...line.querySelectorAll("td")].map((cell) => cell.textContent)),
    );
}

async function pick(label: string, option: string | RegExp, within: Page | Locator = page): Promise<void> {
  await within.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).click();
}

/** The query, as stored by the service. */
async function stored() {
  const { body } = await api("GET", `/queries/${/\/queries\/(\d+)/.exec(queryUrl)?.[1]}`);
  return body as {
    id: number;
    name: string;
    activeVersion: number;
    folderId: number | null;
    folderPath: string | null;
    steps: { order: number; sql: string }[];
  };
}

async function save(button = "Save"): Promise<void> {
  await page
    .getByRole("region", { name: "Saving" })
    .getByRole("button", { name: button, exact: true })
    .click();
}

test("without queries the page says what it is for, and folders can be created first", async () => {
  await openAs(page, `${url}/queries?project=${project}`);
  await expect(page.getByText("No queries yet")).toBeVisible();

  const make = async (name: string) => {
    await page.getByRole("button", { name: "More about queries" }).click();
    await page.getByRole("menuitem", { name: "New folder…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Create folder" }).click();
  };
  await make("Sales");
  await expect(page.getByRole("button", { name: "Sales", exact: true })).toBeVisible();
  await make("Sales");
  await expect(page.getByRole("dialog")).toContainText("A folder with this name already exists here");
  await page.keyboard.press("Escape");
});

test("SQL completes from the real tables, and Ctrl-Enter runs it with its parameters", async () => {
  await page.getByRole("button", { name: "Sales", exact: true }).click();
  await expect(page).toHaveURL(/folder=\d+/);
  await page.getByRole("link", { name: "New query" }).first().click();
  await expect(page.getByRole("heading", { name: "New query", level: 1 })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Folder" })).toHaveText("Sales");
  await page.getByLabel("Name", { exact: true }).fill("Returned orders");
  await pick("Data source", /^Shop/);

  await sql().click();
  await page.keyboard.type("select id, region, amount, tracking from ord");
  const offers = page.locator(".cm-tooltip-autocomplete");
  await expect(offers.getByText("orders", { exact: true })).toBeVisible();
  await sql().fill("select id, region, amount, tracking\nfrom orders where amount > {{least}} order by id");
  await expect(page.locator(".cm-parameter")).toHaveText("{{least}}");
  await pick("Type of least", "Number");
  await sql().press("Control+Enter");
  await expect(page.getByText("The value is required")).toBeVisible();
  await page.getByLabel("least", { exact: true }).fill("10");
  await sql().press("Control+Enter");

  await expect(result()).toContainText("4 rows");
  // Exact to the last digit, and NULL differs from empty text.
  expect(await rows()).toEqual([
    ["1", "north", "10.50", "9007199254740993"],
    ["2", "north", "99.90", "NULL"],
    ["4", "south", "250.00", "4"],
    ["5", "NULL", "1000.00", "5"],
  ]);
  await expect(grid().getByRole("columnheader", { name: /tracking/ })).toContainText("bigint");
});

test("completion offers tables first, and after a dot only columns", async () => {
  const offers = page.locator(".cm-tooltip-autocomplete");
  const labels = () => offers.locator(".cm-completionLabel").allTextContents();
  await sql().fill("");
  await sql().click();
  await page.keyboard.type("select * from or");
  await expect(offers.getByRole("option").first()).toHaveText("orders");
  await expect(offers.locator("completion-section").first()).toHaveText("Tables");
  // The editor takes no key until the list has been open for a moment.
  await offers.getByRole("option").first().click();
  await page.keyboard.type(" o where o.");
  await expect(offers.getByRole("option")).toHaveCount(4);
  expect((await labels()).toSorted()).toEqual(["amount", "id", "region", "tracking"]);
  await page.keyboard.type("reg");
  await expect(offers.getByRole("option")).toHaveCount(1);
  await offers.getByRole("option").first().click();
  await expect(sql()).toHaveText("select * from orders o where o.region");
  await expect(sql()).toHaveCSS("font-variant-ligatures", "none");
});

test("the tables stand beside the SQL: found by a column, written by a press or by keys", async () => {
  await sql().fill("select ");
  await sql().press("End");
  await page.getByRole("button", { name: "Tables", exact: true }).click();
  const tree = page.getByRole("tree", { name: "Tables and columns" });
  await expect(tree.getByRole("treeitem")).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search tables and columns" }).fill("nothing");
  await expect(page.getByText("No tables or columns match.")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search tables and columns" }).fill("track");
  await tree.getByRole("treeitem", { name: "tracking" }).click();
  await expect(sql()).toHaveText("select tracking");
  await expect(sql()).toBeFocused();
  await page.getByRole("searchbox", { name: "Search tables and columns" }).fill("");
  await tree.getByRole("treeitem", { name: "orders" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(tree.getByRole("treeitem", { name: "id" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(sql()).toHaveText("select tracking, id");
  await page.keyboard.type(" from ");
  await tree.getByRole("treeitem", { name: "orders" }).click();
  await expect(sql()).toHaveText("select tracking, id from orders");
  await expectAccessible(page);
});

test("the selection runs alone, with the values it uses and through the same gate", async () => {
  await expect(page.getByRole("button", { name: "Run the selection" })).toHaveCount(0);
  await sql().fill("select id from orders where amount > {{least}} order by id\n;drop table orders");
  await sql().press("Control+Home");
  await sql().press("Shift+End");
  await expect(page.getByRole("button", { name: "Run the selection" })).toBeVisible();
  await sql().press("Control+Shift+Enter");
  await expect(result()).toContainText("Of the selection: 1 column");
  expect(await rows()).toEqual([["1"], ["2"], ["4"], ["5"]]);
  await sql().press("Control+End");
  await sql().press("Shift+Home");
  await page.getByRole("button", { name: "Run the selection" }).click();
  await expect(result().getByRole("alert")).toContainText("The selection did not run");
  await sql().fill("select id, region, amount, tracking\nfrom orders where amount > {{least}} order by id");
});

test("an error is marked at its place, also within a selection, until that line changes", async () => {
  await sql().fill("select id,\n  regiom\nfrom orders");
  await sql().press("Control+Enter");
  await expect(result().getByRole("alert")).toContainText('"regiom" does not exist (line 2, column 3)');
  await expect(page.locator(".cm-failedLine")).toHaveText("  regiom");
  await expect(page.locator(".cm-failedPlace")).toHaveText("regiom");
  await expectAccessible(page);
  await result().getByRole("button", { name: "Go to line 2, column 3" }).click();
  await expect(sql()).toBeFocused();
  await page.keyboard.type("x");
  await expect(sql()).toContainText("xregiom");
  await expect(page.locator(".cm-failedLine")).toHaveCount(0);

  await sql().fill("select 1;\n  select nope");
  await sql().press("Control+End");
  await sql().press("Shift+Home");
  await sql().press("Control+Shift+Enter");
  await expect(result().getByRole("alert")).toContainText("(line 2, column 10)");
  await expect(page.locator(".cm-failedPlace")).toHaveText("nope");
});

test("Format writes one clause per line, and one undo restores the text", async () => {
  const before = "select id, region, amount, tracking from orders where amount > {{least}} order by id";
  await sql().fill(before);
  await page.getByRole("button", { name: "Format" }).click();
  await expect(page.locator(".cm-line")).toHaveText([
    ...["select", "  id,", "  region,", "  amount,", "  tracking", "from", "  orders", "where"],
    ...["  amount > {{least}}", "order by", "  id"],
  ]);
  await sql().press("Control+z");
  await expect(page.locator(".cm-line")).toHaveText([before]);
  await sql().fill("select (");
  await sql().press("Alt+Shift+F");
  await expect(page.getByText("Not formatted: the SQL is unfinished")).toBeVisible();
  await sql().fill("select id, region, amount, tracking\nfrom orders where amount > {{least}} order by id");
});

test("what I ran is in my history, to use again, until I clear it", async () => {
  await page.getByRole("button", { name: "History" }).click();
  const history = page.getByRole("dialog", { name: "What you ran" });
  const runs = history.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await expect(runs.first()).toContainText("select nope");
  await expect(runs.first()).toContainText("Rejected");
  await history.getByRole("searchbox").fill("WHERE amount > {{least}}");
  await expect(runs.first()).toContainText("4 rows");
  await expectAccessible(page);
  await runs.first().getByRole("button", { name: "Use" }).click();
  await expect(history).toHaveCount(0);
  await expect(sql()).toContainText("where amount > {{least}} order by id");
  await page.getByRole("button", { name: "History" }).click();
  await history.getByRole("button", { name: "Clear…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Clear history" }).click();
  await expect(history).toContainText("Run something, and it will be here.");
  await page.keyboard.press("Escape");
  await sql().fill("select id, region, amount, tracking\nfrom orders where amount > {{least}} order by id");
});

test("a later step joins the results of two databases", async () => {
  await page.getByRole("button", { name: "Add step" }).click();
  await pick("Data source", /^Returns/);
  await page.getByLabel("Name of the step").fill("Returned");
  await sql().fill("select order_id, reason from returned");
  await page.getByRole("button", { name: "Add step" }).click();
  await pick("Data source", /^Earlier results/);
  await sql().fill(
    "select r.reason, o.amount from @@result1 o join @@result2 r on r.order_id = o.id order by o.amount desc",
  );
  await page.getByRole("button", { name: "Run the whole query" }).click();
  await expect(result()).toContainText("3 rows");
  expect(await rows()).toEqual([
    ["too large,\nsent back", "1000.00"],
    ["broken", "250.00"],
    ["late", "99.90"],
  ]);

  // The arrow keys move between cells; the full value is shown below.
  await grid().focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("region", { name: "Chosen cell" }).locator("pre")).toHaveText(
    "too large,\nsent back",
  );
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("returned-orders.csv");
  expect(await readFile(await download.path(), "utf8")).toBe(
    'reason,amount\r\n"too large,\nsent back",1000.00\r\nbroken,250.00\r\nlate,99.90\r\n',
  );
});

test("a database error is shown with a link to its step", async () => {
  await page.getByRole("tab", { name: "Returned" }).click();
  await sql().fill("select order_id, reson from returned");
  await page.getByRole("tab", { name: "3 Step 3" }).click();
  await page.getByRole("button", { name: "Run the whole query" }).click();
  await expect(result()).toContainText('Step 2: column "reson" does not exist');
  await result().getByRole("button", { name: "Go to step 2" }).click();
  await expect(page.getByRole("tab", { name: "Returned" })).toHaveAttribute("aria-selected", "true");
  await sql().fill("select order_id, reason from returned");
});

test("missing values are shown beside their fields, and Ctrl-S creates the query", async () => {
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Name is required")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("Returned orders");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("heading", { name: "Returned orders", level: 1 })).toBeVisible();
  queryUrl = page.url();
  expect(await stored()).toMatchObject({ activeVersion: 1, folderPath: "Sales" });
  await expect(page.getByRole("tab", { name: /Versions/ })).toContainText("1");
});

test("following a link does not lose unsaved changes, and changed steps become version 2", async () => {
  await sql().fill("select id, region, amount, tracking\nfrom orders where amount >= {{least}} order by id");
  await expect(page.getByRole("tab", { name: "Editor, unsaved" })).toBeVisible();
  await page.getByRole("link", { name: "Data sources" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(queryUrl);

  await page.getByLabel("Change summary").fill("The least amount counts as well");
  await save();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Editor", exact: true })).toBeVisible();
  expect((await stored()).activeVersion).toBe(2);

  await page.getByLabel("Description").fill("For the weekly talk");
  await expect(page.getByText("no new version is created")).toBeVisible();
  await save();
  await expect(page.getByText("Saved “Returned orders”")).toBeVisible();
  expect((await stored()).activeVersion).toBe(2);
});

test("two versions are compared side by side, and an old one is restored", async () => {
  await page.getByRole("tab", { name: /Versions/ }).click();
  const versions = page.getByRole("region", { name: "Versions" });
  await expect(versions.getByRole("row")).toHaveCount(3);
  await expect(versions.getByRole("row").nth(1)).toContainText("The least amount counts as well");
  const [before, after] = ["a", "b"].map((side) => page.locator(`.cm-mergeView .cm-merge-${side}`));
  await expect(before as Locator).toContainText("amount > {{least}}");
  await expect(after as Locator).toContainText("amount >= {{least}}");
  // Its style sheets comply with the page's policy.
  await expect(page.locator(".cm-mergeViewEditors")).toHaveCSS("display", "flex");
  await expect(page.getByRole("region", { name: "Step 2" })).toContainText("the same in both");

  await page.setViewportSize({ width: 700, height: 900 });
  await expect(page.locator(".cm-deletedChunk")).toContainText("amount > {{least}}");
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore version" }).click();
  await expect(page.getByText("Version 1 is restored as version 3")).toBeVisible();
  await expect(versions.getByRole("row")).toHaveCount(4);
  // The editor had no unsaved changes, so it shows what is active now.
  await page.getByRole("tab", { name: "Editor", exact: true }).click();
  await expect(sql()).toContainText("amount > {{least}}");
});

test("someone else's version never loses unsaved text", async () => {
  const { id, name, folderId, steps } = await stored();
  await sql().fill("select id, region, amount, tracking from orders where amount > {{least}} -- mine");
  const theirs = steps.map(({ order: _, ...step }, index) =>
    index === 0 ? { ...step, sql: "select id, amount from orders where amount > {{least}} -- theirs" } : step,
  );
  const changed = await api("PUT", `/queries/${id}`, {
    name,
    folderId,
    steps: theirs,
    changeSummary: "Theirs",
  });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);

  await save();
  const notice = page.getByRole("alert", { name: "Changed by someone else" });
  await expect(notice).toContainText("Version 4 is active now");
  await expect(sql().last()).toContainText("-- mine");
  expect((await stored()).steps[0]?.sql).toContain("-- theirs");
  await notice.getByRole("button", { name: "Compare with version 4" }).click();
  await expect(notice.locator(".cm-merge-a")).toContainText("-- theirs");
  await expect(notice.locator(".cm-merge-b")).toContainText("-- mine");
  await notice.getByRole("button", { name: "Keep mine" }).click();
  await expect(notice).toHaveCount(0);
  await save();
  await expect(page.getByText("Saved as version 5")).toBeVisible();
  expect((await stored()).steps[0]?.sql).toContain("-- mine");
});

test("a locked query can run but not change until an Admin unlocks it", async () => {
  await page.getByRole("button", { name: "More about this query" }).click();
  await page.getByRole("menuitem", { name: "Lock against changes" }).click();
  await expect(page.getByText("This query is locked")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveAttribute("readonly", "");
  await sql().click();
  await page.keyboard.type("nothing");
  await expect(sql()).not.toContainText("nothing");
  await pick("Type of least", "Number");
  await page.getByLabel("least", { exact: true }).fill("200");
  await page.getByRole("button", { name: "Run this step" }).click();
  await expect(result()).toContainText("2 rows");
  await page.getByRole("button", { name: "Unlock" }).click();
  await expect(page.getByText("This query is locked")).toHaveCount(0);
});

test("the list has search and keyboard navigation, and a query moves to another folder", async () => {
  await create("/queries", {
    projectId: project,
    name: "Another one",
    steps: [{ dataSourceId: (await dataSources())[0]?.id, sql: "select 1" }],
  });
  await page.goto(`/queries?project=${project}`);
  const row = page.getByRole("row", { name: /Returned orders/ });
  for (const text of ["Sales", "Shop, Returns", "5"]) await expect(row).toContainText(text);
  // A page handles keys only a moment after it is shown.
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox")).toBeFocused({ timeout: 5000 });
  }).toPass();
  await page.keyboard.type("returned");
  await expect(page.getByRole("row", { name: /Another one/ })).toHaveCount(0);
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("searchbox").blur();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Returned orders", level: 1 })).toBeVisible();

  await page.goto(`/queries?project=${project}`);
  await page.getByRole("button", { name: "Actions for Another one" }).click();
  await page.getByRole("menuitem", { name: "Move to a folder…" }).click();
  await pick("Folder", "Sales", page.getByRole("dialog"));
  await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByRole("row", { name: /Another one/ })).toContainText("Sales");

  await page.getByRole("button", { name: "Actions for Sales" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete folder" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("The folder still contains 2 queries");
  await page.getByRole("button", { name: "Cancel" }).click();
});

async function dataSources(): Promise<{ id: number }[]> {
  const { body } = await api("GET", `/data-sources?projectId=${project}`);
  return (body as { items: { id: number }[] }).items;
}

test("archiving names the subscriptions, archives them too, and an Admin restores the query", async () => {
  const { id } = await stored();
  await create("/subscriptions", { queryId: id, cronExpression: "0 6 * * *", parameters: { least: 10 } });
  const subscriptions = page.getByRole("region", { name: "Subscriptions of this query" });
  // Without the parser of schedules, or before it is there, the link still has a name.
  const release = await withhold(page, "minutes past the hour");
  await page.goto(`/queries/${id}?view=subscriptions`);
  await expect(subscriptions.getByRole("link", { name: "0 6 * * *" })).toBeVisible();
  release();
  await page.reload();
  await expect(subscriptions.getByRole("link", { name: "Every day at 06:00" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Subscribe" })).toHaveAttribute(
    "href",
    `/subscriptions/new?query=${id}`,
  );
  await page.getByRole("button", { name: "More about this query" }).click();
  await page.getByRole("menuitem", { name: "Archive…" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("1 subscription runs this query");
  await dialog.getByRole("button", { name: "Archive query and 1 subscription" }).click();
  await expect(page).toHaveURL(/\/queries$/);
  expect((await api("GET", `/queries/${id}`)).status).toBe(404);

  await page.goto(`/queries/archived?project=${project}`);
  await page.getByRole("button", { name: "Restore Returned orders" }).click();
  await expect(page.getByText("Nothing is archived")).toBeVisible();
  expect(await stored()).toMatchObject({ name: "Returned orders", activeVersion: 5, folderPath: "Sales" });
});
