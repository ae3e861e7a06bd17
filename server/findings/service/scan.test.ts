import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { getContract } from "../../data-quality/service/contracts.ts";
import { evaluateContract } from "../../data-quality/service/evaluate.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor, asViewer } from "../../test/factories/principals.ts";
import { acceptFinding, dismissFinding } from "./decide-findings.ts";
import {
  findingsOf,
  findsWhatIsPlanted,
  findsWhatIsPlantedInTexts,
  scanned,
} from "./finds-planted-faults.fixture.ts";
import { getFinding, getFindingSamples } from "./list-findings.ts";
import { getScan, startScan, waitForScan } from "./scans.ts";
import { shop, textTable } from "./warehouse.fixture.ts";

let ctx: SignedIn;
let dataSourceId: number;
let projectId: number;
const tables = ["customers", "orders"].map((tableName) => ({ schemaName: "shop", tableName }));

beforeAll(async () => {
  ctx = await asEditor();
});
beforeEach(async () => {
  ({ id: dataSourceId, projectId } = await aDataSource());
  await sql.unsafe("drop schema if exists shop cascade; create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
});
afterAll(closeSources);

async function scan() {
  const ended = await scanned(ctx, dataSourceId, tables);
  // What a scan has not found is gone only if it has read everything.
  expect(ended).toMatchObject({ status: "Completed", skipped: [] });
  return ended;
}
async function found(kind: string) {
  const items = await findingsOf(ctx, { dataSourceId });
  const [one, ...others] = items.filter((each) => each.kind === kind);
  expect(others).toEqual([]);
  if (!one) throw new Error(`No finding of kind ${kind}`);
  return one;
}

test("planted faults are found with their rows, worst first", async () => {
  const findings = await findsWhatIsPlanted(ctx, dataSourceId, "shop");
  const weight = { Low: 1, Medium: 2, High: 3, Critical: 4 };
  const ranks = findings.map(
    (each) => each.confidence * weight[each.severity] * (each.failingRows / each.totalRows),
  );
  expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
});

test("numbers and dates that are texts are compared as such, beside texts that are neither", async () => {
  for (const statement of textTable((name) => `shop.${name}`)) await sql.unsafe(statement);
  await findsWhatIsPlantedInTexts(ctx, dataSourceId, "shop");
});

test("samples show the rows in doubt, the key and the doubted column first, with personal data masked", async () => {
  await scan();
  const { columns, rows, maskedColumns, totalFailing } = await getFindingSamples(
    ctx,
    (await found("Variant")).id,
  );
  expect(columns.map(({ name }) => name)).toEqual(["id", "country", "email"]);
  expect(rows).toEqual([[900, "germany", "•###@••••#.•••••••"]]);
  expect([maskedColumns, totalFailing]).toEqual([["email"], 1]);
});

test("what is mended is gone after the next scan, and what comes back is open again, as the same finding", async () => {
  await scan();
  const missing = await found("MissingValue");
  await sql`update shop.customers set email = 'new@shop.example' where email is null`;
  await scan();
  expect(await getFinding(ctx, missing.id)).toMatchObject({ status: "Gone", failingRows: 2 });
  await sql`update shop.customers set email = null where id in (12, 30, 60)`;
  const { id: scanId } = await scan();
  expect(await getFinding(ctx, missing.id)).toMatchObject({
    ...{ status: "Open", failingRows: 3, scanId, firstSeenAt: missing.firstSeenAt },
  });
});

test("what is dismissed stays dismissed while it is the same fault; another one in the column is open", async () => {
  await scan();
  const { id } = await found("Variant");
  await dismissFinding(ctx, { id, reason: " A trading name " });
  await sql`update shop.customers set country = 'germany' where id = 600`;
  await scan();
  expect(await getFinding(ctx, id)).toMatchObject({
    ...{ status: "Dismissed", reason: "A trading name", failingRows: 2 },
  });
  await sql`update shop.customers set country = 'SPAIN' where id = 603`;
  await sql`update shop.customers set country = 'Germany' where country = 'germany'`;
  await scan();
  const variants = await findingsOf(ctx, { dataSourceId, kind: "Variant" });
  expect(variants.find((each) => each.id === id)?.status).toBe("Dismissed");
  const [other, ...more] = variants.filter((each) => each.id !== id);
  expect([other?.status, other?.failingRows, more]).toEqual(["Open", 1, []]);
});

test("findings of a table that was dropped are gone, when all tables were scanned", async () => {
  await scan();
  await sql`drop table shop.orders`;
  await scanned(ctx, dataSourceId);
  expect(await findingsOf(ctx, { dataSourceId, tableName: "orders", status: "Open" })).toEqual([]);
  expect((await findingsOf(ctx, { dataSourceId, tableName: "orders", status: "Gone" })).length).toBe(3);
  expect((await findingsOf(ctx, { dataSourceId, tableName: "customers", status: "Open" })).length).toBe(2);
});

test("accepted, a finding's rule joins a contract of the table, and fails there for these rows", async () => {
  await scan();
  const rules = async (contractId: number | null) =>
    (await getContract(ctx, contractId ?? 0)).rules.map(({ name, type }) => [name, type]);
  const { contractId, status } = await acceptFinding(ctx, { id: (await found("MissingValue")).id });
  expect(status).toBe("Accepted");
  expect(await rules(contractId)).toEqual([["No missing values: email", "NullRate"]]);

  // The table has a contract now, and no type of rule says how a word is spelled.
  const variant = await found("Variant");
  expect((await acceptFinding(ctx, { id: variant.id })).contractId).toBe(contractId);
  await acceptFinding(ctx, { id: variant.id });
  expect(await rules(contractId)).toEqual([
    ["No missing values: email", "NullRate"],
    ["Written one way: country", "CustomSql"],
  ]);
  const { ruleResults } = await evaluateContract(ctx, contractId ?? 0);
  expect(ruleResults.map(({ passed, couldRun }) => [passed, couldRun])).toEqual([
    [false, true],
    [false, true],
  ]);
  await expect(dismissFinding(ctx, { id: variant.id })).rejects.toThrow("The finding is already accepted");

  const other = await aContract({ dataSourceId, schemaName: "shop", tableName: "customers" }, ctx);
  const price = await found("OutOfRange");
  await expect(acceptFinding(ctx, { id: price.id, contractId: other.id })).rejects.toThrow(
    "The contract watches another table",
  );
  expect((await getFinding(ctx, price.id)).status).toBe("Open");
});

test("a rule begins another contract where that is asked for, although the table has one", async () => {
  await scan();
  const first = await acceptFinding(ctx, { id: (await found("Duplicate")).id });
  const second = await acceptFinding(ctx, { id: (await found("OutOfRange")).id, newContract: true });
  expect(second.contractId).not.toBe(first.contractId);
  expect(await getContract(ctx, second.contractId ?? 0)).toMatchObject({
    ...{ schemaName: "shop", tableName: "orders", cronExpression: "0 6 * * *" },
    rules: [{ type: "Range" }],
  });
});

test("a scan that is in progress is joined, by whoever asks", async () => {
  const [one, two] = await Promise.all([
    startScan(ctx, { dataSourceId, tables }),
    startScan(await asEditor(), { dataSourceId }),
  ]);
  expect(two.id).toBe(one.id);
  await waitForScan(one.id);
  expect((await startScan(ctx, { dataSourceId, tables })).id).not.toBe(one.id);
});

test("who does not see the project finds neither its findings nor its scans", async () => {
  const { id: scanId } = await scan();
  const { id } = await found("Orphan");
  const inside = await asViewer({ projectIds: [projectId] });
  const outside = await asViewer({ projectIds: [projectId + 1000] });
  expect((await findingsOf(inside, {})).length).toBe(5);
  expect(await findingsOf(outside, {})).toEqual([]);
  for (const look of [getFinding, getFindingSamples, dismissIt, getScan]) {
    const wanted = look === getScan ? scanId : id;
    await expect(look(outside, wanted)).rejects.toThrow("not found");
  }
  await expect(startScan(outside, { dataSourceId })).rejects.toThrow("Data source not found");
});
const dismissIt = (as: SignedIn, id: number) => dismissFinding(as, { id });
