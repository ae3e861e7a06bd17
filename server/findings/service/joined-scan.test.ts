import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { someoneWaitsForLock } from "../../test/waits-for-lock.ts";
import { limits } from "../limits.ts";
import { nextQuestion } from "./ask-about-cells.ts";
import { findingsOf } from "./finds-planted-faults.fixture.ts";
import { getScan, startScan, waitForScan } from "./scans.ts";
import { answerQuestion } from "./taught-cells.ts";

/** Asked for a scan while one runs: it is joined, and nothing that was asked for is left out. */

const usual = { ...limits };
let ctx: SignedIn;
let dataSourceId: number;
const named = (tableName: string) => ({ schemaName: "joined", tableName });

beforeAll(async () => {
  ctx = await asEditor();
});
beforeEach(async () => {
  Object.assign(limits, usual);
  ({ id: dataSourceId } = await aDataSource());
  await sql.unsafe(`
    drop schema if exists joined cascade;
    create schema joined;
    create table joined.parcels (id int primary key, weight text, sender text);
    insert into joined.parcels
      select n, case when n % 3 = 0 then n % 40 || '.5 kg' else n % 37 || '.5' end, 'sender ' || n
      from generate_series(1, 300) as n;
    create table joined.gate (id int primary key);
    insert into joined.gate select generate_series(1, 30);
    create table joined.letters (id int primary key, code text);
    insert into joined.letters select n, 'K-' || n from generate_series(1, 200) as n`);
});
afterAll(() => {
  Object.assign(limits, usual);
  return closeSources();
});

/** What happens while a scan of some tables stands before the gate, which is read as the last one. */
async function atTheGate(tables: string[], meanwhile: () => Promise<void>) {
  const id = await sql.begin(async (tx) => {
    await tx`lock table joined.gate in access exclusive mode`;
    const begun = await startScan(ctx, { dataSourceId, tables: [...tables, "gate"].map(named) });
    await someoneWaitsForLock();
    await meanwhile();
    return begun.id;
  });
  await waitForScan(id);
  return getScan(ctx, id);
}

/** Answers as somebody who knows that a weight is a number without a unit. */
async function teach(): Promise<void> {
  const table = { dataSourceId, ...named("parcels") };
  for (;;) {
    const { question } = await nextQuestion(ctx, table);
    if (!question) return;
    const place = question.columns.findIndex(({ name }) => name === question.column);
    const isWrong = question.column === "weight" && String(question.rows[0]?.[place]).includes("kg");
    const { column, cell } = question;
    await answerQuestion(ctx, { ...table, column, cell, verdict: isWrong ? "Wrong" : "Right" });
  }
}

const weights = async () =>
  (await findingsOf(ctx, { dataSourceId, status: "Open" })).filter(({ columns }) =>
    columns.includes("weight"),
  );

test("a table that was judged before its last answer is judged again before the scan ends", async () => {
  // Each table is judged by itself, so the first one is done while the scan waits for the second.
  limits.values = 1;
  const stored = async () => {
    for (;;) {
      const [row] = await sql`select jsonb_array_length(stored) as tables from finding_scans
        where data_source_id = ${dataSourceId} and status = 'Running'`;
      if (row?.tables === 1) return;
    }
  };
  const scan = await atTheGate(["parcels"], async () => {
    await stored();
    await teach();
    const { id } = await startScan(ctx, { dataSourceId, tables: [named("parcels")] });
    expect((await getScan(ctx, id)).status).toBe("Running");
  });
  expect(scan).toMatchObject({ status: "Completed", tablesDone: 2, tablesTotal: 2, skipped: [] });
  // 300 parcels are read twice, 30 rows of the gate once.
  expect(scan.rowsRead).toBe(630);
  expect(await weights()).toMatchObject([{ failingRows: 100, taught: { untaught: null } }]);
});

test("without new answers nothing is read twice, however often somebody asks", async () => {
  limits.values = 1;
  const scan = await atTheGate(["letters"], async () => {
    for (let times = 0; times < 3; times++)
      await startScan(ctx, { dataSourceId, tables: [named("letters")] });
  });
  expect(scan).toMatchObject({ status: "Completed", tablesDone: 2, tablesTotal: 2, rowsRead: 230 });
});

test("tables that the running scan was not asked for are scanned before it ends", async () => {
  const scan = await atTheGate([], async () => {
    await startScan(ctx, { dataSourceId, tables: [named("letters")] });
  });
  expect(scan).toMatchObject({ status: "Completed", tablesDone: 2, tablesTotal: 2, rowsRead: 230 });
});

test("who asks for everything while some tables are scanned gets everything", async () => {
  const scan = await atTheGate([], async () => {
    await startScan(ctx, { dataSourceId });
  });
  expect(scan.status).toBe("Completed");
  expect(scan.tablesDone).toBe(scan.tablesTotal);
  expect(scan.tablesTotal).toBeGreaterThan(3);
  expect(await weights()).toEqual([]);
});
