import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { executionFailed, measureRule } from "../measure-rule.ts";
import { roundScore } from "../score.ts";
import type { RuleType } from "./rules.ts";

/** Every rule type, measured by a real PostgreSQL on tables that are small enough to count by hand. */

let dataSourceId: number;

beforeAll(async () => {
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create schema shop;
    create table shop.customers (id int, name text);
    insert into shop.customers values (1, 'Ada'), (2, 'Grace'), (3, 'Edsger');

    create table shop.orders (
      id int, customer_id int, price numeric, weight float8, ratio real, amount bigint,
      code text, note text, seen_at timestamptz, local_at timestamp, day date);
    insert into shop.orders
      (id, customer_id, price, weight, ratio, amount, code, note, seen_at, local_at, day)
    values
      (1, 1, 10.00, 0.1, 0.1, 9007199254740991, 'A-001', null, now() - interval '3 days', null, null),
      (2, 2, 20.00, 0.2, 0.2, 9007199254740992, 'A-002', null, now() - interval '90 minutes',
          (now() at time zone 'UTC') - interval '90 minutes', current_date),
      (3, 3, 30.00, 0.30000000000000004, 0.3, 9007199254740993, 'B-003', 'x', null, null, null),
      (3, null, null, null, null, null, null, 'y', null, null, null);

    create table shop.empty (id int, code text, seen_at timestamptz);
    create table shop.nulls (id int, code text, seen_at timestamptz);
    insert into shop.nulls select null, null, null from generate_series(1, 5);
    create table shop.orphans (customer_id int);
    insert into shop.orphans values (1), (7), (7), (null);
    create domain shop.share as float8;
    create table shop.shares (value shop.share);
    insert into shop.shares values (0.30000000000000004), (0.1);
    create table shop.odd (value float8);
    insert into shop.odd values (1), ('NaN'), ('Infinity'), (null);
    create table shop.texts (value text);
    insert into shop.texts values ('12'), ('20.5');
    create table shop.words (value text);
    insert into shop.words values ('twelve');
    create table shop.future (seen_at timestamptz);
    insert into shop.future values (now() + interval '1 day');
    create table shop.evil (value text);
    insert into shop.evil values ('aaaaaaaaaaaaaaaaaaaaaaaaaaaa!');
    create table shop."Odd.""table""; drop table shop.orders --" ("the ""col.umn""" int);
    insert into shop."Odd.""table""; drop table shop.orders --" values (1), (1), (2);
  `);
});

/** The rule's verdict on a table, as it is stored. */
async function judge(type: RuleType, tableName: string, configuration: Record<string, unknown>) {
  const target = { schemaName: "shop", tableName };
  const verdict = await useDatabase(dataSourceId, (dialect, source) =>
    source.session((session) =>
      measureRule(session, dialect, target, { type, configuration }).catch(executionFailed),
    ),
  );
  return { ...verdict, score: roundScore(verdict.score) };
}

/** A rule that could not run: score 0 and the specification's message. */
const couldNotRun = (reason: string | RegExp) => ({
  passed: false,
  score: 0,
  message: expect.stringMatching(
    new RegExp(`^Execution failed: .*${reason instanceof RegExp ? reason.source : reason}`),
  ),
});

describe("Freshness", () => {
  const seenAt = (maxAgeMinutes: number, column = "seen_at") => ({ column, maxAgeMinutes });

  test("compares the newest value with the database's clock", async () => {
    // The newest is 90 minutes old.
    expect(await judge("Freshness", "orders", seenAt(91))).toMatchObject({
      passed: true,
      score: 100,
      expectedValue: "at most 91 min old",
      actualValue: expect.stringMatching(/^90\.\d+ min old$/),
      message: null,
    });
    expect(await judge("Freshness", "orders", seenAt(90))).toMatchObject({
      passed: false,
      score: 0,
      message: expect.stringMatching(/^The newest value is \d{4}-\d\d-\d\d \d\d:\d\d/),
    });
  });

  test("treats a timestamp without a zone, and a date, as UTC", async () => {
    expect(await judge("Freshness", "orders", seenAt(91, "local_at"))).toMatchObject({ passed: true });
    expect(await judge("Freshness", "orders", seenAt(89, "local_at"))).toMatchObject({ passed: false });
    // A day has 1,440 minutes.
    expect(await judge("Freshness", "orders", seenAt(1500, "day"))).toMatchObject({ passed: true });
  });

  test.each(["empty", "nulls"])("fails with a message where there is no value (%s)", async (table) => {
    expect(await judge("Freshness", table, seenAt(60))).toMatchObject({
      passed: false,
      score: 0,
      actualValue: "no value",
      message: "There are no values: no rows, or only NULLs",
    });
  });

  test("considers a future value fresh", async () => {
    expect(await judge("Freshness", "future", seenAt(1))).toMatchObject({
      passed: true,
      actualValue: "in the future",
    });
  });

  test("does not run on a number", async () => {
    expect(await judge("Freshness", "orders", seenAt(60, "price"))).toMatchObject(couldNotRun("cannot cast"));
  });
});

describe("Volume", () => {
  test.each([
    // shop.orders has 4 rows.
    [{ minRows: 4 }, true, "at least 4 rows"],
    [{ minRows: 5 }, false, "at least 5 rows"],
    [{ maxRows: 4 }, true, "at most 4 rows"],
    [{ maxRows: 3 }, false, "at most 3 rows"],
    [{ minRows: 1, maxRows: 1_000_000 }, true, "1 to 1,000,000 rows"],
    [{ minRows: 4, maxRows: 4 }, true, "4 rows"],
  ])("%o of 4 rows: %s", async (configuration, passed, expectedValue) => {
    expect(await judge("Volume", "orders", configuration)).toMatchObject({
      passed,
      score: passed ? 100 : 0,
      expectedValue,
      actualValue: "4 rows",
    });
  });

  test("counts an empty table", async () => {
    expect(await judge("Volume", "empty", { maxRows: 0 })).toMatchObject({
      passed: true,
      actualValue: "0 rows",
    });
    expect(await judge("Volume", "empty", { minRows: 1 })).toMatchObject({ passed: false, score: 0 });
  });
});

describe("NullRate", () => {
  test.each([
    // note: 2 of 4 are NULL, 50%.
    ["orders", "note", 50, true, 100, "50% (2 of 4 rows)"],
    // 100 − (50 − 49.5) = 99.5
    ["orders", "note", 49.5, false, 99.5, "50% (2 of 4 rows)"],
    // 100 − (50 − 10) = 60
    ["orders", "note", 10, false, 60, "50% (2 of 4 rows)"],
    // price: 1 of 4; 100 − (25 − 0) = 75
    ["orders", "price", 0, false, 75, "25% (1 of 4 rows)"],
    // All NULL: 100 − (100 − 0) = 0
    ["nulls", "code", 0, false, 0, "100% (5 of 5 rows)"],
    // 100 − (100 − 33.33) = 33.33
    ["nulls", "code", 33.33, false, 33.33, "100% (5 of 5 rows)"],
    ["nulls", "code", 100, true, 100, "100% (5 of 5 rows)"],
    // An empty table has 0%.
    ["empty", "code", 0, true, 100, "0% (0 of 0 rows)"],
  ])(
    "%s.%s at most %d percent: %s, %d",
    async (table, column, maxNullPercent, passed, score, actualValue) => {
      expect(await judge("NullRate", table, { column, maxNullPercent })).toMatchObject({
        passed,
        score,
        expectedValue: `at most ${maxNullPercent}% NULL`,
        actualValue,
      });
    },
  );
});

describe("Uniqueness", () => {
  test("passes without duplicates, and does not count NULLs as values", async () => {
    // 4 rows, 3 different codes, one NULL; 5 NULLs.
    expect(await judge("Uniqueness", "orders", { column: "code" })).toMatchObject({
      passed: true,
      score: 100,
    });
    expect(await judge("Uniqueness", "nulls", { column: "code" })).toMatchObject({ passed: true });
    expect(await judge("Uniqueness", "empty", { column: "code" })).toMatchObject({ passed: true });
  });

  test("says how many values are repeated, and in how many rows", async () => {
    // id: 1, 2, 3, 3
    expect(await judge("Uniqueness", "orders", { column: "id" })).toMatchObject({
      passed: false,
      score: 0,
      expectedValue: "no duplicates",
      actualValue: "1 duplicated value in 2 rows",
    });
  });
});

describe("Referential", () => {
  const toCustomers = { column: "customer_id", referenceTable: "customers", referenceColumn: "id" };

  test("looks in the contract's own schema, and ignores NULLs", async () => {
    expect(await judge("Referential", "orders", toCustomers)).toMatchObject({
      passed: true,
      score: 100,
      expectedValue: "every value in customers.id",
    });
    // 1 is a customer, 7, which occurs twice, is not, and NULL does not count.
    expect(await judge("Referential", "orphans", toCustomers)).toMatchObject({
      passed: false,
      score: 0,
      actualValue: "2 rows without a match",
    });
  });

  test("looks in another schema if configured", async () => {
    expect(await judge("Referential", "orphans", { ...toCustomers, referenceSchema: "shop" })).toMatchObject({
      passed: false,
      expectedValue: "every value in shop.customers.id",
    });
    expect(
      await judge("Referential", "orphans", { ...toCustomers, referenceSchema: "nowhere" }),
    ).toMatchObject(couldNotRun('relation "nowhere.customers" does not exist'));
  });

  test("does not confuse the checked table's column with one that the reference table lacks", async () => {
    const missing = { ...toCustomers, referenceColumn: "customer_id" };
    expect(await judge("Referential", "orphans", missing)).toMatchObject(couldNotRun("does not exist"));
  });
});

describe("Range", () => {
  test.each<[string, string, { min?: string; max?: string }, boolean, number, string]>([
    // price: 10, 20, 30, NULL.
    ["orders", "price", { min: "10", max: "30" }, true, 100, "10 to 30"],
    ["orders", "price", { min: "10" }, true, 100, "at least 10"],
    ["orders", "price", { max: "30.00" }, true, 100, "at most 30.00"],
    // 10 is out of range: (1 − 1/4) × 100 = 75; all four rows count.
    ["orders", "price", { min: "10.01" }, false, 75, "at least 10.01"],
    // 20 and 30 are out of range: (1 − 2/4) × 100 = 50
    ["orders", "price", { max: "19" }, false, 50, "at most 19"],
    // 10 and 30 are out of range: 50
    ["orders", "price", { min: "15", max: "25" }, false, 50, "15 to 25"],
    ["orders", "price", { min: "-1000000" }, true, 100, "at least -1,000,000"],
    // float8: 0.30000000000000004 exceeds 0.3, which 15 digits would hide. (1 − 1/4) × 100
    ["orders", "weight", { max: "0.3" }, false, 75, "at most 0.3"],
    ["orders", "weight", { max: "0.30000000000000004" }, true, 100, "at most 0.30000000000000004"],
    // real: 0.3 counts as it was written, although as a float8 it is 0.30000001192092896.
    ["orders", "ratio", { max: "0.3" }, true, 100, "at most 0.3"],
    // A domain over float8 counts as float8: (1 − 1/2) × 100
    ["shares", "value", { max: "0.3" }, false, 50, "at most 0.3"],
    // bigint: …993 exceeds …992, which is the same number in floating point.
    ["orders", "amount", { max: "9007199254740992" }, false, 75, "at most 9,007,199,254,740,992"],
    ["orders", "amount", { max: "9007199254740993" }, true, 100, "at most 9,007,199,254,740,993"],
    // 1, NaN, Infinity, NULL: NaN is in no range, and infinity is at least 0 but not at most 10.
    ["odd", "value", { min: "0" }, false, 75, "at least 0"],
    ["odd", "value", { max: "10" }, false, 50, "at most 10"],
    ["odd", "value", { min: "0", max: "10" }, false, 50, "0 to 10"],
    ["empty", "id", { min: "1" }, true, 100, "at least 1"],
    ["nulls", "id", { min: "1" }, true, 100, "at least 1"],
    // A text that is a number counts as one.
    ["texts", "value", { min: "12", max: "20" }, false, 50, "12 to 20"],
  ])("%s.%s in %o: %s, %d", async (table, column, bounds, passed, score, expectedValue) => {
    expect(await judge("Range", table, { column, ...bounds })).toMatchObject({
      passed,
      score,
      expectedValue,
    });
  });

  test("says how many of all rows are out of range", async () => {
    expect(await judge("Range", "orders", { column: "price", max: "19" })).toMatchObject({
      actualValue: "2 of 4 rows out of range",
    });
  });

  test("rounds a third", async () => {
    // 1 of 3 is out of range: (1 − 1/3) × 100 = 66.666…
    expect(await judge("Range", "customers", { column: "id", max: "2" })).toMatchObject({ score: 66.67 });
  });

  test("does not run on text that is not a number", async () => {
    expect(await judge("Range", "words", { column: "value", min: "1" })).toMatchObject(
      couldNotRun('invalid input syntax for type numeric: "twelve"'),
    );
  });

  test("never treats a bound as SQL, whatever is stored", async () => {
    expect(await judge("Range", "orders", { column: "price", min: "1 OR 1=1" })).toMatchObject(
      couldNotRun("the configuration is invalid: min: must be a plain decimal number"),
    );
  });
});

describe("Mean", () => {
  test.each<[string, string, { min?: string; max?: string }, boolean, string]>([
    // price: 10, 20, 30, NULL.
    ["orders", "price", { min: "20", max: "20" }, true, "20 (3 values)"],
    ["orders", "price", { max: "19.99" }, false, "20 (3 values)"],
    ["orders", "price", { min: "20.01" }, false, "20 (3 values)"],
    // float8: 0.1, 0.2, 0.30000000000000004, whose mean is 0.2 to twelve digits.
    ["orders", "weight", { min: "0.2", max: "0.2" }, true, "0.2 (3 values)"],
    // 1, 2, 3, 3
    ["orders", "id", { min: "2.25", max: "2.25" }, true, "2.25 (4 values)"],
    ["empty", "id", { min: "0" }, false, "no value"],
    ["nulls", "id", { min: "0" }, false, "no value"],
    ["odd", "value", { min: "0" }, false, "no finite mean"],
  ])("%s.%s in %o: %s, %s", async (table, column, bounds, passed, actualValue) => {
    const verdict = await judge("Mean", table, { column, ...bounds });
    expect(verdict).toMatchObject({ passed, score: passed ? 100 : 0, actualValue });
  });

  test("is measured, and says what was expected", async () => {
    const verdict = await judge("Mean", "orders", { column: "price", min: "1000", max: "2000" });
    expect(verdict.expectedValue).toBe("a mean from 1,000 to 2,000");
    expect(verdict.measured?.toString()).toBe("20");
  });

  test("does not run on text that is not a number", async () => {
    const verdict = await judge("Mean", "words", { column: "value", min: "1" });
    expect(verdict.message).toMatch(/^Execution failed: /);
  });
});

describe("Pattern", () => {
  test.each([
    // B-003, NULL
    ["orders", "^[AB]-\\d{3}$", true, "every value matches"],
    ["orders", "^A", false, "1 row without a match"],
    ["orders", "%", false, "3 rows without a match"],
    ["empty", "^A", true, "every value matches"],
    ["nulls", "^A", true, "every value matches"],
  ])("%s.code like %s: %s", async (table, pattern, passed, actualValue) => {
    expect(await judge("Pattern", table, { column: "code", pattern })).toMatchObject({
      passed,
      score: passed ? 100 : 0,
      expectedValue: `matches ${pattern}`,
      actualValue,
    });
  });

  test("matches numbers by their text", async () => {
    expect(await judge("Pattern", "orders", { column: "id", pattern: "^[123]$" })).toMatchObject({
      passed: true,
    });
  });

  test.each(["orders", "empty"])(
    "an invalid pattern does not run, whatever the table contains (%s)",
    async (table) => {
      expect(await judge("Pattern", table, { column: "code", pattern: "([a" })).toMatchObject(
        couldNotRun("invalid regular expression"),
      );
    },
  );

  test("a pattern with catastrophic backtracking elsewhere is harmless to the database", async () => {
    expect(await judge("Pattern", "evil", { column: "value", pattern: "^(a+)+$" })).toMatchObject({
      passed: false,
      actualValue: "1 row without a match",
    });
  });
});

describe("CustomSql", () => {
  const run = (query: string) => judge("CustomSql", "orders", { sql: query });

  test.each([
    ["select 1 as passed", true, 100],
    ["select 0 as passed", false, 0],
    ["select true as passed", true, 100],
    ["select false as passed", false, 0],
    ["select '1' as passed", true, 100],
    ["select '0' as passed", false, 0],
    ["select 1::bigint as passed", true, 100],
    ["select 1.0 as passed", true, 100],
    ["select 0.00 as passed", false, 0],
    ["select 1::float8 as passed", true, 100],
    ['select 1 as "PASSED"', true, 100],
    // Only the first row counts.
    ["select n as passed from (values (1), (0)) as rows (n)", true, 100],
    ["select 1 as passed, 42.5 as score", true, 42.5],
    ["select 0 as passed, 99.99 as score", false, 99.99],
    ["select 1 as passed, 0 as score", true, 0],
    ["select 0 as passed, 100 as score", false, 100],
    ["select 1 as passed, null as score", true, 100],
    ["select 0 as passed, null::int as score", false, 0],
    // Two decimal places, half away from zero.
    ["select 1 as passed, 33.335 as score", true, 33.34],
    ["select count(*) = 4 as passed from shop.orders;", true, 100],
    ["with o as (select * from shop.orders) select count(*) > 4 as passed from o", false, 0],
  ])("%s: %s, %d", async (query, passed, score) => {
    expect(await run(query)).toMatchObject({ passed, score, message: null });
  });

  test("shows the observed value and the message", async () => {
    const query =
      "select 0 as passed, count(*) as actual_value, 'too ' || 'many' as message from shop.orders";
    expect(await run(query)).toMatchObject({
      passed: false,
      score: 0,
      actualValue: "4",
      message: "too many",
    });
  });

  test("says what was unexpected, even next to an observed value of 1", async () => {
    const actual = "1 as actual_value";
    expect(await run("select 0 as passed")).toMatchObject({
      ...{ expectedValue: "passed = 1", actualValue: "passed = 0" },
    });
    expect(await run(`select 0 as passed, ${actual}`)).toMatchObject({
      ...{ expectedValue: "passed = 1, got 0", actualValue: "1" },
    });
    expect(await run(`select 1 as passed, ${actual}`)).toMatchObject({
      ...{ expectedValue: "passed = 1", actualValue: "1" },
    });
    expect(await run("select 1 as passed")).toMatchObject({
      ...{ expectedValue: "passed = 1", actualValue: null },
    });
  });

  test.each([
    ["select 1 as passed where false", "The query returned no row"],
    ["select 1 as okay", 'The query answered no column "passed"'],
    ["select null as passed", "passed must be 1 or 0, but is NULL"],
    ["select 2 as passed", "passed must be 1 or 0, but is 2"],
    ["select 'yes' as passed", 'passed must be 1 or 0, but is "yes"'],
    ["select '1.0'::text as passed", 'passed must be 1 or 0, but is "1.0"'],
    ["select 1 as passed, 'NaN'::float8 as score", 'score must be a number from 0 to 100, but is "NaN"'],
    ["select 1 as passed, 150 as score", "score must be a number from 0 to 100, but is 150"],
    ["select 1 as passed, -0.01 as score", 'score must be a number from 0 to 100, but is "-0.01"'],
    ["select 1 as passed, 'high' as score", 'score must be a number from 0 to 100, but is "high"'],
    ["select 1 as passed, true as score", "score must be a number from 0 to 100, but is true"],
  ])("%s is a failed rule that says so", async (query, message) => {
    expect(await run(query)).toMatchObject({ passed: false, score: 0, message });
  });

  test("a huge first row is not read", async () => {
    expect(await run("select 1 as passed, repeat('x', 1000000) as message")).toMatchObject({
      passed: false,
      message: "The first row is too large to read",
    });
  });

  test.each([
    ["delete from shop.orders", "Only read statements"],
    ["select 1 as passed; delete from shop.orders", "Only one statement"],
    ["commit; delete from shop.orders", "Only read statements"],
    [
      "with gone as (delete from shop.orders returning 1) select 1 as passed from gone",
      "read-only transaction",
    ],
    ["select 1 as passed into shop.copied", "read-only transaction"],
    ["selekt 1", "Only read statements"],
    ["select passed from shop.nowhere", 'relation "shop.nowhere" does not exist'],
  ])("%s does not run, and changes nothing", async (query, reason) => {
    expect(await run(query)).toMatchObject(couldNotRun(reason));
    const [state] = await sql`
      select (select count(*)::int from shop.orders) as orders, to_regclass('shop.copied') as copied`;
    expect(state).toEqual({ orders: 4, copied: null });
  });
});

describe("names", () => {
  const odd = 'Odd."table"; drop table shop.orders --';

  test("with quotes, dots, and comments are names", async () => {
    expect(await judge("Uniqueness", odd, { column: 'the "col.umn"' })).toMatchObject({
      passed: false,
      actualValue: "1 duplicated value in 2 rows",
    });
    expect(await judge("Range", odd, { column: 'the "col.umn"', max: "1" })).toMatchObject({ score: 66.67 });
    expect(await judge("Volume", odd, { minRows: 3 })).toMatchObject({ passed: true });
    const [orders] = await sql`select to_regclass('shop.orders')::text as name`;
    expect(orders?.name).toBe("shop.orders");
  });

  test("that do not exist fail the rule", async () => {
    expect(await judge("Volume", "missing", { minRows: 0 })).toMatchObject(
      couldNotRun('relation "shop.missing" does not exist'),
    );
    expect(await judge("NullRate", "orders", { column: "missing", maxNullPercent: 0 })).toMatchObject(
      couldNotRun('column "missing" does not exist'),
    );
    // A dot in a name is a dot, not a path.
    expect(await judge("Volume", "shop.orders", { minRows: 0 })).toMatchObject(couldNotRun("does not exist"));
  });
});
