import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, type Page } from "@playwright/test";
import postgres from "postgres";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { openAs } from "./enter.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/**
 * An assistant proposes a contract and rules over MCP with a key, one of them from a finding; someone reviews the plan
 * in the browser and approves it, and the contract and its rules are there.
 */
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_proposals";
const project = "For proposals";

test.describe.configure({ mode: "serial" });

let api: Api;
let page: Page;
let dataSourceId: number;
let customers: number;
let actor: number;
let finding: number;
let plan: number;

test.beforeAll(async ({ browser }) => {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`drop database if exists ${database} with (force)`);
  await server.unsafe(`create database ${database}`);
  await server.end();
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  const shop = postgres(address.href, { max: 1, onnotice: () => {} });
  // One total is far from all others. There are 300 orders and 3 customers.
  await shop.unsafe(`
    create table orders as select id, case id when 90 then 48000 else 10 + id % 7 end as total from generate_series(1, 300) as id;
    create table customers (id integer primary key);
    insert into customers values (1), (2), (3)`);
  await shop.end();

  api = await signIn(sharedUrl);
  const projectId = await create("/projects", { name: project });
  const { hostname, port, username, password } = address;
  dataSourceId = await create("/data-sources", {
    ...{ projectId, name: "Shop of proposals", kind: "PostgreSql" },
    connection: {
      ...{ host: hostname, port: Number(port || 5432), database, ssl: false },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  customers = await create("/data-quality/contracts", {
    ...{ name: "Customers", dataSourceId, tableName: "customers", cronExpression: "0 6 * * *" },
    rules: [{ name: "Ids are unique", type: "Uniqueness", column: "id" }],
  });
  finding = await findingOfTheTotal();
  actor = await create("/ai-actors", {
    ...{ name: "Desk of proposals", dataSourceId, instructions: "Watch the orders" },
  });
  await rejectItsOwnPlan();
  page = await browser.newPage({ baseURL: sharedUrl });
});
test.afterAll(() => page?.close());

async function create(path: string, json: object): Promise<number> {
  const { status, body } = await api("POST", path, json);
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { id: number }).id;
}

async function findingOfTheTotal(): Promise<number> {
  expect((await api("POST", "/data-quality/findings/scans", { dataSourceId })).status).toBe(202);
  type Found = { items: { id: number; kind: string; tableName: string }[] };
  const found = async () =>
    ((await api("GET", `/data-quality/findings?dataSourceId=${dataSourceId}`)).body as Found).items.find(
      ({ kind, tableName }) => kind === "OutOfRange" && tableName === "orders",
    );
  await expect.poll(found).toBeDefined();
  return (await found())?.id ?? 0;
}

/** A new actor proposes something by itself, and only one plan may wait. */
async function rejectItsOwnPlan(): Promise<void> {
  type Plans = { items: { id: number }[] };
  const waiting = async () => ((await api("GET", `/ai-actors/${actor}/pending-plans`)).body as Plans).items;
  await expect.poll(async () => (await waiting()).length).toBe(1);
  const [{ id } = { id: 0 }] = await waiting();
  const reason = "The assistant proposes";
  expect((await api("POST", `/ai-actors/plans/${id}/reject`, { reason })).status).toBe(200);
}

type Contract = { id: number; name: string; cronExpression: string; rules: { name: string; type: string }[] };
async function contractsOf(tableName: string): Promise<Contract[]> {
  const { body } = await api("GET", `/data-quality/contracts?dataSourceId=${dataSourceId}`);
  const listed = (body as { items: { id: number; tableName: string }[] }).items;
  return Promise.all(
    listed
      .filter((each) => each.tableName === tableName)
      .map(async ({ id }) => (await api("GET", `/data-quality/contracts/${id}`)).body as Contract),
  );
}

const actions = () => page.getByRole("list", { name: "Actions" }).getByRole("button");
const article = () => page.getByRole("article");
const rules = () => article().getByRole("region", { name: "Rules" }).getByRole("listitem");
const decision = () => page.getByRole("region", { name: "Decision" });

test("an assistant with a key proposes a contract and more rules, and nothing changes yet", async () => {
  const { body } = await api("POST", "/api-keys", { name: "Assistant's desk", scopes: ["Execute"] });
  const { rawKey } = body as { rawKey: string };
  const client = new Client({ name: "journey", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${sharedUrl}/svc/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${rawKey}` } },
  });
  await client.connect(transport as Transport);
  const { projectId } = (await api("GET", `/data-sources/${dataSourceId}`)).body as { projectId: number };
  const proposed = await client.callTool({
    name: "propose_plan",
    arguments: {
      ...{ project_id: projectId, actor_id: actor, analysis: "Nobody watches the orders." },
      actions: [
        {
          ...{ kind: "CreateContract", reasoning: "One total is far from all others" },
          ...{ name: "Orders", schemaName: "public", tableName: "orders", cronExpression: "0 6 * * *" },
          rules: [
            { name: "There are orders", type: "Volume", configuration: { minRows: 1 } },
            { findingId: finding },
          ],
        },
        {
          ...{ kind: "AddRules", reasoning: "The pilot has two customers", contractId: customers },
          rules: [{ name: "Two customers at most", type: "Volume", configuration: { maxRows: 2 } }],
        },
      ],
    },
  });
  await client.close();
  expect(proposed.isError, JSON.stringify(proposed.content)).toBeFalsy();
  plan = (proposed.structuredContent as { id: number }).id;
  expect(await contractsOf("orders")).toEqual([]);

  await openAs(page, `${sharedUrl}/ai-actors/${actor}`);
  const inbox = page.getByRole("region", { name: "Plans waiting for a decision" });
  await inbox.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/ai-actors/plans/${plan}`));
  await expect(page.getByRole("heading", { level: 1, name: "Proposed by an assistant" })).toBeVisible();
  await expect(page.getByText(/^Assistant with key \d+, Assistant's desk/)).toBeVisible();
});

test("the plan shows each rule in words, and what it says about the data today", async () => {
  await expect(page.getByRole("region", { name: "Analysis" })).toContainText("Nobody watches the orders.");
  await expect(actions()).toHaveCount(2);
  await actions().filter({ hasText: "Orders" }).click();
  await expect(article().getByRole("link", { name: "public.orders" })).toBeVisible();
  await expect(article().getByRole("list", { name: "Next runs" })).toBeVisible();
  await expect(rules()).toHaveCount(2);
  await expect(rules().first()).toContainText("The table has at least 1 row");
  await expect(rules().first()).toContainText("Passes today");
  await expect(rules().first()).toContainText("measured 300");
  // The total that the finding doubts is out of the rule's range.
  await expect(rules().last()).toContainText("Fails today");
  await expect(rules().last().getByRole("link", { name: "From a finding" })).toHaveAttribute(
    "href",
    new RegExp(`/findings/${finding}$`),
  );
  await expectAccessible(page, { isOtherOnPhone: true });

  await actions().filter({ hasText: "Customers" }).click();
  await expect(article()).toContainText("Its other rules stay.");
  await expect(rules()).toHaveCount(1);
  await expect(rules()).toContainText("Two customers at most");
  await expect(rules()).toContainText("measured 3");
  await expect(rules()).toContainText("Fails today");
  await expectAccessible(page, { isOtherOnPhone: true });
});

test("once someone approves it, the contract exists, and both have the rules", async () => {
  await decision().getByRole("button", { name: "Approve" }).click();
  await decision().getByRole("button", { name: "Approve" }).click();
  await expect(decision()).toContainText("Executed");
  await expectAccessible(page);
  await actions().filter({ hasText: "Orders" }).click();
  await article().getByRole("link", { name: "Open contract" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();

  const [made, ...more] = await contractsOf("orders");
  expect(more).toEqual([]);
  expect(made).toMatchObject({ name: "Orders", cronExpression: "0 6 * * *" });
  expect(made?.rules.map(({ type }) => type)).toEqual(["Volume", "Range"]);
  const [added] = await contractsOf("customers");
  expect(added?.id).toBe(customers);
  expect(added?.rules.map(({ name }) => name)).toEqual(["Ids are unique", "Two customers at most"]);
  expect((await api("GET", `/data-quality/findings/${finding}`)).body).toMatchObject({
    ...{ status: "Accepted", contractId: made?.id },
  });
});
