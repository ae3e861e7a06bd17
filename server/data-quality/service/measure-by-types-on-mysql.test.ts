import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mysql as dialect } from "../../data-sources/dialects/mysql.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin as adminOfPlumbline } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { compileRule } from "../compile.ts";
import { measureRules } from "./measure-rules.ts";

/** On MySQL and MariaDB, too, statements are chosen by types as last read, and verdicts never depend on them. */

const target = { schemaName: mysqlConnection.database, tableName: "typed" };

beforeAll(async () => {
  await mysql.query(`
    create table typed (t tinyint, flag tinyint(1), i int, b bigint, u bigint unsigned, n decimal(10, 2), w decimal(65, 0),
      r float, d double, y year, x varchar(20), day date);
    insert into typed values
      (-128, 0, 1, -9223372036854775808, 0, -0.05, -99999999999999999999, 0.1, 0.1, 1999, '1', '2026-01-01'),
      (127, 1, 2, 9223372036854775807, 18446744073709551615, 0.05, 99999999999999999999, 0.3, 0.3, 2026, ' 2.5 ', null),
      (0, 1, 20, 9007199254740993, 9007199254740993, 19.50, 7, 16777216, 1e300, 2000, '3e0', null),
      (null, null, null, null, null, null, null, null, null, null, null, null)`);
});
afterAll(closeSources);

const columns = ["t", "flag", "i", "b", "u", "n", "w", "r", "d", "y", "x", "day"];
const bounds = [
  ...[
    "-128",
    "0",
    "1",
    "20",
    "127",
    "2026",
    "-0.05",
    "0.05",
    "0.1",
    "0.3",
    "19.5",
    "19.49999",
    "0.30000001192092896",
  ],
  ...[
    "9007199254740992",
    "9007199254740993",
    "999999999999999999",
    "9223372036854775807",
    "-9223372036854775808",
  ],
  ...["18446744073709551614", "18446744073709551615", "-99999999999999999999", "9".repeat(70)],
];
const range = (configuration: Record<string, unknown>) => ({ type: "Range" as const, configuration });
const all = [
  ...columns.flatMap((column) =>
    bounds.flatMap((bound) => [range({ column, min: bound }), range({ column, max: bound })]),
  ),
  ...columns.map((column) => range({ column, min: "0.5", groupBy: ["day"] })),
];

/** Of a data source whose schema was read, or was not. */
async function aSource({ isRead }: { isRead: boolean }): Promise<number> {
  const { id } = await aDataSource({ connection: mysqlConnection });
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, id));
  if (isRead) await refreshSchema(await adminOfPlumbline(), id);
  return id;
}

async function verdicts(dataSourceId: number, rules = all) {
  const measured = await measureRules({ dataSourceId, ...target, rules }, async () => {});
  return measured.map(({ rule: { configuration }, verdict: { passed, actualValue, message } }) => ({
    configuration,
    passed,
    actualValue,
    message,
  }));
}

test("known or not, and changed since, the verdicts are the same", async () => {
  const [read, unread] = [await aSource({ isRead: true }), await aSource({ isRead: false })];
  const known = await verdicts(read);
  expect(known).toEqual(await verdicts(unread));
  const passed = (column: string, bound: string) =>
    known
      .filter(({ configuration: c }) => c.column === column && Object.values(c).includes(bound))
      .map((verdict) => verdict.passed);
  // Worked out by hand, for at least and at most: a value on the bound is within it.
  expect(passed("i", "1")).toEqual([true, false]);
  expect(passed("i", "20")).toEqual([false, true]);
  expect(passed("n", "19.5")).toEqual([false, true]);
  expect(passed("n", "19.49999")).toEqual([false, false]);
  expect(passed("u", "18446744073709551615")).toEqual([false, true]);
  expect(passed("u", "18446744073709551614")).toEqual([false, false]);
  expect(passed("b", "-9223372036854775808")).toEqual([true, false]);
  expect(passed("x", "1")).toEqual([true, false]);
  expect(passed("day", "1")).toEqual([false, false]);
  // By group: of i all are at least 0.5, of n those of both days are not.
  const ofGroups = (column: string) =>
    known.find(({ configuration: c }) => c.column === column && "groupBy" in c);
  expect(ofGroups("i")).toMatchObject({ passed: true, message: null });
  expect(ofGroups("n")).toMatchObject({ passed: false, message: null });

  // Numbers became texts that would be read as numbers, floats, decimals, and dates; and the other way around.
  await mysql.query(`
    alter table typed modify t varchar(10), modify i float, modify b varchar(30), modify n double, modify r decimal(20, 5),
      modify d varchar(30), modify y int;
    update typed set t = 'twelve' where t = '127'`);
  const stale = await verdicts(read);
  expect(stale).toEqual(await verdicts(unread));
  expect(stale.find(({ configuration }) => configuration.column === "t")?.message).toMatch(/not a number/);
  // Each alone, when nothing else that shares the scan could have stopped it.
  const one = all.filter(({ configuration: c }) => c.column === "t" && "max" in c).slice(0, 1);
  expect((await verdicts(read, one))[0]?.message).toMatch(/not a number/);
});

test("a number's bound is compared as it is, and only while it is still of that type", () => {
  const columnTypes = new Map([
    ["i", "int(11)"],
    ["n", "decimal(10,2)"],
    ["d", "double"],
    ["x", "varchar(20)"],
  ]);
  const text = (column: string, bound: string) =>
    compileRule({ type: "Range", configuration: { column, max: bound } }, { ...target, columnTypes }, dialect)
      .statement.sql;
  expect(text("i", "10")).toMatch(/union all[\s\S]*count\(case when `i` > cast\(\? as signed\) then 1 end\)/);
  expect(text("n", "10")).toContain("`n` > cast(? as signed)");
  expect(text("n", "10.5")).toContain("`n` > cast(? as decimal(3, 1))");
  expect(text("d", "10")).toContain("`d` > (? + 0e0)");
  expect(text("x", "10")).not.toContain("union all");
});
