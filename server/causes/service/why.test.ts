import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { modelCalls } from "../../actors/tables.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { evaluations, ruleResults } from "../../data-quality/evaluations/tables.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db, sql } from "../../db/client.ts";
import { env } from "../../env.ts";
import { listIncidentsInput } from "../../incidents/schema.ts";
import { listIncidents } from "../../incidents/service/load-incidents.ts";
import { refreshLineage } from "../../lineage/service/refresh.ts";
import { reportInput } from "../../reported-events/schema.ts";
import { reportEvent } from "../../reported-events/service.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin, asViewer } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { anAnomaly, anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { aTableAlert } from "../../test/factories/watch.ts";
import { startModelServer } from "../../test/model-server.ts";
import { rest } from "../../test/rest-client.ts";
import { tableAlerts, watchedTables } from "../../watch/tables.ts";
import { type WhyInput, whyInput } from "../schema.ts";
import { explainWhy } from "./why.ts";
import { writeAccount } from "./write-account.ts";

/**
 * shop.parcels has 100 rows a day for 40 days, the last of them yesterday: every tenth is of the carrier `slow`, which says
 * no weight. Since two days before, every parcel lacks its zone. shop.report is a view of it.
 */
let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
const day = 86_400_000;
const now = Math.floor(Date.now() / 60_000) * 60_000;
const ago = (hours: number) => new Date(now - hours * 3_600_000);

beforeAll(async () => {
  ctx = await asAdmin();
  await sql.unsafe("create schema shop");
  await sql.unsafe(`create table shop.parcels (id int primary key, carrier text, packed_at timestamptz not null,
    weight int, zone text, depot text)`);
  await sql.unsafe("create view shop.report as select id, weight, depot from shop.parcels");
  await sql`insert into shop.parcels
    select n, case n % 10 when 0 then 'slow' else 'fast' end,
      ${ago(0).toISOString()}::timestamptz - interval '41 days' + n * interval '14 minutes 24 seconds',
      case when n % 10 = 0 or n % 1009 = 0 then null else n % 50 end,
      case when n > 3900 then null else 'EU' end, 'depot ' || n % 7
    from generate_series(1, 4100) as n`;
});
afterAll(closeSources);
beforeEach(async () => {
  source = await aDataSource();
  await db
    .update(dataSources)
    .set({ updatedAt: ago(1000) })
    .where(eq(dataSources.id, source.id));
  await refreshSchema(ctx, source.id);
});

const report = (hours: number, event: object) =>
  reportEvent(
    ctx,
    reportInput.parse({ projectId: source.projectId, at: ago(hours).toISOString(), ...event }),
  );
const table = (tableName = "parcels") => ({ dataSourceId: source.id, schemaName: "shop", tableName });
const why = (asked: WhyInput, as: SignedIn = ctx) => explainWhy(as, asked);
const said = async (asked: WhyInput, as?: SignedIn) =>
  (await why(asked, as)).causes.map(({ statement }) => statement);

/** A contract with one rule, which has failed since some hours ago. */
async function failing(column: string, { hours = 2, tableName = "parcels" } = {}) {
  const contract = await aContract(
    {
      ...{ name: "Parcels", dataSourceId: source.id, schemaName: "shop", tableName },
      rules: [aRule("NullRate", { column, maxNullPercent: 0 }, { name: `${column} is there` })],
    },
    ctx,
  );
  const ruleId = contract.rules[0]?.id ?? 0;
  for (const [at, passed] of [
    [ago(hours + 24), true],
    [ago(hours), false],
    [ago(hours / 2), false],
  ] as const) {
    const [evaluation] = await db
      .insert(evaluations)
      .values({
        ...{ contractId: contract.id, ...table(tableName), trigger: "Scheduled", status: "Completed" },
        ...{ overallScore: passed ? 100 : 10, evaluatedAt: at, startedAt: at },
        ...{ leaseToken: crypto.randomUUID(), leaseUntil: at },
      })
      .returning();
    await db.insert(ruleResults).values({
      ...{ evaluationId: evaluation?.id ?? 0, ruleId, position: 0, passed, score: passed ? 100 : 0 },
      executionTimeMs: 1,
    });
  }
  return { contractId: contract.id, ruleId };
}

describe("a failing rule", () => {
  // Of 4,100 rows, 410 are of `slow`; of the four multiples of 1,009 none is, so 414 lack a weight.
  const segment = "More than 99 % of the failing rows have carrier = slow; 10 % of all rows do.";

  test("is explained by what its rows have in common, before what merely happened then", async () => {
    const asked = await failing("weight");
    await report(2.2, { kind: "Deployment", name: "shop 4.2" });
    const { began, causes, notes } = await why(asked);
    expect(began).toEqual(ago(2));
    expect(causes.map(({ statement }) => statement)).toEqual([segment, "Deployment shop 4.2."]);
    expect(causes[0]).toMatchObject({ id: "C1", kind: "Rows", about: "weight is there" });
    expect(causes[0]?.share).toBeCloseTo(410 / 414);
    expect(causes[0]?.strength).toBeGreaterThan(0.88);
    expect(causes[1]?.strength).toBeLessThan(0.2);
    expect(notes).toEqual([]);
    // All rules of the contract that fail.
    expect(await said({ contractId: asked.contractId })).toEqual([segment, "Deployment shop 4.2."]);
  });

  test("is explained by the deployment since which rows fail", async () => {
    // The first parcel without a zone is number 3,901, which is 46.56 hours before the last and 70.56 before now.
    const first = new Date(now - 41 * day + 3901 * 864_000);
    const hours = (now - first.getTime()) / 3_600_000;
    const asked = await failing("zone", { hours: hours - 1 });
    await report(hours + 0.1, { kind: "Deployment", name: "zones 2" });
    await report(hours + 9, { kind: "Deployment", name: "zones 1" });
    await report(hours - 0.9, { kind: "Deployment", name: "shop 4.3" });
    const { causes } = await why(asked);
    expect(causes[0]).toMatchObject({ kind: "Change", statement: "Deployment zones 2." });
    expect(causes[0]?.detail).toContain(
      "all of the failing rows have packed_at since then, 5 % of all rows do",
    );
    expect(causes[1]?.statement).toMatch(/^All failing rows have packed_at since/);
  });

  test("is explained by the table upstream where it is so already", async () => {
    await refreshLineage(source.id);
    const asked = await failing("weight", { tableName: "report" });
    expect((await said(asked))[0]).toBe(
      "It is so upstream already: 414 rows of shop.parcels fail by weight, too.",
    );
  });

  test("is explained without its rows for those who may not have them read, and where they cannot be read", async () => {
    const asked = await failing("weight");
    await report(2.2, { kind: "Deployment", name: "shop 4.2" });
    const viewer = await why(asked, await asViewer());
    expect(viewer.causes.map(({ statement }) => statement)).toEqual(["Deployment shop 4.2."]);
    expect(viewer.notes).toEqual(["Rows were not read: that needs the role Editor, or the scope Execute"]);
    const away = { host: "127.0.0.1", port: 1 };
    await db
      .update(dataSources)
      .set({ connection: { ...(source.connection as object), ...away } as typeof source.connection })
      .where(eq(dataSources.id, source.id));
    await closeSources();
    const { causes, notes } = await why(asked);
    expect(causes.map(({ statement }) => statement)).toEqual(["Deployment shop 4.2."]);
    expect(notes[0]).toMatch(/^weight is there: .*refused/);
  });
});

describe("a watched table", () => {
  async function unusual(more: Partial<typeof tableAlerts.$inferInsert>) {
    const { table: watched, alert } = await aTableAlert({ ...table(), openedAt: ago(1) });
    await db
      .update(watchedTables)
      .set({ arrivalColumn: "packed_at" })
      .where(eq(watchedTables.id, watched.id));
    await db.update(tableAlerts).set(more).where(eq(tableAlerts.id, alert.id));
    return table();
  }

  test("with too few rows is explained by which are missing", async () => {
    // A day in which half of the parcels came: none of the carrier `fast` in its second half.
    await sql`create table public.aside as select * from shop.parcels`;
    await sql`delete from shop.parcels where carrier = 'fast' and packed_at >= ${ago(25).toISOString()}
      and packed_at < ${ago(1).toISOString()}`;
    const asked = await unusual({ measure: "NewRows", openedAt: ago(1), lastSeenAt: ago(1) });
    const found = await said(asked);
    await sql`insert into shop.parcels select * from public.aside on conflict do nothing`;
    await sql`drop table public.aside`;
    expect(found[0]).toMatch(/^With carrier = fast, 0 rows came; usually 90 do\.$/);
  });

  test("with a column that became empty is explained by its rows", async () => {
    const asked = await unusual({ kind: "Column", measure: "NullShare", columnName: "weight" });
    expect((await said(asked))[0]).toBe(
      "More than 99 % of the failing rows have carrier = slow; 10 % of all rows do.",
    );
  });

  test("of which nothing is unusual is refused, and so is one that is not watched", async () => {
    await expect(why(table())).rejects.toMatchObject({
      code: "rejected",
      message: "This table is not watched",
    });
    const asked = await unusual({ endedAt: ago(0.5) });
    await expect(why(asked)).rejects.toMatchObject({
      message: "Nothing is unusual about this table now",
    });
  });
});

describe("a subscription", () => {
  const find = "select id, weight, carrier from shop.parcels where weight is null";
  const subscribed = async (statement: string) =>
    aSubscription(
      { query: await aQuery({ name: "No weight", dataSource: source, sql: statement }, ctx) },
      ctx,
    );

  test("that found rows, and its anomaly, are explained by what these have in common", async () => {
    const { id } = await subscribed(find);
    await anExecution({ subscriptionId: id, status: "NotificationSent", rowCount: 414, executedAt: ago(1) });
    const rows = "More than 99 % of the rows that it finds have carrier = slow; 10 % of all rows do.";
    expect((await said({ subscriptionId: id }))[0]).toBe(rows);
    const anomalyId = await anAnomaly(id, { detectedAt: ago(1) });
    const { title, causes } = await why({ anomalyId });
    expect(title).toBe("No weight: The row count 200 is above the usual 80 to 120");
    expect(causes[0]?.statement).toBe(rows);
  });

  test("whose result is an aggregate says that its rows cannot be compared", async () => {
    const { id } = await subscribed("select count(*) as parcels from shop.parcels where weight is null");
    await anExecution({ subscriptionId: id, status: "NotificationSent", rowCount: 1, executedAt: ago(1) });
    expect((await why({ subscriptionId: id })).notes.join()).toContain("has no columns of a table");
  });

  test("that cannot run is explained by the changed column that its error names", async () => {
    const { id } = await subscribed(find);
    const { alert } = await aTableAlert({
      ...table(),
      openedAt: ago(30),
      kind: "Schema",
      sentence: "Column heft is gone",
    });
    await db
      .update(tableAlerts)
      .set({ endedAt: ago(20) })
      .where(eq(tableAlerts.id, alert.id));
    await report(1.2, { kind: "Load", name: "parcels", outputs: [table()] });
    await anExecution({
      ...{
        subscriptionId: id,
        status: "Failed",
        executedAt: ago(1),
        errorMessage: 'column "heft" does not exist',
      },
    });
    const { causes, notes } = await why({ subscriptionId: id });
    expect(causes[0]?.statement).toBe("shop.parcels: Column heft is gone.");
    expect(notes[0]).toBe('It could not run: column "heft" does not exist');
  });

  test("that never ran has nothing to explain", async () => {
    const { id } = await subscribed(find);
    await expect(why({ subscriptionId: id })).rejects.toMatchObject({ code: "rejected" });
  });
});

test("an incident is explained by the table from which the others come", async () => {
  await refreshLineage(source.id);
  await aTableAlert({ ...table(), kind: "Late", sentence: "No change for 9 hours", openedAt: ago(3) });
  await failing("depot", { hours: 2, tableName: "report" });
  const { items } = await listIncidents(ctx, listIncidentsInput.parse({ projectId: source.projectId }));
  expect(items).toHaveLength(1);
  const { causes } = await why({ incidentId: items[0]?.id ?? 0 });
  expect(causes[0]).toMatchObject({
    kind: "Upstream",
    statement: "shop.parcels: no change for 9 hours.",
    detail: "1 of the 1 other problems are of tables made from it",
  });
});

test("what is not there, or in another project, is not found; and one thing is explained at a time", async () => {
  const asked = await failing("weight");
  const { headers } = await aKey({ allowedProjectIds: [(await aProject()).id] });
  const get = (query: string) => rest("GET", `/why?${query}`, { headers });
  const { contractId, ruleId } = asked;
  for (const query of [
    "incidentId=1000000",
    `contractId=${contractId}&ruleId=${ruleId}`,
    "anomalyId=1000000",
  ])
    expect((await get(query)).status, query).toBe(404);
  for (const query of ["", "incidentId=1&findingId=1", "ruleId=1", "dataSourceId=1&tableName=a"])
    expect((await get(query)).status, query).toBe(400);
  expect(whyInput.safeParse({ ...table() }).success).toBe(true);
});

describe("an account by a language model", () => {
  test("has sentences with valid sources only, and the model sees no values", async () => {
    const model = await startModelServer();
    const settings = {
      ...env(),
      OPENAI_BASE_URL: model.url,
      LLM_MODEL: "scripted",
      LLM_REQUESTS_PER_MINUTE: 1000,
    };
    await db.delete(modelCalls);
    const asked = await failing("weight");
    model.reply({
      answer: {
        sentences: [
          { text: "Parcels of [C1-1] have no weight.", sources: ["C1"] },
          { text: "Somebody should call them.", sources: [] },
          { text: "It was the network.", sources: ["C9"] },
        ],
      },
    });
    const account = await writeAccount(ctx, asked, settings).finally(() => model.close());
    expect(account).toMatchObject({
      sentences: [{ text: "Parcels of slow have no weight.", sources: ["C1"] }],
      ...{ dropped: 2, model: "scripted", tokensUsed: 1200 },
    });
    const sent = JSON.stringify(model.requests.map(({ body }) => body));
    expect(sent).toContain("More than 99 % of the failing rows have carrier = [C1-1]");
    expect(sent).not.toContain("slow");
  });

  test("is refused without a model; the facts stand by themselves", async () => {
    const asked = await failing("weight");
    await expect(writeAccount(ctx, asked)).rejects.toMatchObject({
      ...{ code: "rejected", message: "No language model is configured" },
    });
  });
});
