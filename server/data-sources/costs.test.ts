import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../db/client.ts";
import { aDataSource, ownConnection } from "../test/factories/data-sources.ts";
import { chargeTo, SpentByRun } from "./charge-to.ts";
import { BudgetSpent, type Limits } from "./engines/engine.ts";
import { getEngine } from "./engines/engines.ts";
import { metered } from "./metered.ts";
import { recordCost } from "./service/costs.ts";
import { asProblem } from "./source-problem.ts";

const limits: Limits = { timeoutMs: 5_000, maxRows: 10, maxBytes: 1000 };
const one = { sql: "select 1 as one", parameters: [] };
let id: number;

beforeAll(async () => {
  id = (await aDataSource()).id;
});
const source = getEngine("PostgreSql").open(ownConnection());
afterAll(() => source.close());

const stored = async () =>
  (
    await sql`
    select contract_id as contract, unit, amount, statements, day = (now() at time zone 'UTC')::date as today
    from data_source_costs where data_source_id = ${id} order by contract_id nulls first, unit`
  ).map((row) => ({ ...row }));

test("costs of a day add up, by contract and unit, also when many statements end at once", async () => {
  await Promise.all(Array.from({ length: 20 }, () => recordCost(id, { unit: "bytes", amount: 10_485_760 })));
  await chargeTo({ contractId: 7 }, async () => {
    await recordCost(id, { unit: "bytes", amount: 500 });
    await Promise.all([1, 2].map((amount) => recordCost(id, { unit: "seconds", amount })));
  });
  // What cost nothing is no row.
  await recordCost(id, { unit: "credits", amount: 0 });
  await recordCost(id, { unit: "credits", amount: Number.NaN });
  expect(await stored()).toEqual([
    { contract: null, unit: "bytes", amount: 209_715_200, statements: 20, today: true },
    { contract: 7, unit: "bytes", amount: 500, statements: 1, today: true },
    { contract: 7, unit: "seconds", amount: 3, statements: 2, today: true },
  ]);
});

test("what a run has cost is counted from what it had cost before, apart from other runs", async () => {
  const [goesOn, other] = [new SpentByRun({ unit: "bytes", amount: 1000, statements: 2 }), new SpentByRun()];
  await Promise.all([
    chargeTo({ contractId: null, spent: goesOn }, () => recordCost(id, { unit: "bytes", amount: 500 })),
    chargeTo({ contractId: null, spent: other }, () => recordCost(id, { unit: "bytes", amount: 0 })),
    recordCost(id, { unit: "bytes", amount: 7 }),
  ]);
  expect([goesOn.cost, other.cost]).toEqual([{ unit: "bytes", amount: 1500, statements: 3 }, null]);
});

test("the cost of a data source that is gone is dropped, and fails nothing", async () => {
  await expect(recordCost(999_999, { unit: "bytes", amount: 1 })).resolves.toBeUndefined();
});

test("a statement runs while something is left, and knows how much", async () => {
  const seen: (number | undefined)[] = [];
  const watched = {
    ...source,
    session: ((work) =>
      source.session((session) =>
        work({
          ...session,
          read: (statement, given) => {
            seen.push(given.maxCost);
            return session.read(statement, given);
          },
        }),
      )) as typeof source.session,
  };
  const left = [30, 10];
  const limited = metered(watched, async () => {
    const amount = left.shift() ?? 0;
    return { amount, spent: amount > 0 ? null : "The daily budget is spent" };
  });
  const read = () => limited.session((session) => session.read(one, limits));
  expect((await read()).rows).toEqual([[1]]);
  expect((await read()).rows).toEqual([[1]]);
  const refusal = await read().catch((error) => error);
  expect(refusal).toBeInstanceOf(BudgetSpent);
  // Work on the data source ends with it, and a caller reads why.
  expect(refusal).toMatchObject({ kind: "unreachable", message: "The daily budget is spent" });
  expect(asProblem(refusal)).toMatchObject({ code: "rejected", detail: "The daily budget is spent" });
  expect(seen).toEqual([30, 10]);
  await expect(limited.introspect()).rejects.toThrow("The daily budget is spent");
  // A plan costs nothing.
  const plan = await limited.session(async (session) => session.check?.(one, { timeoutMs: 5_000 }));
  expect(plan).toHaveProperty("scans");
});
