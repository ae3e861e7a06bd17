import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresql } from "../../data-sources/dialects/postgresql.ts";
import type { Limits, Statement } from "../../data-sources/engines/engine.ts";
import { closeSources, useSource } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { compareTables } from "./compare-tables.ts";
import type { Side } from "./sides.ts";

/** What comparing 300,000 rows reads: much less than all of them. */

let sourceId: number;
beforeAll(async () => {
  sourceId = (await aDataSource()).id;
  // Keys in two heaps far apart, as of a generator that began anew.
  await sql.unsafe(`
    create table events (id bigint primary key, code text not null, amount numeric(12,2));
    insert into events select case when i % 3 = 0 then i else 4000000000000000000 + i * 1000 end, md5(i::text), i from generate_series(1, 300000) as i;
    create table same as select * from events; alter table same add primary key (id);
    create table other as select * from events; alter table other add primary key (id);
    delete from other where code in (select md5(i::text) from generate_series(150, 300000, 300) as i);
    update other set amount = amount + 0.01 where code in (select md5(i::text) from generate_series(200, 300000, 300) as i);
    insert into other select -i, 'new' || i, 0 from generate_series(1, 7) as i;
    analyze`);
});
afterAll(closeSources);

async function compared(otherTable: string, key: string[]) {
  const read = { rows: 0, statements: 0, largest: 0 };
  const side = (name: Side["name"], tableName: string): Side => ({
    ...{ name, dialect: postgresql, target: { schemaName: "public", tableName }, where: undefined },
    async read(statement: Statement, limits: Limits) {
      const result = await useSource(sourceId, (_, lent) =>
        lent.session((session) => session.read(statement, limits)),
      );
      read.statements++;
      read.rows += result.rows.length;
      read.largest = Math.max(read.largest, result.rows.length);
      return result;
    },
  });
  const verdict = await compareTables({
    sides: [side("this table", "events"), side("the other table", otherTable)],
    configuration: { by: "Rows", otherTable, key },
    ...{ options: {}, otherName: otherTable, samples: "Full", timeoutMs: 60_000 },
  });
  return { verdict, read };
}

test.each([["id"], ["code"]])("equal tables by %s cost one look at each, and no rows", async (key) => {
  const { verdict, read } = await compared("same", [key]);
  expect(verdict).toMatchObject({ passed: true, actualValue: "300,000 rows, all the same" });
  expect(read.rows).toBeLessThan(2 * 1100);
  expect(read.statements).toBeLessThan(20);
});

test.each([["id"], ["code"]])(
  "by %s, what differs is found exactly, with few rows at a time",
  async (key) => {
    const { verdict, read } = await compared("other", [key]);
    // 1,000 are gone, 1,000 have another amount, and 7 are new.
    expect(verdict.actualValue).toBe(
      "2,007 rows of 300,000 here and 299,007 there differ: 1,000 only here, 7 only there, 1,000 different",
    );
    expect(verdict.message).toBeNull();
    expect(verdict.sample?.rows).toHaveLength(20);
    // Not 600,000.
    expect(read.rows).toBeLessThan(250_000);
    expect(read.largest).toBeLessThan(20_000);
  },
);
