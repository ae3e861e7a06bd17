import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { openAs } from "./enter.ts";
import { admin } from "./service.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/**
 * An Editor changes queries while an Admin decides, each in their own browser: each sees what the other does without
 * reloading.
 */
const url = sharedUrl;
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_approvals_shop";
const editor = { name: "Erin Editor", email: "erin@plumbline.example", password: "a long enough password" };
const second = { name: "Sam Second", email: "sam@plumbline.example", password: "a long enough password" };
const stranger = { name: "Theo Third", email: "theo@plumbline.example", password: "a long enough password" };

test.describe.configure({ mode: "serial" });

let asAdmin: Api;
let asEditor: Api;
let reviewer: Page;
let requester: Page;
let bystander: Page;
let subscription: number;
let project: number;
let source: number;
let query: number;

test.beforeAll(async ({ browser }) => {
  await withServer(serverUrl, async (server) => {
    await server.unsafe(`drop database if exists ${database} with (force)`);
    await server.unsafe(`create database ${database}`);
  });
  await withServer(shopUrl().href, (shop) =>
    shop.unsafe(`
      create table orders (id integer primary key, region text, amount integer);
      insert into orders values (1, 'north', 10), (2, 'north', 99), (3, 'south', 5), (4, 'south', 250);
    `),
  );
  asAdmin = await signIn(url);
  project = await create("/projects", { name: "Approved shop" });
  const { hostname, port, username, password } = shopUrl();
  source = await create("/data-sources", {
    ...{ projectId: project, name: "Shop", kind: "PostgreSql" },
    connection: {
      ...{ host: hostname, port: Number(port || 5432), database, ssl: false },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  query = await create("/queries", {
    ...{ projectId: project, name: "Large orders" },
    steps: [{ dataSourceId: source, sql: "select id, amount from orders where amount > 50 order by id" }],
  });
  subscription = await create("/subscriptions", { queryId: query, cronExpression: "0 6 * * *" });
  const known = JSON.stringify((await asAdmin("GET", "/users")).body);
  for (const who of [editor, stranger])
    if (!known.includes(who.email)) await create("/users", { ...who, role: "Editor" });
  if (!known.includes(second.email)) await create("/users", { ...second, role: "Admin" });
  asEditor = await signIn(url, editor);
  reviewer = await browserOf(browser, admin);
  requester = await browserOf(browser, editor);
  bystander = await browserOf(browser, stranger);
});

test.afterAll(async () => {
  await switchOff();
  await Promise.all([reviewer, requester, bystander].map((page) => page?.context().close()));
  await withServer(serverUrl, (server) => server.unsafe(`drop database if exists ${database} with (force)`));
});

/** Turns the workflow off, which takes two Admins if four eyes are on. */
async function switchOff(): Promise<void> {
  const { body } = await asAdmin("PUT", "/settings", { approvalWorkflow: false, fourEyes: false });
  const { pendingChange } = body as { pendingChange?: { id: number } };
  if (!pendingChange) return;
  const approved = await (await signIn(url, second))("POST", `/settings/changes/${pendingChange.id}/approve`);
  expect(approved.status).toBe(200);
}

function shopUrl(): URL {
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
  const created = await asAdmin("POST", path, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return (created.body as { id: number }).id;
}

/** What the hub has sent to each page over its current connection. */
const framesOf = new Map<Page, string[]>();
const heard = (page: Page, event: string) =>
  framesOf.get(page)?.filter((frame) => frame.includes(event)) ?? [];

/** A page in its own browser context, signed in as this user. */
async function browserOf(browser: Browser, who: { email: string; password: string }): Promise<Page> {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  const received: string[] = [];
  framesOf.set(page, received);
  page.on("websocket", (socket) => {
    received.length = 0;
    socket.on("framereceived", ({ payload }) => void received.push(String(payload)));
  });
  await openAs(page, `${url}/queries?project=${project}`, who);
  await expect(page.getByRole("heading", { level: 1, name: "Queries" })).toBeVisible();
  return page;
}

/** Presses a key until its effect is visible: a page handles keys only a moment after it is shown. */
async function pressFor(page: Page, key: string, opened: Locator): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await page.keyboard.press(key);
    await expect(opened).toBeFocused({ timeout: 5000 });
  }).toPass();
}

type Stored = { activeVersion: number; pendingVersion: number | null; steps: { sql: string }[] };
const stored = async () => (await asAdmin("GET", `/queries/${query}`)).body as Stored;
const sqlOf = async () => (await stored()).steps[0]?.sql;

/** The pending change. */
async function pendingId(): Promise<number> {
  const { body } = await asAdmin("GET", `/approvals/pending?projectId=${project}`);
  const [first] = (body as { items: { id: number }[] }).items;
  expect(first).toBeDefined();
  return first?.id ?? 0;
}

/** An edit by the requester, over REST. */
async function edit(sql: string, by = asEditor): Promise<void> {
  const steps = [{ dataSourceId: source, sql }];
  const saved = await by("PUT", `/queries/${query}`, { name: "Large orders", steps });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

const sqlField = (page: Page) => page.getByRole("textbox", { name: "SQL", exact: true });
const decision = (page: Page): Locator => page.getByRole("region", { name: "Decision" });
const approvalsLink = (page: Page) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: /^Approvals/ });

/** Opens a change and waits until the page is connected: the count beside its link is fetched by the browser. */
async function openChange(page: Page, id: number): Promise<void> {
  await page.goto(`/approvals/${id}`);
  await expect(approvalsLink(page)).toHaveAccessibleName(/pending$/);
}

test("an Admin finds the switch, which takes effect at once and can be undone", async () => {
  await reviewer.goto(`/approvals?project=${project}`);
  await expect(reviewer.getByText("The approval workflow is off")).toBeVisible();
  await reviewer.getByRole("link", { name: "Turn it on in settings" }).click();
  await expect(reviewer.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  const workflow = reviewer.getByRole("switch", { name: /^Approval workflow/ });
  await workflow.click();
  await expect(reviewer.getByText("The approval workflow is on")).toBeVisible();
  const isOn = async () =>
    ((await asAdmin("GET", "/settings")).body as { approvalWorkflow: boolean }).approvalWorkflow;
  expect(await isOn()).toBe(true);
  await reviewer.getByRole("button", { name: "Undo" }).click();
  await expect(workflow).not.toBeChecked();
  await expect.poll(isOn).toBe(false);
  await workflow.click();
  await expect.poll(isOn).toBe(true);
  await expect(reviewer.getByText("Set here by an Admin")).toBeVisible();

  await requester.goto("/settings");
  await expect(requester.getByText("Your role does not allow this")).toBeVisible();
});

test("an edit of SQL waits for approval, and the live query keeps running unchanged", async () => {
  await requester.goto(`/queries/${query}`);
  await sqlField(requester).fill("select id, amount from orders where amount > 90 order by id");
  const saving = requester.getByRole("region", { name: "Saving" });
  await expect(saving).toContainText("This will wait for approval: version 1 keeps running until then");
  await saving.getByLabel("Change summary").fill("Only what is really large");
  await saving.getByRole("button", { name: "Save for approval" }).click();
  const notice = requester.getByRole("region", { name: "Waits for approval" });
  await expect(notice).toContainText("Your change waits for approval: version 2");
  await expect(sqlField(requester)).toContainText("amount > 50");
  expect(await stored()).toMatchObject({ activeVersion: 1, pendingVersion: 2 });
  expect(await sqlOf()).toContain("amount > 50");
  await notice.getByRole("link", { name: "See the change" }).click();
  await expect(requester.getByRole("heading", { level: 1, name: "Large orders" })).toBeVisible();
  await expect(decision(requester)).toContainText("An Admin decides");
  await expect(decision(requester).getByRole("button")).toHaveCount(0);
});

test("the inbox counts it, and keyboard shortcuts lead to it", async () => {
  await reviewer.goto(`/approvals?project=${project}`);
  await expect(approvalsLink(reviewer)).toHaveAccessibleName("Approvals 1 pending");
  await expect(approvalsLink(requester)).toHaveAccessibleName("Approvals 1 pending");
  const row = reviewer.getByRole("row", { name: /Large orders/ });
  for (const text of ["Only what is really large", editor.name, "1 → 2"])
    await expect(row).toContainText(text);
  await reviewer.keyboard.press("j");
  await reviewer.keyboard.press("Enter");
  await expect(reviewer).toHaveURL(/\/approvals\/\d+/);
  await expect(reviewer.locator(".cm-merge-a")).toContainText("amount > 50");
  await expect(reviewer.locator(".cm-merge-b")).toContainText("amount > 90");
  await expect(reviewer.getByRole("region", { name: "Subscriptions", exact: true })).toContainText(
    "Every day at 06:00",
  );
});

test("the results of both versions are shown side by side", async () => {
  // 2 and 4 are above 50 and above 90: the change has no effect on the result.
  await reviewer.getByRole("button", { name: "Compare results" }).click();
  const results = reviewer.getByRole("region", { name: "Results", exact: true });
  await expect(results.getByRole("status")).toContainText("2 rows in both.");
  await expect(results.getByRole("status")).toContainText("The rows are the same.");
  await withServer(shopUrl().href, (shop) => shop`update orders set amount = 60 where id = 2`);
  await reviewer.getByRole("button", { name: "Compare results" }).click();
  await expect(results.getByRole("status")).toContainText("2 before, 1 with the change, 1 fewer");
  await expect(results.getByRole("status")).toContainText("1 row gone");
  await expect(results.locator("del")).toHaveText(["2", "60"]);
  await expect(results.locator("ins")).toHaveCount(0);
});

test("it is approved by keyboard, and the requester's open page shows it without reloading", async () => {
  await requester.evaluate(() => Object.assign(window, { isSamePage: true }));
  for (const page of [reviewer, requester, bystander])
    await expect.poll(() => heard(page, "pusher:signin_success").length).toBe(1);
  const comment = reviewer.getByLabel("Comment on the approval");
  await pressFor(reviewer, "a", comment);
  await reviewer.keyboard.type("Agreed");
  await reviewer.keyboard.press("Escape");
  await expect(comment).toHaveCount(0);
  await expect(decision(reviewer).getByRole("button", { name: "Approve" })).toBeFocused();
  await reviewer.keyboard.press("a");
  await expect(comment).toHaveValue("Agreed");
  await reviewer.keyboard.press("Control+Enter");
  await expect(decision(reviewer)).toContainText("Approved");
  expect(await stored()).toMatchObject({ activeVersion: 2, pendingVersion: null });
  expect(await sqlOf()).toContain("amount > 90");

  await expect(decision(requester)).toContainText("version 2 took over");
  await expect(decision(requester)).toContainText("“Agreed”");
  await expect(approvalsLink(requester)).toHaveAccessibleName("Approvals");
  expect(await requester.evaluate(() => (window as { isSamePage?: boolean }).isSamePage)).toBe(true);
});

test("only the reviewer and the requester are notified of the decision", async () => {
  for (const page of [reviewer, requester])
    await expect.poll(() => heard(page, "ApprovalUpdated").length).toBe(1);
  // A later message to the bystander arrives after all earlier ones.
  await (await signIn(url, stranger))("POST", `/subscriptions/${subscription}/execute`);
  await expect.poll(() => heard(bystander, "JobStatusChanged").length).toBe(1);
  expect(heard(bystander, "ApprovalUpdated")).toEqual([]);
});

test("a rejection shows its reason, also on the query its requester has open", async () => {
  await edit("select id, amount, region from orders where amount > 90 order by id");
  await requester.goto(`/queries/${query}`);
  await openChange(reviewer, await pendingId());
  const notice = requester.getByRole("region", { name: "Waits for approval" });
  await expect(notice).toContainText("version 3");
  // Asked about it, its author gets an email, and answers on the same page.
  const comments = reviewer.getByRole("region", { name: /^Comments/ });
  await comments.getByLabel("Comment").fill(`@${editor.name}, who needs the region?`);
  await comments.getByRole("button", { name: "Comment" }).click();
  await expect(comments.getByRole("listitem")).toContainText("who needs the region?");
  await expectAccessible(reviewer);
  const { items } = (await asAdmin("GET", `/notifications?projectId=${project}`)).body as {
    items: { subject: string; recipient: { name: string }; cause: { kind: string } }[];
  };
  expect(items.filter(({ cause }) => cause.kind === "Approval")).toMatchObject([
    { recipient: { name: editor.name }, subject: expect.stringContaining("mentioned you: Large orders") },
  ]);
  const reason = reviewer.getByLabel("Reason");
  // Keys decide only while no field has the focus.
  await comments.getByRole("listitem").click();
  await pressFor(reviewer, "x", reason);
  await reason.fill("The region is not needed");
  await decision(reviewer).getByRole("button", { name: "Reject" }).click();
  await expect(decision(reviewer)).toContainText("the active version is unchanged");
  expect(await stored()).toMatchObject({ activeVersion: 2, pendingVersion: null });
  await expect(notice).toHaveCount(0);
  await expect(requester.getByText("rejected version 3")).toBeVisible();
  const decided = requester
    .getByRole("region", { name: "Decided: a change" })
    .filter({ hasText: "version 3" });
  await expect(decided.getByText("The region is not needed")).toBeVisible();
  await expectAccessible(requester);
  await requester.reload();
  await expect(decided).toBeVisible();
  await decided.getByRole("button", { name: "Got it" }).click();
  await expect(decided).toHaveCount(0);
  await requester.reload();
  await expect(sqlField(requester)).toBeVisible();
  await expect(decided).toHaveCount(0);

  await requester.getByRole("tab", { name: /Versions/ }).click();
  const rejected = requester
    .getByRole("region", { name: "Versions" })
    .getByRole("row", { name: /^3 Rejected/ });
  await rejected.getByRole("link").click();
  await expect(decision(requester)).toContainText("“The region is not needed”");
});

test("a requester edits a pending change, and the new one replaces it", async () => {
  await edit("select id from orders where amount > 90 order by id");
  const first = await pendingId();
  await requester.goto(`/queries/${query}`);
  await requester.getByRole("button", { name: "Keep editing" }).click();
  await expect(sqlField(requester)).toContainText("select id from orders");
  await sqlField(requester).fill("select id from orders where amount > 80 order by id");
  await expect(requester.getByRole("region", { name: "Saving" })).toContainText("It replaces version 4");
  await requester.getByRole("button", { name: "Save for approval" }).click();
  await expect(requester.getByRole("region", { name: "Waits for approval" })).toContainText("version 5");
  await reviewer.goto(`/approvals/${first}`);
  await expect(decision(reviewer)).toContainText("Replaced by a later change by the same person");
});

test("nobody else can edit while a change is pending", async () => {
  await reviewer.goto(`/queries/${query}`);
  await sqlField(reviewer).fill("select 1 as mine");
  const saving = reviewer.getByRole("region", { name: "Saving" });
  await expect(saving).toContainText(`Version 5 by ${editor.name} waits for approval`);
  await expect(saving.getByRole("button", { name: "Save for approval" })).toBeDisabled();
  await saving.getByRole("button", { name: "Discard" }).click();
  await reviewer.getByRole("button", { name: "Discard changes" }).click();
});

test("with the workflow turned off, a pending change can be decided until an edit makes it outdated", async () => {
  await asAdmin("PUT", "/settings", { approvalWorkflow: false, fourEyes: false });
  const id = await pendingId();
  await openChange(reviewer, id);
  await expect(decision(reviewer).getByRole("button", { name: "Approve" })).toBeEnabled();
  await edit("select id from orders where amount > 70 order by id", asAdmin);
  const approve = decision(reviewer).getByRole("button", { name: "Approve" });
  await expect(approve).toBeDisabled();
  await expect(decision(reviewer)).toContainText(
    "version 6 is active now, and this change is based on version 2",
  );
  await reviewer.keyboard.press("a");
  await expect(reviewer.getByLabel("Comment on the approval")).toHaveCount(0);
  await reviewer.goto(`/approvals?project=${project}`);
  await expect(reviewer.getByRole("row", { name: /Large orders/ })).toContainText("stale");
  await reviewer.getByRole("link", { name: "Large orders" }).click();
  await expect(decision(reviewer)).toBeVisible();
  await pressFor(reviewer, "x", reviewer.getByLabel("Reason"));
  await reviewer.keyboard.press("Control+Enter");
  await expect(decision(reviewer)).toContainText("Rejected");
  expect(await sqlOf()).toContain("amount > 70");
});

test("four eyes: your own change needs someone else's approval; nobody can approve a change to a locked query", async () => {
  await asAdmin("PUT", "/settings", { approvalWorkflow: true, fourEyes: true });
  await edit("select id from orders where amount > 60 order by id", asAdmin);
  await openChange(reviewer, await pendingId());
  await expect(decision(reviewer)).toContainText("This is your own change: another Admin has to approve it");
  await expect(decision(reviewer).getByRole("button", { name: "Approve" })).toBeDisabled();
  await pressFor(reviewer, "x", reviewer.getByLabel("Reason"));
  await reviewer.keyboard.press("Control+Enter");
  await expect(decision(reviewer)).toContainText("Rejected");

  await edit("select id from orders where amount > 40 order by id");
  await asAdmin("POST", `/queries/${query}/lock`);
  await openChange(reviewer, await pendingId());
  await expect(decision(reviewer)).toContainText("The query is locked");
  await expect(decision(reviewer).getByRole("button", { name: "Approve" })).toBeDisabled();
  await asAdmin("POST", `/queries/${query}/unlock`);
  await expect(decision(reviewer).getByRole("button", { name: "Approve" })).toBeEnabled();
});

test("turning four eyes off needs a second Admin, who approves it in the settings", async ({ browser }) => {
  await reviewer.goto("/settings");
  const fourEyes = reviewer.getByRole("switch", { name: /^Four eyes/ });
  await expect(fourEyes).toBeChecked();
  await fourEyes.click();
  const waiting = (page: Page) => page.getByRole("region", { name: "A change is waiting for approval" });
  await expect(waiting(reviewer)).toContainText("You want to switch four eyes off");
  await expect(waiting(reviewer).getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expect(fourEyes).toBeChecked();

  const other = await browserOf(browser, second);
  await other.goto("/settings");
  await expect(waiting(other)).toContainText("wants to switch four eyes off");
  await waiting(other).getByRole("button", { name: "Approve" }).click();
  await expect(other.getByRole("switch", { name: /^Four eyes/ })).not.toBeChecked();
  await other.context().close();
  await expect(waiting(reviewer)).toHaveCount(0);
  await expect(fourEyes).not.toBeChecked();
});

test("a new query runs on a schedule only after an Admin has reviewed its SQL", async () => {
  const made = await asEditor("POST", "/queries", {
    ...{ projectId: project, name: "New orders" },
    steps: [{ dataSourceId: source, sql: "select id from orders where region = 'north'" }],
  });
  const { id: queryId } = made.body as { id: number };
  const subscribed = await asEditor("POST", "/subscriptions", { queryId, cronExpression: "0 6 * * *" });
  expect(subscribed.status).toBe(201);
  const { id: subscriptionId } = subscribed.body as { id: number };
  await requester.goto(`/subscriptions/${subscriptionId}`);
  const badge = requester.getByRole("link", { name: "waits for approval" });
  await expect(badge).toBeVisible();

  await reviewer.goto(`/approvals?project=${project}`);
  const row = reviewer.getByRole("row", { name: /New orders/ });
  await expect(row).toContainText("First run");
  await row.getByRole("link").click();
  await expect(reviewer.getByText("Run “New orders” on a schedule for the first time")).toBeVisible();
  await expect(reviewer.getByRole("region", { name: "What would run" })).toContainText("region = 'north'");
  await expect(decision(reviewer)).toContainText("1 subscription runs it on schedule");
  await pressFor(reviewer, "a", reviewer.getByLabel("Comment on the approval"));
  await reviewer.keyboard.press("Control+Enter");
  await expect(decision(reviewer)).toContainText("its subscriptions run from then on");
  await requester.reload();
  await expect(requester.getByRole("button", { name: "Run now" })).toBeVisible();
  await expect(badge).toHaveCount(0);
});

test("archiving a query in use needs approval, and happens when approved", async () => {
  await requester.goto(`/queries?project=${project}`);
  await requester.getByRole("link", { name: "New orders" }).click();
  await requester.getByRole("button", { name: "More about this query" }).click();
  await requester.getByRole("menuitem", { name: /^Archive/ }).click();
  const dialog = requester.getByRole("alertdialog");
  await expect(dialog).toContainText("an Admin has to approve this first");
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await expect(requester.getByRole("region", { name: /^Archiving it waits for approval/ })).toBeVisible();

  await reviewer.goto(`/approvals?project=${project}`);
  await reviewer
    .getByRole("row", { name: /New orders/ })
    .getByRole("link")
    .click();
  await expect(reviewer.getByText("Archive “New orders” with 1 subscription")).toBeVisible();
  await pressFor(reviewer, "a", reviewer.getByLabel("Comment on the approval"));
  await reviewer.keyboard.press("Control+Enter");
  await expect(decision(reviewer)).toContainText("the query was archived");
});

test("decided changes can be filtered by status, kept in the URL", async () => {
  await requester.goto(`/approvals?project=${project}`);
  await requester.getByRole("combobox", { name: "Status" }).click();
  await requester.getByRole("option", { name: "Rejected" }).click();
  await expect(requester).toHaveURL(/status=Rejected/);
  await expect(requester.getByRole("row", { name: /Large orders/ })).toHaveCount(3);
  await requester.goto(`/approvals?project=${project}&status=all`);
  await expect(requester.getByRole("row", { name: /Large orders/ })).toHaveCount(6);
  for (const id of ["2000000000", "abc", "0"]) {
    await requester.goto(`/approvals/${id}`);
    await expect(requester.getByRole("heading", { level: 1, name: "Not found" })).toBeVisible();
  }
});

// everybody.spec.ts covers all pages in their initial state.
test("pending changes are accessible and fit a phone", async () => {
  const change = `/approvals/${await pendingId()}`;
  for (const address of [change, `/queries/${query}`]) {
    await reviewer.goto(address);
    await expect(reviewer.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(approvalsLink(reviewer)).toHaveAccessibleName(/pending$/);
    if (address === change) {
      const added = reviewer.getByRole("region", { name: "Results", exact: true }).locator("ins");
      await expect(async () => {
        if ((await added.count()) === 0)
          await reviewer.getByRole("button", { name: "Compare results" }).click();
        await expect(added).not.toHaveCount(0, { timeout: 20_000 });
      }).toPass();
      await pressFor(reviewer, "a", reviewer.getByLabel("Comment on the approval"));
    }
    await expectAccessible(reviewer);
  }
});
