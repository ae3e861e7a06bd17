import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bigquery } from "../../data-sources/engines/bigquery.ts";
import type { Source } from "../../data-sources/engines/engine.ts";
import { env } from "../../env.ts";
import { bigQueryConnection, runOnBigQuery } from "../../test/bigquery.ts";
import { compareTables } from "./compare-tables.ts";
import type { Side } from "./sides.ts";

/** Comparing rows on an emulator of BigQuery, if TEST_BIGQUERY_URL is set. */
describe.skipIf(!bigQueryConnection)("comparing on BigQuery", () => {
  const target = bigQueryConnection ?? ({} as NonNullable<typeof bigQueryConnection>);
  const schemaName = "compare_test";
  let source: Source;

  beforeAll(async () => {
    env().OUTBOUND_ALLOW = "127.0.0.1";
    source = bigquery.open(target);
    for (const sql of [
      `drop schema if exists ${schemaName} cascade`,
      `create schema ${schemaName}`,
      `create table ${schemaName}.events as
       select n as id, concat('A-', cast(n as string)) as code, cast(n / 4 as numeric) as amount, n / 8 as ratio,
         timestamp_add(timestamp '2024-01-01 00:00:00+00', interval n second) as at
       from unnest(generate_array(1, 3000)) as n`,
      `create table ${schemaName}.same as select * from ${schemaName}.events`,
      `create table ${schemaName}.other as select * from ${schemaName}.events where mod(id, 1000) <> 150`,
      `update ${schemaName}.other set amount = amount + 1 where mod(id, 1000) = 200`,
      `insert into ${schemaName}.other select -1, 'new', 0, 0, current_timestamp()`,
    ])
      await runOnBigQuery(target, sql);
  }, 60_000);
  afterAll(async () => {
    await source.close();
    await runOnBigQuery(target, `drop schema if exists ${schemaName} cascade`);
    env().OUTBOUND_ALLOW = undefined;
  });

  const side = (name: Side["name"], tableName: string): Side => ({
    ...{ name, dialect: bigquery.dialect, target: { schemaName, tableName }, where: undefined },
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
