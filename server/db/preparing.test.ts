import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { sql as client, db, type Transaction } from "./client.ts";
import { runPrepared } from "./prepared.ts";

/** The statements prepared on the transaction's connection, and how each was planned. */
const preparedOn = (tx: Transaction, name: string) =>
  tx.execute<{ times: string; generic: string }>(sql`
    select (generic_plans + custom_plans)::text as times, generic_plans::text as generic
    from pg_prepared_statements where statement like ${`%/* ${name} */%`} and statement not like '%pg_prepared%'`);

test("a statement is prepared once per connection, and planned for its values each time", async () => {
  const prepared = await db.transaction(async (tx) => {
    for (let n = 0; n < 8; n++) {
      const rows = await tx.execute<{ n: number }>(sql`select ${n}::integer as n /* few values */`);
      expect(rows[0]).toEqual({ n });
    }
    return preparedOn(tx, "few values");
  });
  expect([...prepared]).toEqual([{ times: "8", generic: "0" }]);
});

test("nested transactions prepare their statements too", async () => {
  const prepared = await db.transaction(async (tx) => {
    await tx.transaction((inner) => inner.execute(sql`select ${1}::integer /* nested */`));
    return preparedOn(tx, "nested");
  });
  expect(prepared).toHaveLength(1);
});

test("a statement with a long list of values, which can have any length, is not prepared", async () => {
  const list = (length: number) =>
    sql.join(
      Array.from({ length }, (_, n) => sql`${n}`),
      sql`, `,
    );
  const prepared = await db.transaction(async (tx) => {
    for (const length of [32, 33, 34])
      await tx.execute(sql`select 1 /* many values */ where 1::text in (${list(length)})`);
    return preparedOn(tx, "many values");
  });
  expect(prepared).toHaveLength(1);
});

test("a statement planned once stays so, without affecting others", async () => {
  const plans = await client.begin(async (tx) => {
    for (let n = 0; n < 10; n++) await runPrepared(sql`select ${n}::integer /* one plan */`, tx);
    return tx`
      select generic_plans > 0 as once from pg_prepared_statements
      where statement like '%/* one plan */%' and statement not like '%pg_prepared%'`;
  });
  expect([...plans]).toEqual([{ once: true }]);
  await runPrepared(sql`select ${1}::integer /* by itself */`);
  const [mode] = await client`show plan_cache_mode`;
  expect(mode).toEqual({ plan_cache_mode: "force_custom_plan" });
});
