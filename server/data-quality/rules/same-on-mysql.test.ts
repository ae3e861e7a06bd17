import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DatabaseEngine, Source } from "../../data-sources/engines/engine.ts";
import { mysql } from "../../data-sources/engines/mysql.ts";
import { postgresql } from "../../data-sources/engines/postgresql.ts";
import { sql } from "../../db/client.ts";
import { ownConnection } from "../../test/factories/data-sources.ts";
import { asAdmin, mysql as mysqlAdmin, mysqlConnection } from "../../test/mysql.ts";
import { executionFailed, measureRule, measureTogether } from "../measure-rule.ts";
import { roundScore } from "../score.ts";
import type { RuleType } from "./rules.ts";

/** Every rule type on a real MySQL or MariaDB, compared with its verdict on PostgreSQL. */

const schemas = { MySql: mysqlConnection.database, PostgreSql: "shop" };
let onMysql: Source;
let onPostgres: Source;

beforeAll(async () => {
  onMysql = mysql.open(mysqlConnection);
  onPostgres = postgresql.open(ownConnection());
  await sql`create schema shop`;
});

afterAll(() => Promise.all([onMysql.close(), onPostgres.close()]));

async function judgeOn(
  engine: DatabaseEngine,
  source: Source,
  type: RuleType,
  tableName: string,
  configuration: Record<string, unknown>,
) {
  const target = { schemaName: engine === mysql ? schemas.MySql : schemas.PostgreSql, tableName };
  const verdict = await source.session((session) =>
    measureRule(session, engine.dialect, target, { type, configuration }).catch(executionFailed),
  );
  return { ...verdict, score: roundScore(verdict.score) };
}

const judge = (type: RuleType, tableName: string, configuration: Record<string, unknown>) =>
  judgeOn(mysql, onMysql, type, tableName, configuration);

/** The verdict of both, which must be the same. */
async function judgeBoth(type: RuleType, tableName: string, configuration: Record<string, unknown>) {
  const here = await judge(type, tableName, configuration);
  const there = await judgeOn(postgresql, onPostgres, type, tableName, configuration);
  const couldRun = (message: string | null) => !message?.startsWith("Execution failed:");
  const what = `${type} ${tableName} ${JSON.stringify(configuration)}: ${here.message} / ${there.message}`;
  expect(couldRun(here.message), what).toBe(couldRun(there.message));
  const compared = ({ passed, score, expectedValue, actualValue }: typeof here) =>
    type === "Freshness" ? { passed, score, expectedValue } : { passed, score, expectedValue, actualValue };
  expect(compared(here), what).toEqual(compared(there));
  return here;
}

type Column = { name: string; mysql: string; postgresql: string };

/** The same columns and rows on both. Text is compared by bytes on both. */
async function load(table: string, columns: readonly Column[], rows: readonly (string | null)[][]) {
  const defined = (engine: "mysql" | "postgresql") =>
    columns.map((column) => `${column.name} ${column[engine]}`).join(", ");
  await mysqlAdmin.query(`create table ${table} (${defined("mysql")}) collate utf8mb4_bin`);
  await sql.unsafe(`create table shop.${table} (${defined("postgresql")})`);
  const value = (cell: string | null) => (cell === null ? "null" : `'${cell.replaceAll("'", "''")}'`);
  const tuples = rows.map((row) => `(${row.map(value).join(", ")})`).join(", ");
  if (rows.length === 0) return;
  await mysqlAdmin.query(`insert into ${table} values ${tuples}`);
  await sql.unsafe(`insert into shop.${table} values ${tuples}`);
}

const integer = (name: string): Column => ({ name, mysql: "integer", postgresql: "integer" });
const bigint = (name: string): Column => ({ name, mysql: "bigint", postgresql: "bigint" });
const decimal = (name: string, type: string): Column => ({
  name,
  mysql: `decimal(${type})`,
  postgresql: `numeric(${type})`,
});
const text = (name: string): Column => ({ name, mysql: "varchar(100)", postgresql: "text" });
const double = (name: string): Column => ({ name, mysql: "double", postgresql: "double precision" });
const float = (name: string): Column => ({ name, mysql: "float", postgresql: "real" });
const moment = (name: string): Column => ({ name, mysql: "datetime(6)", postgresql: "timestamp" });
const date = (name: string): Column => ({ name, mysql: "date", postgresql: "date" });

const ago = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace("T", " ").replace("Z", "");

describe("the same rule on the same rows has the same verdict", () => {
  beforeAll(async () => {
    await load(
      "customers",
      [integer("id"), text("name")],
      [
        ["1", "Ada"],
        ["2", "Grace"],
        ["3", "Edsger"],
      ],
    );
    await load(
      "orders",
      [
        integer("id"),
        integer("customer_id"),
        decimal("price", "12, 2"),
        double("weight"),
        float("ratio"),
        bigint("amount"),
        text("code"),
        moment("seen_at"),
        date("day"),
      ],
      [
        ["1", "1", "10.00", "0.1", "0.1", "9007199254740991", "A-001", ago(5000), null],
        ["2", "2", "20.00", "0.2", "0.2", "9007199254740992", "A-002", ago(90), ago(90).slice(0, 10)],
        ["3", "3", "30.00", "0.30000000000000004", "0.3", "9007199254740993", "B-003", null, null],
        ["3", null, null, null, "16777216", null, null, null, null],
      ],
    );
    await load("empty", [integer("id"), text("code"), moment("seen_at"), double("weight")], []);
    await load(
      "nulls",
      [integer("id"), text("code"), moment("seen_at"), double("weight")],
      Array(5).fill(Array(4).fill(null)),
    );
    await load("orphans", [integer("customer_id")], [["1"], ["7"], ["7"], [null]]);
    await load("texts", [text("value")], [["12"], [" 20.5 "], ["1e1"], [".5"], [null]]);
    await load("words", [text("value")], [["12"], ["twelve"]]);
    await load(
      "exact",
      [decimal("value", "38, 20")],
      [["0.10000000000000000001"], ["-123456789012345678.5"], ["1"]],
    );
    await load("future", [moment("seen_at")], [[ago(-60)]]);
  });

  const toCustomers = { column: "customer_id", referenceTable: "customers", referenceColumn: "id" };

  test.each<[RuleType, string, Record<string, unknown>, boolean, number]>([
    ["Volume", "orders", { minRows: 4, maxRows: 4 }, true, 100],
    ["Volume", "empty", { minRows: 1 }, false, 0],
    // 2 of 4 are NULL: 100 − (50 − 10)
    ["NullRate", "orders", { column: "seen_at", maxNullPercent: 10 }, false, 60],
    // All 5: 100 − (100 − 33.33)
    ["NullRate", "nulls", { column: "code", maxNullPercent: 33.33 }, false, 33.33],
    ["NullRate", "empty", { column: "code", maxNullPercent: 0 }, true, 100],
    ["Uniqueness", "orders", { column: "id" }, false, 0],
    ["Uniqueness", "orders", { column: "code" }, true, 100],
    ["Uniqueness", "nulls", { column: "code" }, true, 100],
    ["Referential", "orders", toCustomers, true, 100],
    ["Referential", "orphans", toCustomers, false, 0],
    ["Referential", "orphans", { ...toCustomers, referenceColumn: "customer_id" }, false, 0],
    ["Referential", "orphans", { ...toCustomers, referenceSchema: "nowhere" }, false, 0],
    ["Range", "orders", { column: "price", min: "10", max: "30.00" }, true, 100],
    // 10 is out of range: (1 − 1/4) × 100
    ["Range", "orders", { column: "price", min: "10.01" }, false, 75],
    ["Range", "orders", { column: "price", min: "15", max: "25" }, false, 50],
    ["Mean", "orders", { column: "price", min: "20", max: "20" }, true, 100],
    ["Mean", "orders", { column: "price", max: "19.99" }, false, 0],
    ["Mean", "orders", { column: "weight", min: "0.2", max: "0.2" }, true, 100],
    ["Mean", "orders", { column: "id", min: "2.25", max: "2.25" }, true, 100],
    ["Mean", "empty", { column: "weight", min: "0" }, false, 0],
    ["Mean", "nulls", { column: "weight", min: "0" }, false, 0],
    ["Range", "orders", { column: "weight", max: "0.3" }, false, 75],
    ["Range", "orders", { column: "weight", max: "0.30000000000000004" }, true, 100],
    ["Range", "orders", { column: "weight", min: "0.1", max: "1" }, true, 100],
    // 0.3 and 16777216 count as written, although in single precision.
    ["Range", "orders", { column: "ratio", min: "0.1", max: "16777216" }, true, 100],
    ["Range", "orders", { column: "ratio", max: "0.3" }, false, 75],
    ["Range", "orders", { column: "amount", max: "9007199254740992" }, false, 75],
    ["Range", "orders", { column: "amount", max: "9007199254740993" }, true, 100],
    ["Range", "exact", { column: "value", max: "0.1" }, false, 33.33],
    ["Range", "exact", { column: "value", min: "-123456789012345678.50", max: "1" }, true, 100],
    ["Range", "exact", { column: "value", max: "9".repeat(100) }, true, 100],
    ["Range", "exact", { column: "value", max: `-${"9".repeat(100)}` }, false, 0],
    ["Range", "orders", { column: "weight", max: "9".repeat(100) }, true, 100],
    ["Range", "orders", { column: "ratio", min: "9".repeat(100) }, false, 0],
    ["Range", "empty", { column: "weight", min: "1" }, true, 100],
    ["Range", "nulls", { column: "weight", min: "1" }, true, 100],
    // 20.5 and 0.5 are out of range, of five rows.
    ["Range", "texts", { column: "value", min: "1", max: "12" }, false, 60],
    ["Range", "words", { column: "value", min: "1" }, false, 0],
    ["Range", "orders", { column: "day", min: "1" }, false, 0],
    ["Pattern", "orders", { column: "code", pattern: "^[AB]-\\d{3}$" }, true, 100],
    ["Pattern", "orders", { column: "code", pattern: "^A" }, false, 0],
    ["Pattern", "orders", { column: "id", pattern: "^[123]$" }, true, 100],
    ["Pattern", "orders", { column: "code", pattern: "^a" }, false, 0],
    ["Pattern", "empty", { column: "code", pattern: "^A" }, true, 100],
    ["Pattern", "empty", { column: "code", pattern: "([a" }, false, 0],
    ["Freshness", "orders", { column: "seen_at", maxAgeMinutes: 91 }, true, 100],
    ["Freshness", "orders", { column: "seen_at", maxAgeMinutes: 90 }, false, 0],
    ["Freshness", "orders", { column: "day", maxAgeMinutes: 3000 }, true, 100],
    ["Freshness", "orders", { column: "price", maxAgeMinutes: 60 }, false, 0],
    ["Freshness", "nulls", { column: "seen_at", maxAgeMinutes: 60 }, false, 0],
    ["Freshness", "empty", { column: "seen_at", maxAgeMinutes: 60 }, false, 0],
    ["Freshness", "future", { column: "seen_at", maxAgeMinutes: 1 }, true, 100],
    ["NullRate", "orders", { column: "missing", maxNullPercent: 0 }, false, 0],
    ["Volume", "missing", { minRows: 0 }, false, 0],
  ])("%s on %s, %o: %s, %d", async (type, table, configuration, passed, score) => {
    expect(await judgeBoth(type, table, configuration)).toMatchObject({ passed, score });
  });

  test.each([
    ["select 1 as passed, 42.5 as score", true, 42.5],
    ["select 1.0 as passed, 33.335 as score", true, 33.34],
    ["select true as passed", true, 100],
    ["select count(*) = 5 as passed, 'few' as message from customers", false, 0],
    ["select 2 as passed", false, 0],
    ["select 'yes' as passed", false, 0],
    ["select 1 as passed, 150 as score", false, 0],
    ["select null as passed", false, 0],
    ["select 1 as okay", false, 0],
    ["delete from customers", false, 0],
    ["select 1 as passed; delete from customers", false, 0],
  ])("%s: %s, %d", async (query, passed, score) => {
    const query2 = query.replace("from customers", `from ${schemas.MySql}.customers`);
    const here = await judge("CustomSql", "orders", { sql: query2 });
    const there = await judgeOn(postgresql, onPostgres, "CustomSql", "orders", {
      sql: query.replace("from customers", "from shop.customers"),
    });
    expect(here).toMatchObject({ passed, score });
    expect(there).toMatchObject({ passed, score });
    expect(await asAdmin("select count(*) from customers")).toEqual([["3"]]);
  });

  test("rules that share a scan have the same verdicts as alone", async () => {
    const rules = [
      { type: "Volume", configuration: { minRows: 5 } },
      { type: "Range", configuration: { column: "price", min: "10.01", max: "25" } },
      { type: "NullRate", configuration: { column: "seen_at", maxNullPercent: 10 } },
      { type: "Range", configuration: { column: "ratio", max: "0.3" } },
      { type: "Freshness", configuration: { column: "seen_at", maxAgeMinutes: 5 } },
      { type: "Range", configuration: { column: "weight", min: "0.15" } },
    ] as const;
    const target = { schemaName: schemas.MySql, tableName: "orders" };
    const together = await onMysql.session((session) =>
      measureTogether(session, mysql.dialect, target, rules),
    );
    const alone = await Promise.all(rules.map((rule) => judge(rule.type, "orders", rule.configuration)));
    const compared = ({ passed, expectedValue }: (typeof together)[number] | (typeof alone)[number]) => ({
      passed,
      expectedValue,
    });
    expect(together.map(compared)).toEqual(alone.map(compared));
    expect(together.map(({ score }) => roundScore(score))).toEqual([0, 50, 60, 75, 0, 75]);
  });

  test("on random tables, too", async () => {
    const random = seeded(20_240_331);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const numbers = () => pick(["0", "0.1", "-0.1", "0.3", "1", "2", "2.5", "-7", "100", "33.33"]);
    const cell = (make: () => string) => (random() < 0.2 ? null : make());
    for (let table = 0; table < 8; table++) {
      const name = `random_${table}`;
      const rows = Array.from({ length: Math.floor(random() * 40) }, () => [
        cell(() => String(Math.floor(random() * 12))),
        cell(() => numbers()),
        cell(() => String(pick([random(), random() * 1e6, Number(numbers())]))),
        cell(() => String(Math.fround(pick([random() * 10, Number(numbers())])))),
        cell(() =>
          pick(["a", "A", "b1", "B-2", "ünï", "", "x'y", "\\"].map((word) => word.replaceAll("\\", "|"))),
        ),
        cell(() => ago(Math.floor(random() * 10_000))),
      ]);
      await load(
        name,
        [integer("n"), decimal("d", "10, 3"), double("w"), float("f"), text("t"), moment("m")],
        rows,
      );
      for (const column of ["n", "d", "w", "f", "t", "m"]) {
        await judgeBoth("NullRate", name, { column, maxNullPercent: Math.floor(random() * 40) });
        await judgeBoth("Uniqueness", name, { column });
      }
      for (const column of ["n", "d", "w", "f"]) {
        const [one, other] = [numbers(), numbers()];
        const [min, max] = Number(one) <= Number(other) ? [one, other] : [other, one];
        await judgeBoth("Range", name, { column, min, max });
        await judgeBoth("Range", name, { column, min });
        await judgeBoth("Range", name, { column, max });
      }
      for (const pattern of ["^[a-z]", "[0-9]$", "^.*$", "^$", "ü"])
        await judgeBoth("Pattern", name, { column: "t", pattern });
      await judgeBoth("Freshness", name, { column: "m", maxAgeMinutes: pick([10, 1000, 20_000]) });
      await judgeBoth("Volume", name, { minRows: 10, maxRows: 30 });
      await judgeBoth("Referential", name, {
        column: "n",
        referenceTable: "customers",
        referenceColumn: "id",
      });
    }
  });
});

describe("only on MySQL", () => {
  test("a column's collation decides what is equal and what matches", async () => {
    await mysqlAdmin.query(`
      create table letters (folded varchar(10) collate utf8mb4_general_ci, exact varchar(10) collate utf8mb4_bin);
      insert into letters values ('a', 'a'), ('A', 'A')`);
    expect(await judge("Uniqueness", "letters", { column: "folded" })).toMatchObject({ passed: false });
    expect(await judge("Uniqueness", "letters", { column: "exact" })).toMatchObject({ passed: true });
    expect(await judge("Pattern", "letters", { column: "folded", pattern: "^a$" })).toMatchObject({
      passed: true,
    });
    expect(await judge("Pattern", "letters", { column: "exact", pattern: "^a$" })).toMatchObject({
      passed: false,
      actualValue: "1 row without a match",
    });
  });

  test("a pattern that the server aborts is no match", async () => {
    await mysqlAdmin.query(
      `create table evil (value varchar(100)); insert into evil values ('${"a".repeat(40)}!')`,
    );
    const verdict = await judge("Pattern", "evil", { column: "value", pattern: "^(a+)+$" });
    expect(verdict.passed).toBe(false);
  });

  test("unsigned integers, bits, years, and the largest decimals are compared exactly", async () => {
    await mysqlAdmin.query(`
      create table numbers (u bigint unsigned, b bit(8), y year, big decimal(65, 0), small decimal(65, 30));
      insert into numbers values
        (18446744073709551615, b'1111', 2024, ${"9".repeat(65)}, 0.000000000000000000000000000001)`);
    const range = async (column: string, min: string, max: string) =>
      (await judge("Range", "numbers", { column, min, max })).passed;
    expect(await range("u", "18446744073709551615", "18446744073709551615")).toBe(true);
    expect(await range("u", "0", "18446744073709551614")).toBe(false);
    expect(await range("b", "15", "15")).toBe(true);
    expect(await range("y", "2024", "2024")).toBe(true);
    expect(await range("big", "0", "9".repeat(65))).toBe(true);
    expect(await range("big", "0", `${"9".repeat(64)}8`)).toBe(false);
    expect(await range("small", "0.000000000000000000000000000001", "1")).toBe(true);
    expect(await range("small", "0", "0.0000000000000000000000000000009")).toBe(false);
  });

  test("a timestamp is in UTC, whatever the server's zone", async () => {
    const [before] = await asAdmin("select @@global.time_zone");
    await mysqlAdmin.query(`
      create table stamps (at timestamp null); insert into stamps values (utc_timestamp() - interval 30 minute);
      set global time_zone = '+09:00'`);
    try {
      expect(await judge("Freshness", "stamps", { column: "at", maxAgeMinutes: 31 })).toMatchObject({
        passed: true,
        actualValue: expect.stringMatching(/^30\.\d+ min old$/),
      });
    } finally {
      await mysqlAdmin.query("set global time_zone = ?", before as string[]);
    }
  });

  test("names with backticks, quotes, dots, and comments are names", async () => {
    const odd = "Odd.`table`; drop table customers -- \"'";
    const column = "the `col.umn`";
    await mysqlAdmin.query(
      `create table ${mysql.dialect.quote(odd)} (${mysql.dialect.quote(column)} int); insert into ${mysql.dialect.quote(odd)} values (1), (1), (2)`,
    );
    expect(await judge("Uniqueness", odd, { column })).toMatchObject({
      passed: false,
      actualValue: "1 duplicated value in 2 rows",
    });
    expect(await judge("Range", odd, { column, max: "1" })).toMatchObject({ score: 66.67 });
    expect(await judge("Pattern", odd, { column, pattern: "^[12]$" })).toMatchObject({ passed: true });
    expect(await judge("Volume", "shop.customers", { minRows: 0 })).toMatchObject({ passed: false });
    expect(await asAdmin("select count(*) from customers")).toEqual([["3"]]);
  });
});

/** The same numbers from 0 to 1 on every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
