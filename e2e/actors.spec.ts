import { join } from "node:path";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/**
 * The life of an AI actor on the demo's warehouse, with the built-in planner: it is created, its plan is reviewed, sent
 * back, approved, and run, and it is told what to change.
 */
const dataDir = join(scratch, "actors");
const editor = { name: "Edda Editor", email: "edda@plumbline.example", password: "a long enough password" };
const viewer = { name: "Vera Viewer", email: "vera@plumbline.example", password: "a long enough password" };
const name = "Watch over the flights";

test.describe.configure({ mode: "serial" });

let service: Service;
let asAdmin: Api;
let page: Page;
let onlooker: Page;
let actor: number;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir, "demo");
  service = await startService(dataDir, { DEMO: "on" });
  asAdmin = await signIn(service.url);
  for (const [who, role] of [
    [editor, "Editor"],
    [viewer, "Viewer"],
  ] as const)
    expect((await asAdmin("POST", "/users", { ...who, role })).status).toBe(201);
  await archiveTheDemos();
  page = await browserOf(browser, editor);
  onlooker = await browserOf(browser, viewer);
});

test.afterAll(async () => {
  await Promise.all([page, onlooker].map((each) => each?.context().close()));
  expect(await service?.stop()).toBe(0);
});

/** The demo has its own actor, which must not be counted here. */
async function archiveTheDemos(): Promise<void> {
  type Actors = { items: { id: number; pendingPlanCount: number }[] };
  const theirs = async () => ((await asAdmin("GET", "/ai-actors")).body as Actors).items;
  await expect.poll(async () => (await theirs())[0]?.pendingPlanCount, { timeout: 60_000 }).toBe(1);
  for (const { id } of await theirs()) expect((await asAdmin("DELETE", `/ai-actors/${id}`)).status).toBe(204);
}

/** A page in its own browser context, signed in as this user. */
async function browserOf(browser: Browser, who: { email: string; password: string }): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1440, height: 900 } });
  const opened = await context.newPage();
  await openAs(opened, `${service.url}/ai-actors`, who);
  await expect(opened.getByRole("heading", { level: 1, name: "AI actors" })).toBeVisible();
  return opened;
}

/** Presses a key until its effect is visible: a page handles keys only a moment after it is shown. */
async function pressFor(key: string, opened: Locator): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await page.keyboard.press(key);
    await expect(opened).toBeFocused({ timeout: 5000 });
  }).toPass();
}

/** Adds a choice to a field with several. */
async function choose(field: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: new RegExp(`^${field}`) }).click();
  await page.getByPlaceholder("Search…").fill(option);
  await page.getByRole("option", { name: option, exact: true }).click();
}

const missingIn = (tableName: string) => ({
  tables: [{ schemaName: "public", tableName }],
  checks: ["NullRate"],
});

type Plan = { id: number; version: number; status: string; actions: { kind: string; status: string }[] };
async function pending(): Promise<Plan[]> {
  const { body } = await asAdmin("GET", `/ai-actors/${actor}/pending-plans`);
  return (body as { items: Plan[] }).items;
}
const planOf = async (id: number) => (await asAdmin("GET", `/ai-actors/plans/${id}`)).body as Plan;
const planIn = (url: string) => Number(/\/plans\/(\d+)/.exec(url)?.[1]);

const decision = (of = page) => of.getByRole("region", { name: "Decision" });
const inbox = (of = page) => of.getByRole("region", { name: "Plans waiting for a decision" });
const actions = () => page.getByRole("list", { name: "Actions" }).getByRole("button");
const chosenAction = () => page.getByRole("list", { name: "Actions" }).locator("[aria-current=true]");
const link = (of = page) =>
  of.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: /^AI actors/ });

test("an actor is created with the form, which shows missing values and the model in use", async () => {
  await page.getByRole("link", { name: "New actor" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "New AI actor" })).toBeVisible();
  await expect(page.getByText("Built-in planner (no language model)")).toBeVisible();
  await page.getByLabel("Queries at most").fill("none");
  await page.getByRole("button", { name: "Create actor" }).click();
  await expect(page.getByText("Instructions is required")).toBeVisible();
  await expect(page.getByText("Queries at most must be a number")).toBeVisible();

  await page.getByRole("button", { name: "Valid references" }).click();
  await expect(page.getByLabel("Instructions")).toHaveValue(/orphans/);
  await expect(page.getByRole("checkbox", { name: "References" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Ranges" })).toHaveCount(0);
  await page.getByRole("checkbox", { name: "References" }).uncheck();
  await page.getByRole("checkbox", { name: "Volume" }).check();
  for (const table of ["airports", "movies", "flights"]) await choose("Tables", `public.${table}`);
  await page.getByRole("button", { name: "Remove public.movies" }).click();
  await expect(page.getByRole("list", { name: "Tables: chosen" }).getByRole("listitem")).toHaveText([
    ...["public.airports", "public.flights"],
  ]);
  await page.getByLabel("Name").fill(name);
  await page
    .getByLabel("Instructions")
    .fill("Watch the flights: no row may come twice, and the table must not shrink.");
  await page.getByLabel("Queries at most").fill("10");
  await page.getByLabel(/^Tokens per month/).fill("500,000");
  await page.getByRole("button", { name: "Create actor" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  actor = Number(/\/ai-actors\/(\d+)/.exec(page.url())?.[1]);
});

test("its first plan arrives by itself, and the pending count shows everywhere", async () => {
  await expect(inbox()).toContainText("A plan is waiting for a decision");
  await expect(link()).toHaveAccessibleName("AI actors 1 pending");
  await expect(page.getByRole("region", { name: "History" }).getByRole("listitem").first()).toContainText(
    "Initial setup, begun by Edda Editor",
  );
  await page.goto("/ai-actors");
  await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("0 of 500.0");
  await inbox().getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: "Initial setup" })).toBeVisible();
});

test("the plan is reviewed by keyboard, each action with its evidence", async () => {
  await expect(decision()).toContainText("actions run one by one, exactly as shown");
  await expect(page.getByRole("region", { name: "Analysis" })).toContainText("flights");
  const count = await actions().count();
  expect(count).toBeGreaterThan(2);
  await expect(chosenAction()).toContainText("Create query");
  // Some airports have "NA" as a city: what currently looks wrong comes first.
  await expect(page.getByRole("region", { name: "Analysis" })).toContainText("1 thing looks wrong today.");
  await expect(chosenAction()).toContainText("Placeholders for city in airports");
  await expect(page.getByRole("article").locator(".cm-content")).toContainText('"public"."airports"');
  const evidence = page.getByRole("region", { name: "Evidence" });
  for (const gate of ["Only reads: passed", "Explained by the engine: passed", "Ran: passed"])
    await expect(evidence.getByRole("listitem").filter({ hasText: gate })).toHaveCount(1);
  await expect(evidence).toContainText("Estimated cost");
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(chosenAction()).toContainText("Create subscription", { timeout: 5000 });
  }).toPass();
  await expect(page.getByRole("article").getByRole("list", { name: "Next runs" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(chosenAction()).toContainText("Create query");
  await expect(page).not.toHaveURL(/action=/);
});

test("it is sent back with feedback, and the next version shows what changed", async () => {
  const first = planIn(page.url());
  const feedback = page.getByLabel("What should change");
  await pressFor("r", feedback);
  await page.keyboard.press("Control+Enter");
  await expect(decision()).toContainText("is required");
  await expect(feedback).toBeFocused();
  await page.keyboard.type("Only flights, and check them hourly.");
  await choose("Tables", "public.flights");
  // An open element above the form handles its own Escape.
  await page.getByRole("combobox", { name: /^Exclude/ }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("checkbox", { name: "Fixed schedule" }).check();
  await page.getByLabel("Cron expression").fill("often");
  await expect(decision()).toContainText("Correct the fields below first.");
  await page.getByLabel("Cron expression").fill("0 * * * *");
  await feedback.press("Control+Enter");
  await expect(decision()).toContainText("Revision requested");
  await decision().getByRole("link", { name: "Open version 2" }).click();
  await expect(page).not.toHaveURL(new RegExp(`/plans/${first}`));
  await expect(page.getByRole("combobox", { name: "Version" })).toContainText("Version 2 of 2");

  const changes = page.getByRole("region", { name: "What has changed" });
  await expect(changes).toContainText(/Since version 1: actions .*removed.*changed/);
  await expect(changes).toContainText("“Only flights, and check them hourly.” Edda Editor");
  await expect(page.getByRole("region", { name: "Analysis" })).toContainText(
    "Your note was not read: no language model is configured. The plan follows the fields",
  );
  const answers = page.getByRole("region", { name: "What was asked" }).getByRole("listitem");
  await expect(answers.filter({ hasText: "Only flights, and check them hourly." })).toContainText(
    "Not done, because no language model is configured to read notes.",
  );
  await expect(answers.filter({ hasText: "Schedule: 0 * * * * (UTC)" })).toContainText("Done.");
  const changed = actions().filter({ hasText: "changed" }).first();
  await changed.click();
  await expect(page.getByRole("article").locator("ins").first()).toContainText(/hour/i);
  await page.getByRole("combobox", { name: "Compare with" }).click();
  await page.getByRole("option", { name: "Not compared" }).click();
  await expect(changes).toHaveCount(0);
  expect((await planOf(first)).status).toBe("RevisionRequested");
});

test("a Viewer sees the plan but cannot decide", async () => {
  await onlooker.goto(page.url());
  await expect(decision(onlooker)).toContainText("An Editor or an Admin decides");
  await expect(decision(onlooker).getByRole("button")).toHaveCount(0);
  await onlooker.keyboard.press("a");
  await onlooker.keyboard.press("x");
  await expect(decision(onlooker).getByRole("textbox")).toHaveCount(0);
  await onlooker.goto("/ai-actors");
  await expect(inbox(onlooker)).toBeVisible();
  await expect(onlooker.getByRole("link", { name: "New actor" })).toHaveCount(0);
  await onlooker.goto(`/ai-actors/${actor}`);
  await expect(onlooker.getByRole("heading", { level: 1, name })).toBeVisible();
  for (const button of ["Think now", "Pause", "Send"])
    await expect(onlooker.getByRole("button", { name: button })).toHaveCount(0);
  await onlooker.goto("/ai-actors/new");
  await expect(onlooker.getByText("Your role does not allow this")).toBeVisible();
  await onlooker.goto(page.url());
});

test("it is approved by keyboard, its actions run, and a second reader sees it without reloading", async () => {
  const plan = planIn(page.url());
  const comment = page.getByLabel("Comment on the approval");
  await pressFor("a", comment);
  await page.keyboard.type("Well seen");
  await page.keyboard.press("Escape");
  await expect(decision().getByRole("button", { name: "Approve" })).toBeFocused();
  await pressFor("a", comment);
  await expect(comment).toHaveValue("Well seen");
  await page.keyboard.press("Control+Enter");
  await expect(decision()).toContainText("Executed");
  await expect(decision()).toContainText("actions are done");
  await expect(decision()).toContainText("“Well seen”");
  await expect(page.getByRole("article")).toContainText("Done");
  const executed = await planOf(plan);
  expect(executed.status).toBe("Executed");
  expect(executed.actions.map(({ status }) => status)).not.toContain("Failed");
  await expect(decision(onlooker)).toContainText("by Edda Editor");
});

test("what it created appears in Control Tower, with a link back to it", async () => {
  await page
    .getByRole("article")
    .getByRole("link", { name: /^Open (query|subscription)$/ })
    .click();
  await page.getByRole("link", { name: `AI: ${name}` }).click();
  await expect(page).toHaveURL(new RegExp(`/ai-actors/${actor}$`));
  const watches = page.getByRole("region", { name: "What it watches" });
  await expect(watches.getByRole("link", { name: /hour/i }).first()).toBeVisible();
  await expect(watches).toContainText("next in");
  await page.goto("/control-tower");
  const badge = page.getByTitle(`The AI actor ${name} watches over it`);
  const rows = page.getByRole("row").filter({ has: badge });
  await expect(rows.first()).toBeVisible();
  await expect(rows.first()).toContainText("AI");
});

test("it gets an instruction, responds with a plan, and that is rejected", async () => {
  await page.goto(`/ai-actors/${actor}`);
  const conversation = page.getByRole("region", { name: "Conversation" });
  await page.getByRole("button", { name: "Choose tables, checks and schedule" }).click();
  await choose("Tables", "public.movies");
  await page.getByRole("checkbox", { name: "Missing values" }).check();
  await page.getByLabel("Tell it what to change").fill("Also watch the movies for missing values");
  await page.keyboard.press("Control+Enter");
  await expect(conversation.getByRole("article").filter({ hasText: "Also watch the movies" })).toContainText(
    "You",
  );
  await expect(inbox()).toContainText("Plan from an instruction");
  await expect(page.getByLabel("Tell it what to change")).toHaveValue("");
  await inbox().getByRole("link").click();
  await expect(page.getByRole("region", { name: "Instruction" })).toContainText("Also watch the movies");
  const reason = page.getByLabel("Reason");
  await pressFor("x", reason);
  await page.keyboard.press("Control+Enter");
  await expect(decision()).toContainText("is required");
  await reason.fill("The movies do not change");
  await decision().getByRole("button", { name: "Reject" }).click();
  await expect(decision()).toContainText("no actions ran");
  await expect(decision()).toContainText("“The movies do not change”");
  expect(await pending()).toEqual([]);
  await expect(link()).toHaveAccessibleName("AI actors");
});

test("a decision that someone else made first is reported", async () => {
  await asAdmin("POST", `/ai-actors/${actor}/refine`, {
    feedback: "Also watch the weather for missing values",
    wishes: missingIn("weather"),
  });
  await expect.poll(async () => (await pending()).length).toBe(1);
  const [waiting] = await pending();
  await page.goto(`/ai-actors/plans/${waiting?.id}`);
  const comment = page.getByLabel("Comment on the approval");
  await pressFor("a", comment);
  await asAdmin("POST", `/ai-actors/plans/${waiting?.id}/reject`, { reason: "Not now" });
  await page.keyboard.press("Control+Enter");
  await expect(decision()).toContainText("Rejected");
  await expect(decision()).toContainText("“Not now”");
});

test("some of a plan's actions are approved, with what they need, and the rest is declined with a reason", async () => {
  await asAdmin("POST", `/ai-actors/${actor}/refine`, {
    feedback: "Watch the weather for missing values after all",
    wishes: missingIn("weather"),
  });
  await expect.poll(async () => (await pending()).length).toBe(1);
  const [waiting] = await pending();
  await page.goto(`/ai-actors/plans/${waiting?.id}`);
  const query = page.getByRole("checkbox", { name: /^Approve action 1: Create query/ });
  const subscription = page.getByRole("checkbox", { name: /^Approve action 2: Create subscription/ });
  await query.uncheck();
  await expect(subscription).not.toBeChecked();
  await expect(decision()).toContainText("cannot run without the query that is left out");
  await subscription.check();
  await expect(query).toBeChecked();
  await subscription.uncheck();
  const count = (await planOf(waiting?.id ?? 0)).actions.length;
  await expect(decision().getByRole("button", { name: `Approve ${count - 1} of ${count}` })).toBeVisible();
  await expectAccessible(page);

  const reason = page.getByLabel("Why the other one is declined");
  await page.getByRole("heading", { level: 1 }).click();
  await pressFor("a", reason);
  await page.keyboard.press("Control+Enter");
  await expect(decision()).toContainText("is required");
  await reason.fill("We look at it ourselves");
  await page.keyboard.press("Control+Enter");
  await expect(decision()).toContainText("Executed");
  await expect(decision()).toContainText("1 declined");
  await expect(actions().nth(1)).toContainText("Declined: We look at it ourselves");
  const { actions: done } = await planOf(waiting?.id ?? 0);
  expect(done.map(({ status }) => status).filter((status) => status === "Declined")).toHaveLength(1);
  expect(done[1]?.status).toBe("Declined");
});

test("its history expands, and it can be paused, resumed, and edited", async () => {
  await page.goto(`/ai-actors/${actor}`);
  const history = page.getByRole("region", { name: "History" });
  const setup = history.getByRole("button", { name: /^Initial setup/ });
  await setup.click();
  await expect(page).toHaveURL(/execution=\d+/);
  await expect(history.getByRole("list", { name: "Phases" })).toContainText("Completed");
  await expect(history.getByRole("link", { name: "Open the proposed plan" })).toBeVisible();
  await page.reload();
  await expect(setup).toHaveAttribute("aria-expanded", "true");

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused: it does not think.")).toBeVisible();
  await expect(page.getByText("Only an active actor takes messages")).toBeVisible();
  await expect(page.getByRole("button", { name: "Think now" })).toHaveCount(0);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Think now" })).toBeVisible();

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Name").fill(`${name}, daily`);
  await page.getByLabel(/^Cost per month/).fill("free");
  await page.getByRole("button", { name: "Save actor" }).click();
  await expect(page.getByText("Cost per month in US dollars must be a number")).toBeVisible();
  await page.getByLabel(/^Cost per month/).fill("5");
  await page.getByRole("button", { name: "Save actor" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `${name}, daily` })).toBeVisible();
  expect((await asAdmin("GET", `/ai-actors/${actor}`)).body).toMatchObject({
    monthlyBudget: { tokens: 500_000, cost: 5 },
  });
  for (const id of ["2000000000", "abc", "0"])
    for (const path of [`/ai-actors/${id}`, `/ai-actors/plans/${id}`, `/ai-actors/${id}/edit`]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1, name: "Not found" })).toBeVisible();
    }
});

// everybody.spec.ts covers all pages in their initial state.
test("plans and runs are accessible and fit a phone", async () => {
  if ((await pending()).length === 0) {
    await asAdmin("POST", `/ai-actors/${actor}/refine`, {
      feedback: "Also watch bird_strikes for missing values",
      wishes: missingIn("bird_strikes"),
    });
    await expect.poll(async () => (await pending()).length).toBe(1);
  }
  const plan = `/ai-actors/plans/${(await pending())[0]?.id}`;
  const revised = (await asAdmin("GET", `/ai-actors/${actor}/executions`)).body as {
    items: { planId: number | null; kind: string; id: number }[];
  };
  const carriedOut = revised.items.find(({ kind }) => kind === "PlanRun");
  const addresses = [
    // With the dialog that rejects it.
    plan,
    `/ai-actors/${actor}?execution=${carriedOut?.id}`,
    // Version 2, compared with the previous one.
    `/ai-actors/plans/${carriedOut?.planId}`,
  ];
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(link()).toHaveAccessibleName(/pending$/);
    if (address === plan) await pressFor("r", page.getByLabel("What should change"));
    const fields = page.getByRole("button", { name: "Choose tables, checks and schedule" });
    if (await fields.isVisible()) await fields.click();
    await expectAccessible(page);
  }
});

test("archiving names the consequences, and an Admin restores it", async ({ browser }) => {
  await page.goto(`/ai-actors/${actor}`);
  await page.getByRole("button", { name: "More about this actor" }).click();
  await page.getByRole("menuitem", { name: "Archive…" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("What it created stays and keeps running");
  await expect(dialog).toContainText("1 plan that waits expires");
  await dialog.getByRole("button", { name: "Archive actor" }).click();
  await expect(page.getByText("No AI actors yet")).toBeVisible();
  await page.goto("/ai-actors/archived");
  await expect(page.getByText("Your role does not allow this")).toBeVisible();

  const chief = await browserOf(browser, admin);
  await chief.goto("/ai-actors/archived");
  await chief.getByRole("button", { name: `Restore ${name}, daily` }).click();
  await expect(chief.getByRole("row", { name: new RegExp(name) })).toHaveCount(0);
  await chief.goto("/ai-actors");
  await expect(chief.getByRole("row", { name: new RegExp(name) })).toContainText("Paused");
  await chief.context().close();
});
