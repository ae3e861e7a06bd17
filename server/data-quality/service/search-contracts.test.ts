import { beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { sql } from "../../db/client.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import type { SearchContracts } from "../schema.ts";
import { assignContract, silenceContract } from "./contracts.ts";
import { searchContracts } from "./search-contracts.ts";

let ctx: SignedIn;
let projectId: number;

/** An evaluation as stored: a score, or why there is none. */
async function evaluated(contractId: number, at: string, score: number, because: string | null = null) {
  await sql`
    insert into evaluations (contract_id, data_source_id, schema_name, table_name, trigger, status, overall_score,
      evaluated_at, not_evaluated_because, lease_token, lease_until)
    select id, data_source_id, schema_name, table_name, 'Scheduled', 'Completed', ${score}, ${at}, ${because},
      gen_random_uuid(), now() from contracts where id = ${contractId}`;
}

beforeAll(async () => {
  ctx = await asAdmin();
  const depot = await aDataSource({ name: "Depot" });
  projectId = depot.projectId;
  const shop = await aDataSource({ name: "Shop", projectId });
  const make = (name: string, dataSourceId: number, tableName: string, more: object = {}) =>
    aContract({ name, dataSourceId, tableName, ...more }, ctx);
  const below = await make("Below", depot.id, "parcels");
  const met = await make("met", depot.id, "orders", { cronExpression: "0 5 * * *" });
  const away = await make("Away", shop.id, "orders");
  await make("Waiting", shop.id, "customers");
  const off = await make("Off 100%", shop.id, "returns", { enabled: false });
  await evaluated(below.id, "2026-03-01T06:00:00Z", 100);
  await evaluated(below.id, "2026-03-02T06:00:00Z", 79.99);
  await evaluated(met.id, "2026-03-01T06:00:00Z", 80);
  await evaluated(away.id, "2026-03-01T06:00:00Z", 10);
  await evaluated(away.id, "2026-03-02T06:00:00Z", 0, "No route");
  await evaluated(off.id, "2026-03-01T06:00:00Z", 90);
  await silenceContract(ctx, { id: met.id, until: new Date(Date.now() + 3_600_000) });
  const editor = await asEditor();
  await assignContract(ctx, { id: off.id, userId: editor.principal.userId });
});

async function names(input: Partial<SearchContracts> = {}) {
  const page = await searchContracts(ctx, { projectId, page: 0, pageSize: 100, ...input });
  expect(page.totalCount).toBe(page.items.length);
  return page.items.map(({ name }) => name);
}

test("by name, in any case", async () => {
  expect(await names()).toEqual(["Away", "Below", "met", "Off 100%", "Waiting"]);
});

test.each([
  ["Below", ["Below"]],
  ["Met", ["met", "Off 100%"]],
  ["Unreachable", ["Away"]],
  ["Waiting", ["Waiting"]],
  ["Disabled", ["Off 100%"]],
  ["Silenced", ["met"]],
] as const)("state %s", async (state, expected) => {
  expect(await names({ state })).toEqual(expected);
});

test.each([
  ["orders", ["Away", "met"]],
  ["SHOP", ["Away", "Off 100%", "Waiting"]],
  ["shop orders", ["Away"]],
  ["public.parcels", ["Below"]],
  ["100%", ["Off 100%"]],
  ["_", []],
])("search %s", async (search, expected) => {
  expect(await names({ search })).toEqual(expected);
});

test("orders; missing values come last both ways", async () => {
  expect(await names({ sortBy: "Target" })).toEqual(["met", "Below", "Waiting", "Away", "Off 100%"]);
  // The last measured scores: 10, 79.99, 80, 90.
  expect(await names({ sortBy: "Score" })).toEqual(["Away", "Below", "met", "Off 100%", "Waiting"]);
  expect(await names({ sortBy: "Score", sortDirection: "Desc" })).toEqual([
    ...["Off 100%", "met", "Below", "Away", "Waiting"],
  ]);
  expect((await names({ sortBy: "NextRun", sortDirection: "Desc" })).at(-1)).toBe("Off 100%");
});

test("an owner, and pages", async () => {
  expect(await names({ ownerId: ctx.principal.userId })).toEqual(["Away", "Below", "met", "Waiting"]);
  const second = await searchContracts(ctx, { projectId, page: 1, pageSize: 2 });
  expect(second).toMatchObject({ totalCount: 5, items: [{ name: "met" }, { name: "Off 100%" }] });
  expect((await searchContracts(ctx, { projectId, page: 9, pageSize: 2 })).items).toEqual([]);
});
