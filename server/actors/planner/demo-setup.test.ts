import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { createWarehouse } from "../../demo/warehouse.ts";
import { aBriefing, briefedTables } from "../../test/factories/briefings.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import type { Briefing } from "../briefing.ts";
import type { Evidence } from "../schema.ts";
import { gatherEvidence } from "../service/gather-evidence.ts";
import type { Wishes } from "../wishes.ts";
import { proposeByRule } from "./propose-by-rule.ts";

/** The proposals for the demo's warehouse, and what each finds in the actual data. */

const databaseUrl = process.env.DATABASE_URL ?? "";
// Databases and roles are shared by the whole server, which other test files use at the same time.
const names = { database: "demo_planner_test", reader: "demo_planner_reader" };
let dataSourceId: number;
let briefing: Briefing;

beforeAll(async () => {
  const connection = await createWarehouse(databaseUrl, names);
  dataSourceId = (await aDataSource({ name: "Demo warehouse", connection })).id;
  const tables = await briefedTables(await asAdmin(), dataSourceId);
  briefing = aBriefing({ tables, dataSource: { name: "Demo warehouse" } });
}, 180_000);

afterAll(async () => {
  await closeSources();
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database ${names.database} with (force)`);
  await admin.unsafe(`drop role ${names.reader}`);
  await admin.end();
});

async function evidenceOf(asked: Briefing): Promise<Record<string, Evidence>> {
  const admin = await asAdmin();
  const found: Record<string, Evidence> = {};
  for (const action of proposeByRule(asked, null).actions)
    if (action.kind === "CreateQuery")
      found[action.name] = await gatherEvidence(admin, dataSourceId, action.sql);
  return found;
}

test("ten checks, all of which run, and find what is wrong and nothing else", async () => {
  const found = await evidenceOf(briefing);
  expect(Object.keys(found)).toEqual([
    ...["No new rows in departures", "Too few rows in departures", "Missing values in departures"],
    ...["Too few rows in flights", "Missing values in flights"],
    ...["Missing values in bird_strikes", "Bird strikes with an unknown origin state"],
    ...["Missing values in airports", "Missing release_date in movies", "Missing values in weather"],
  ]);
  for (const evidence of Object.values(found)) expect(evidence).toMatchObject({ valid: true, issues: [] });
  const withRows = Object.entries(found).filter(([, { rows }]) => rows?.length !== 0);
  // The District of Columbia is not one of the fifty states.
  expect(withRows.map(([name, { rows }]) => [name, rows?.[0]?.at(-1)])).toEqual([
    ["Bird strikes with an unknown origin state", "DC"],
  ]);
});

test("the feed is checked hourly, the rest daily, and not all at once", () => {
  const { actions } = proposeByRule(briefing, null);
  const runs = actions.flatMap((action) => (action.kind === "CreateSubscription" ? [action] : []));
  const hourly = runs
    .filter(({ cronExpression }) => / \* \* \* \*$/.test(cronExpression))
    .map(({ queryName }) => queryName);
  expect(hourly).toEqual(["No new rows in departures", "Too few rows in departures"]);
  expect(new Set(runs.map(({ cronExpression }) => cronExpression)).size).toBeGreaterThan(7);
});

test("flaws in the profile are among the findings", () => {
  const { keyFindings } = proposeByRule(briefing, null);
  expect(keyFindings).toContain("The latest release_date in movies is 2046-12-31, which is in the future.");
  expect(keyFindings).toContain("movies.title is almost always there, and missing in 1 row of 3,201.");
});

test("people's choices steer it", async () => {
  const departures = briefing.tables.find(({ tableName }) => tableName === "departures");
  const wishes: Wishes = {
    tables: [{ schemaName: departures?.schemaName ?? "", tableName: "departures" }],
    exclude: [],
    checks: ["Freshness", "NullRate"],
    schedule: { cronExpression: "*/15 * * * *", timezone: "Europe/Berlin" },
  };
  const steered = aBriefing({ ...briefing, actor: { wishes } });
  expect(Object.keys(await evidenceOf(steered))).toEqual([
    "No new rows in departures",
    "Missing values in departures",
  ]);
  expect(proposeByRule(steered, null).actions[1]).toMatchObject({
    ...{ cronExpression: "*/15 * * * *", timezone: "Europe/Berlin" },
  });
});
