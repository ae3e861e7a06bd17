import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Source } from "../../data-sources/engines/engine.ts";
import { trino } from "../../data-sources/engines/trino.ts";
import { runOnTrino, trinoConnection } from "../../test/trino.ts";
import { compareTables } from "./compare-tables.ts";
import type { Side } from "./sides.ts";

/** Comparing rows on a real Trino, if TEST_TRINO_URL is set. */
describe.skipIf(!trinoConnection)("comparing on Trino", () => {
  const target = trinoConnection ?? ({} as NonNullable<typeof trinoConnection>);
  const schemaName = "compare_test";
  let source: Source;
  const empty = async () => {
    for (const table of ["events", "same", "other"])
      await runOnTrino(target, `drop table if exists ${schemaName}.${table}`);
    await runOnTrino(target, `drop schema if exists ${schemaName}`);
  };

  beforeAll(async () => {
    source = trino.open(target);
    await empty();
    for (const sql of [
      `create schema ${schemaName}`,
      `create table ${schemaName}.events as
       select n as id, 'A-' || cast(n as varchar) as code, cast(n as decimal(12, 2)) / 4 as amount, n / 8e0 as ratio,
         timestamp '2024-01-01 00:00:00' + n * interval '1' second as at
       from unnest(sequence(1, 3000)) as t (n)`,
      `create table ${schemaName}.same as select * from ${schemaName}.events`,
      `create table ${schemaName}.other as
       select id, code, if(id % 1000 = 200, amount + 1, amount) as amount, ratio, at
       from ${schemaName}.events where id % 1000 <> 150
       union all select -1, 'new', 0, 0, timestamp '2024-01-01 00:00:00'`,
    ])
      await runOnTrino(target, sql);
  }, 60_000);
  afterAll(async () => {
    await source.close();
    await empty();
  });

  const side = (name: Side["name"], tableName: string): Side => ({
    ...{ name, dialect: trino.dialect, target: { schemaName, tableName }, where: undefined },
    read: (statement, limits) => source.session((session) => session.read(statement, limits)),
  });
  const compared = (otherTable: string, key: string) =>
    compareTables({
      sides: [side("this table", "events"), side("the other table", otherTable)],
      configuration: { by: "Rows", otherTable, key: [key] },
      ...{ options: {}, otherName: otherTable, samples: "Full", timeoutMs: 60_000 },
    });

  test.each(["id", "code"])(
    "by %s, equal tables are found equal, and what differs is found exactly",
    async (key) => {
      const same = await compared("same", key);
      expect(same.actualValue, String(same.message)).toBe("3,000 rows, all the same");
      const other = await compared("other", key);
      // 150, 1150, and 2150 are gone; 200, 1200, and 2200 have another amount; one is new.
      expect(other.actualValue, String(other.message)).toBe(
        "7 rows of 3,000 here and 2,998 there differ: 3 only here, 1 only there, 3 different",
      );
    },
    60_000,
  );
});
