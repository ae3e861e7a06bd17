import { type Api, signIn } from "../e2e/api.ts";
import { admin } from "../e2e/service.ts";
import { watched } from "./watched-data.ts";

/** The initial objects: created over REST by the first Admin, as anyone would. */
export type World = {
  key: string;
  projectId: number;
  warehouseId: number;
  contractIds: number[];
  subscriptionIds: number[];
  queryIds: number[];
  /** The recipient of notifications from the actors' subscriptions. */
  actorRecipientId: number;
};

type Places = {
  url: string;
  databasePort: number;
  badPorts: Record<"hanging" | "refusing" | "garbage", number>;
  webhookUrl: string;
};

const everyMinute = { cronExpression: "* * * * *" };
const receiversOfEachKind = 4;

export async function makeWorld({ url, databasePort, badPorts, webhookUrl }: Places): Promise<World> {
  const make = maker(await signIn(url, admin));
  const projectId = await make("/projects", { name: "Faults" });
  const source = (name: string, port: number) =>
    make("/data-sources", {
      ...{ projectId, name, kind: "PostgreSql" },
      connection: { host: "127.0.0.1", port, ...watched },
    });
  const warehouseId = await source("Warehouse", databasePort);
  const badIds: number[] = [];
  for (const [name, port] of Object.entries(badPorts)) badIds.push(await source(name, port));

  const recipients: { mail: number; webhook: number }[] = [];
  for (let n = 1; n <= receiversOfEachKind; n++)
    recipients.push({
      mail: await make("/recipients", {
        ...{ projectId, name: `Mail ${n}`, type: "Email", destination: `team-${n}@example.com` },
      }),
      webhook: await make("/recipients", {
        ...{ projectId, name: `Webhook ${n}`, type: "Webhook", destination: `${webhookUrl}/hook-${n}` },
      }),
    });
  const both = (n: number) => Object.values(recipients[n % receiversOfEachKind] ?? {});

  const contractIds: number[] = [];
  for (const [n, { name, ...rest }] of contracts.entries())
    contractIds.push(
      await make("/data-quality/contracts", {
        ...{ name, dataSourceId: warehouseId, recipientIds: both(n), ...everyMinute, ...rest },
      }),
    );
  for (const dataSourceId of badIds)
    contractIds.push(
      await make("/data-quality/contracts", {
        ...{ name: `Contract on source ${dataSourceId}`, dataSourceId, tableName: "orders" },
        ...{ recipientIds: both(0), ...everyMinute, rules: [rule("Volume", { minRows: 1 })] },
      }),
    );

  const query = (name: string, dataSourceId: number, sql: string) =>
    make("/queries", { projectId, name, steps: [{ dataSourceId, sql }] });
  const subscriptionIds: number[] = [];
  for (const [n, { name, sql, ...rest }] of subscriptions.entries()) {
    const queryId = await query(name, warehouseId, sql);
    subscriptionIds.push(
      await make("/subscriptions", { queryId, recipientIds: both(n), ...everyMinute, ...rest }),
    );
  }
  for (const dataSourceId of badIds) {
    const queryId = await query(`Query on source ${dataSourceId}`, dataSourceId, "select 1 as one");
    subscriptionIds.push(
      await make("/subscriptions", { queryId, recipientIds: both(1), ...everyMinute, timeoutSeconds: 10 }),
    );
  }
  const queryIds: number[] = [];
  for (let n = 1; n <= 5; n++) queryIds.push(await query(`Changing ${n}`, warehouseId, "select 0 as edit"));
  return {
    key: await makeKey(url),
    ...{ projectId, warehouseId, contractIds, subscriptionIds, queryIds },
    actorRecipientId: recipients[0]?.webhook ?? 0,
  };
}

/** From now on, query changes need approval. */
async function makeKey(url: string): Promise<string> {
  const api = await signIn(url, admin);
  await api("PUT", "/settings", { approvalWorkflow: true, fourEyes: false });
  const { body } = await api("POST", "/api-keys", { name: "Faults", scopes: ["Admin"] });
  return (body as { rawKey: string }).rawKey;
}

const maker = (api: Api) => async (path: string, json: unknown) => {
  const { status, body } = await api("POST", path, json);
  if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return (body as { id: number }).id;
};

const rule = (type: string, configuration: object) => ({ name: `${type} rule`, type, configuration });
const slow = (seconds: number, passed: 0 | 1) =>
  rule("CustomSql", { sql: `select ${passed} as passed from pg_sleep(${seconds})` });

/** Some pass and some fail; some of those that fail notify nobody. */
const contracts = [
  { name: "Good orders", tableName: "orders", rules: [rule("Volume", { minRows: 1 })] },
  { name: "Doubled numbers", tableName: "orders", rules: [rule("Uniqueness", { column: "number" })] },
  {
    name: "Missing mail",
    tableName: "customers",
    rules: [rule("NullRate", { column: "email", maxNullPercent: 1 }), rule("Volume", { minRows: 9999999 })],
  },
  {
    name: "Slow and bad",
    tableName: "orders",
    rules: [slow(1.5, 0), rule("Range", { column: "amount", min: "0", max: "10" })],
  },
  { name: "Slow and good", tableName: "payments", rules: [slow(2, 1), rule("Volume", { minRows: 10 })] },
  {
    name: "Two slow rules",
    tableName: "products",
    rules: [slow(1, 0), slow(1, 1), rule("Volume", { maxRows: 10 })],
  },
  {
    name: "Bad in silence",
    tableName: "payments",
    alertOnFailure: false,
    rules: [rule("Uniqueness", { column: "amount" })],
  },
  {
    name: "Bad for nobody",
    tableName: "products",
    recipientIds: [],
    rules: [rule("Volume", { maxRows: 1 })],
  },
];

const always = { condition: { kind: "Always" } };
const subscriptions = [
  { name: "Always", sql: "select count(*) as n from orders", ...always },
  { name: "Rows found", sql: "select id, number from orders where id <= 3", createTasks: true },
  { name: "No rows", sql: "select id from orders where id < 0", createTasks: true },
  { name: "Slow", sql: "select 1 as one from pg_sleep(1.5)", createTasks: true, ...always },
  { name: "Broken", sql: "select 1 / (id - id) as never from orders limit 1" },
  {
    name: "Below its threshold",
    sql: "select id from orders where id <= 3",
    condition: { kind: "RowCountAbove", threshold: 10 },
  },
];
