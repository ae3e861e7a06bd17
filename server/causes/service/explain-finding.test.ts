import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import type { Condition } from "../../findings/condition.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aFinding } from "../../test/factories/findings.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { explainFinding } from "./explain-finding.ts";
import { shop } from "./orders.fixture.ts";

let ctx: SignedIn;
let dataSourceId: number;

beforeAll(async () => {
  ctx = await asEditor();
  dataSourceId = (await aDataSource()).id;
  for (const statement of shop("text")) await sql.unsafe(statement);
});
afterAll(closeSources);

const orders = { schemaName: "public", tableName: "orders" };
async function explained(condition: Condition | null, columns: string[]) {
  const { id } = await aFinding({ dataSourceId, ...orders, condition, columns });
  const { segments, ...causes } = await explainFinding(ctx, id);
  return { ...causes, said: segments.map(({ statement }) => statement), segments };
}

test("the rows of a finding have in common where they come from", async () => {
  expect(await explained({ is: "null", column: "amount" }, ["amount"])).toMatchObject({
    said: ["98 % of the failing rows have source = legacy; 4 % of all rows do."],
    segments: [{ parts: [{ column: "source", is: "Value", value: "legacy" }], failingRows: 200, rows: 200 }],
    ...{ failingRows: 205, totalRows: 5000, isExact: true, note: null },
  });
});

test("rows that repeat others are told by when they came", async () => {
  expect(await explained({ is: "repeated", columns: ["code"] }, ["code"])).toMatchObject({
    said: ["All failing rows have placed_at since 2026-11-10; 20 % of all rows do."],
    failingRows: 1000,
  });
});

test("a finding that is not about rows, or about columns that are gone, has no causes", async () => {
  await expect(explained(null, [])).rejects.toMatchObject({ code: "rejected" });
  await expect(explained({ is: "null", column: "gone" }, ["gone"])).rejects.toMatchObject({
    code: "rejected",
  });
  await expect(explainFinding(ctx, 0)).rejects.toMatchObject({ code: "not_found" });
});
