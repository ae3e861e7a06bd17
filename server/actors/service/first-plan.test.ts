import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { rowsOf } from "../../findings/service/finds-planted-faults.fixture.ts";
import { plantedInStore, store } from "../../findings/service/store.fixture.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { findingIn } from "../planner/written-finding.ts";
import { type ActorInput, createActorInput, type Plan } from "../schema.ts";
import { createActor } from "./actors.ts";
import { waitForExecution } from "./cycles.ts";

/** The first plan for a store that was never scanned, with faults and without. */

let ctx: SignedIn;
let cookie: string;
let dataSourceId: number;

beforeAll(async () => {
  ctx = await asEditor();
  cookie = await aSession("Editor");
  dataSourceId = (await aDataSource()).id;
  for (const statement of [...store("clean", false), ...store("faulty", true)]) await sql.unsafe(statement);
}, 180_000);
afterAll(closeSources);

async function firstPlan(more: Partial<ActorInput>): Promise<Plan & { summary: string }> {
  const write = { name: "Store watch", instructions: "Watch the store", dataSourceId, ...more };
  const { id } = await createActor(ctx, createActorInput.parse(write));
  const executions = await rest("GET", `/ai-actors/${id}/executions`, { cookie });
  const [setup] = executions.body.items;
  await waitForExecution(setup.id);
  const { body: execution } = await rest("GET", `/ai-actors/executions/${setup.id}`, { cookie });
  const { body } = await rest("GET", `/ai-actors/${id}/pending-plans`, { cookie });
  expect(body.items).toHaveLength(1);
  return { ...body.items[0], summary: execution.decisionSummary };
}

const wishFor = (schemaName: string) => ({ tables: [{ schemaName }], exclude: [], checks: [] });
const queriesOf = ({ actions }: Plan) =>
  actions.flatMap((action) => (action.kind === "CreateQuery" ? [action] : []));

/** Which of the planted faults' rows a plan's queries currently return. */
async function returned(plan: Plan) {
  const found: string[] = [];
  for (const { name, sql: text, evidence } of queriesOf(plan)) {
    expect([name, evidence?.issues]).toEqual([name, []]);
    const rows = (await rowsOf({ dataSourceId, rowsSql: text })).length;
    for (const [table, column, doubted] of plantedInStore) {
      const written = findingIn(text);
      const isOf = written
        ? written.tableName === table && written.parts.some(({ columns }) => columns.at(-1) === column)
        : text.startsWith(`-- Freshness of "faulty"."${table}": "${column}"`);
      const expected = Math.max(1, doubted);
      if (isOf && (written && written.parts.length > 1 ? rows >= expected : rows === expected))
        found.push(`${table}.${column}`);
    }
  }
  return found.sort();
}

const all = plantedInStore.map(([table, column]) => `${table}.${column}`).sort();

test("a first plan begins with a query for each planted fault, worst first, and says how many there are", async () => {
  const plan = await firstPlan({ wishes: wishFor("faulty"), maxQueries: 20 });
  expect(await returned(plan)).toEqual(all);
  expect(plan.summary).toMatch(
    /^13 things look wrong today\. Watch 8 tables with \d+ checks: what looks wrong \(13\), /,
  );
  expect(plan.analysis).toContain("### What looks wrong today\n\n13 things look wrong today, worst first.");
  // Each is named once: its kind in the name, the rest in the sentence.
  expect(
    queriesOf(plan)
      .slice(0, 13)
      .map(({ name }) => name),
  ).toEqual(
    expect.arrayContaining([
      ...["Missing email in faulty.customers", "Duplicate order_no in faulty.orders"],
      ...["faulty.orders with an unknown customer", "No new rows in faulty.daily_visits"],
    ]),
  );
  expect(plan.keyFindings).toContain("2 of 600 rows of customers have no email; all others do.");
  // In addition to what is wrong, it watches what holds, and nothing twice.
  const names = queriesOf(plan).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(13);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith("No new rows in faulty.daily_visits"))).toHaveLength(1);
}, 180_000);

test("with fewer queries, findings of one table share a query, and none is lost", async () => {
  const plan = await firstPlan({ wishes: wishFor("faulty"), maxQueries: 10 });
  expect(queriesOf(plan)).toHaveLength(10);
  expect(await returned(plan)).toEqual(all);
}, 180_000);

test("only what was chosen is looked for", async () => {
  const plan = await firstPlan({
    wishes: {
      tables: [{ schemaName: "faulty", tableName: "customers" }],
      exclude: [{ schemaName: "faulty", tableName: "customers", columnName: "zip" }],
      checks: [],
    },
  });
  expect(await returned(plan)).toEqual(["customers.city", "customers.email", "customers.phone"]);
  expect(plan.summary).toMatch(/^3 things look wrong today\./);
}, 180_000);

test("for a clean store nothing is reported as wrong", async () => {
  const plan = await firstPlan({ wishes: wishFor("clean"), maxQueries: 20 });
  expect(`${plan.summary}\n${plan.analysis}`).not.toContain("wrong today");
  expect(queriesOf(plan).filter(({ sql: text }) => findingIn(text))).toEqual([]);
}, 180_000);
