import { expect } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { listFindingsInput } from "../schema.ts";
import { listFindings } from "./list-findings.ts";
import { getScan, startScan, waitForScan } from "./scans.ts";
import { planted, plantedInTexts } from "./warehouse.fixture.ts";

type TableName = { schemaName: string; tableName: string };

/** A scan from its start to its end. */
export async function scanned(ctx: SignedIn, dataSourceId: number, tables?: TableName[]) {
  const { id } = await startScan(ctx, { dataSourceId, tables });
  await waitForScan(id);
  return getScan(ctx, id);
}

export const findingsOf = async (ctx: SignedIn, filter: Partial<typeof listFindingsInput._input>) =>
  (await listFindings(ctx, listFindingsInput.parse(filter))).items;

/** The rows that a finding's own SQL answers, run as it stands: by the ids in their first column. */
export async function rowsOf({ dataSourceId, rowsSql }: { dataSourceId: number; rowsSql: string | null }) {
  const { rows } = await useDatabase(dataSourceId, (_, source) =>
    source.session((session) =>
      session.read(
        { sql: rowsSql ?? "", parameters: [] },
        { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
      ),
    ),
  );
  return rows.map(([first]) => Number(first)).sort((a, b) => a - b);
}

/** What is planted in the shop is found, each fault once and with exactly its rows, and nothing else. */
export async function findsWhatIsPlanted(ctx: SignedIn, dataSourceId: number, schemaName: string) {
  const tables = ["customers", "orders"].map((tableName) => ({ schemaName, tableName }));
  expect(await scanned(ctx, dataSourceId, tables)).toMatchObject({
    ...{ status: "Completed", tablesDone: 2, tablesTotal: 2, rowsRead: 2400, skipped: [], error: null },
  });
  const found = await findingsOf(ctx, { dataSourceId });
  const inShort = await Promise.all(
    found.map(async (each) => [each.kind, each.tableName, each.columns[0], await rowsOf(each)]),
  );
  expect(inShort.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual(planted);
  for (const { failingRows, totalRows, tableName, status, kind } of found) {
    expect(failingRows).toBe(planted.find(([each]) => each === kind)?.[3].length);
    expect([totalRows, status]).toEqual([tableName === "orders" ? 2000 : 400, "Open"]);
  }
  return found;
}

/** Where numbers and dates are texts, they are compared as what they are, in the database as well. */
export async function findsWhatIsPlantedInTexts(ctx: SignedIn, dataSourceId: number, schemaName: string) {
  const tables = [{ schemaName, tableName: "cases" }];
  expect(await scanned(ctx, dataSourceId, tables)).toMatchObject({ status: "Completed", skipped: [] });
  const found = await findingsOf(ctx, { dataSourceId });
  const inShort = await Promise.all(
    found.map(async (each) => [each.kind, each.tableName, each.columns[0], await rowsOf(each)]),
  );
  expect(inShort.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual(plantedInTexts);
}
