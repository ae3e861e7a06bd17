import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { readLimits } from "../../profile/service/read-table.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { explainRule } from "./explain-rule.ts";
import { ordersContract, saysWhy, shop } from "./orders.fixture.ts";

let ctx: SignedIn;
let dataSourceId: number;
const usual = { ...readLimits };

beforeAll(async () => {
  ctx = await asEditor();
  dataSourceId = (await aDataSource()).id;
  for (const statement of shop("text")) await sql.unsafe(statement);
});
afterEach(() => {
  Object.assign(readLimits, usual);
});
afterAll(closeSources);

test("failing rows have in common what others do not: a value, a time, a value of what they refer to", async () => {
  const { why } = await ordersContract(ctx, dataSourceId);
  await saysWhy(why);
});

test("of a large table some rows are read, and all are counted", async () => {
  readLimits.rows = 500;
  const { why } = await ordersContract(ctx, dataSourceId);
  expect(await why("amount")).toMatchObject({
    said: ["98 % of the failing rows have source = legacy; 4 % of all rows do."],
    ...{ failingRows: 205, totalRows: 5000, isExact: true },
  });
});

test("columns that a condition names explain nothing", async () => {
  const { why } = await ordersContract(ctx, dataSourceId);
  expect(await why("condition")).toMatchObject({
    said: ["All failing rows have no amount; 4 % of all rows do."],
    failingRows: 200,
  });
});

test("values of personal data are not shown, unless the contract shows them", async () => {
  const fails = (samples: "Masked" | "Full") => ordersContract(ctx, dataSourceId, { samples });
  // The failing rows are exactly those of one contact; the rule is about it, so another column has to say so.
  await sql.unsafe("alter table orders add column copy_of_email text");
  await sql.unsafe("update orders set copy_of_email = contact");
  const { said } = await (await fails("Masked")).why("contact");
  expect(said[0]).toBe("96 % of the failing rows have source = web; 48 % of all rows do.");
  expect(said.join()).not.toContain("example.com");
  expect((await (await fails("Full")).why("contact")).said).toEqual([
    "All failing rows have copy_of_email = o3@example.com; 25 % of all rows do.",
  ]);
});

test("rules that do not fail row by row, and contracts that show no rows, have no causes", async () => {
  const { why } = await ordersContract(ctx, dataSourceId);
  await expect(why("volume")).rejects.toMatchObject({ code: "rejected" });
  const silent = await ordersContract(ctx, dataSourceId, { samples: "Off" });
  await expect(silent.why("amount")).rejects.toMatchObject({
    ...{ code: "rejected", message: "The contract shows no failing rows" },
  });
  const { contract } = await ordersContract(ctx, dataSourceId);
  await expect(explainRule(ctx, { id: contract.id, ruleId: 0 })).rejects.toMatchObject({ code: "not_found" });
  await expect(explainRule(ctx, { id: 0, ruleId: 1 })).rejects.toMatchObject({ code: "not_found" });
});
