import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { evaluations, tableScores } from "../evaluations/tables.ts";
import { shownScores } from "../limits.ts";
import { contracts } from "../tables.ts";
import { finishedOf } from "./finished.fixture.ts";
import { storeTogether } from "./store-together.ts";
import { refreshTableScore, type WatchedTable } from "./table-scores.ts";

type Contract = WatchedTable & { id: number };

async function aContractOf(tableName: string, dataSourceId?: number): Promise<Contract> {
  const { id, ...rest } = await aContract({ tableName, ...(dataSourceId && { dataSourceId }) });
  return { id, dataSourceId: rest.dataSourceId, schemaName: "public", tableName };
}

const isOf = ({ dataSourceId, tableName }: WatchedTable) =>
  and(eq(tableScores.dataSourceId, dataSourceId), eq(tableScores.tableName, tableName));
const storedOf = async (table: WatchedTable) => (await db.select().from(tableScores).where(isOf(table)))[0];
const readAgain = (table: WatchedTable) => db.transaction((tx) => refreshTableScore(tx, table));

const isStored = { wantsSamples: false };

/** What was added must be what reading the table's evaluations again finds. */
async function expectSameReadAgain(table: WatchedTable): Promise<void> {
  const added = await storedOf(table);
  await readAgain(table);
  expect(added).toEqual(await storedOf(table));
}

test("scores are added one by one and several at once, as if the table's evaluations were read again", async () => {
  const first = await aContractOf("several");
  const second = await aContractOf("several", first.dataSourceId);
  expect(await storeTogether(await finishedOf(first, 90))).toEqual(isStored);
  expect(await storedOf(first)).toMatchObject({ currentScore: 90, previousScore: null, trend: "Stable" });
  await expectSameReadAgain(first);

  const both = [await finishedOf(first, 95), await finishedOf(second, 80.25)];
  expect(await Promise.all(both.map(storeTogether))).toEqual([isStored, isStored]);
  const stored = await storedOf(first);
  expect(stored?.history.map(({ score }) => score).toSorted()).toEqual([80.25, 90, 95]);
  expect(stored).toMatchObject({ trend: stored?.currentScore === 95 ? "Improving" : "Degrading" });
  await expectSameReadAgain(first);

  expect(await storeTogether(await finishedOf(first, 81))).toEqual(isStored);
  expect(await storeTogether(await finishedOf(second, 82))).toEqual(isStored);
  expect(await storedOf(first)).toMatchObject({ currentScore: 82, previousScore: 81, trend: "Stable" });
  await expectSameReadAgain(first);
});

test("a table whose first scores come at the same time gets all of them", async () => {
  const first = await aContractOf("at_once");
  const both = [
    await finishedOf(first, 85),
    await finishedOf(await aContractOf("at_once", first.dataSourceId), 90),
  ];
  await Promise.all(both.map(storeTogether));
  expect((await storedOf(first))?.history).toHaveLength(2);
  await expectSameReadAgain(first);
});

test("only the latest scores are kept", async () => {
  const contract = await aContractOf("many");
  for (let n = 0; n < shownScores + 2; n++) await storeTogether(await finishedOf(contract, 80 + n / 2));
  const kept = (await storedOf(contract))?.history.map(({ score }) => score);
  expect(kept).toEqual(Array.from({ length: shownScores }, (_, n) => 81 + n / 2));
  await expectSameReadAgain(contract);
});

test("the first score after an outage is left to be read with the last one that was measured", async () => {
  const contract = await aContractOf("out");
  const { lease } = await finishedOf(contract, 0);
  await db
    .update(evaluations)
    .set({ status: "Completed", overallScore: 0, evaluatedAt: new Date(), notEvaluatedBecause: "No network" })
    .where(eq(evaluations.id, lease.id));
  await readAgain(contract);
  const next = await finishedOf(contract, 90);
  expect(await storeTogether(next)).toBeNull();
  await db
    .update(evaluations)
    .set({ status: "Completed", overallScore: 90, evaluatedAt: new Date() })
    .where(eq(evaluations.id, next.lease.id));
  await readAgain(contract);
  expect((await storedOf(contract))?.measured).not.toBeNull();
  expect(await storeTogether(await finishedOf(contract, 91))).toEqual(isStored);
  expect(await storedOf(contract)).toMatchObject({ currentScore: 91, previousScore: 90, measured: null });
  await expectSameReadAgain(contract);
});

test("a contract that was moved to another table during its evaluation adds no score to either", async () => {
  const contract = await aContractOf("before");
  const finished = await finishedOf(contract, 90);
  await db.update(contracts).set({ tableName: "after" }).where(eq(contracts.id, contract.id));
  expect(await storeTogether(finished)).toBeNull();
  expect(await db.$count(tableScores, eq(tableScores.dataSourceId, contract.dataSourceId))).toBe(0);
});

test("a table's score that changed after the statement began is not added to, and nothing is stored", async () => {
  const [changed, other] = [await aContractOf("changed"), await aContractOf("other")];
  for (const contract of [changed, other]) await storeTogether(await finishedOf(contract, 90));
  // The statement waits for this lock when it completes evaluations, which comes after it looked at the table's score.
  await db.execute(sql`
    create function public.wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`);
  await db.execute(sql`
    create trigger wait_for_test before update on evaluations for each row when (new.status = 'Completed')
      execute function public.wait_for_test()`);
  const both = [await finishedOf(changed, 91), await finishedOf(other, 92)];
  const stored = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(4711)`);
    const storing = elsewhere(() => Promise.all(both.map(storeTogether)));
    await expect
      .poll(async () => {
        const [row] = await tx.execute<{ waiting: number }>(sql`
          select count(*)::int as waiting from pg_locks where locktype = 'advisory' and objid = 4711 and not granted
            and database = (select oid from pg_database where datname = current_database())`);
        return row?.waiting;
      })
      .toBe(1);
    const outage = [{ evaluatedAt: "2026-01-01T00:00:00.000Z", score: 0, couldNotEvaluate: true }];
    await elsewhere(() => db.update(tableScores).set({ history: outage }).where(isOf(changed)));
    return { storing };
  });
  expect(await stored.storing).toEqual([null, isStored]);
  expect(await storedOf(changed)).toMatchObject({ currentScore: 90 });
  expect(await storedOf(other)).toMatchObject({ currentScore: 92, previousScore: 90 });
});
