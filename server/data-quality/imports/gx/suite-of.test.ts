import { describe, expect, test } from "vitest";
import { mysql } from "../../../data-sources/dialects/mysql.ts";
import { postgresql } from "../../../data-sources/dialects/postgresql.ts";
import { sqlserver } from "../../../data-sources/dialects/sqlserver.ts";
import { gxSuiteOf } from "./suite-of.ts";

const columns: Record<string, string[]> = { orders: ["id", "city", "amount", "total"], customers: ["id"] };
const destination = {
  ...{ dialect: postgresql, defaultSchema: "public" },
  find: (schemaName: string, tableName: string) =>
    schemaName === "public" && columns[tableName]
      ? { schemaName, tableName, columns: columns[tableName] }
      : null,
};

const suiteWith = (
  expectations: unknown[],
  { name = "orders.warning", more = {}, table }: { name?: string; more?: object; table?: string } = {},
) =>
  gxSuiteOf(
    [{ path: "suite.json", content: { name, expectations }, ...(table !== undefined && { table }) }],
    { ...destination, ...more },
    "p",
  );

/** What one expectation becomes: its rules, or the reason that it has none. */
function become(type: string, kwargs: object, more = {}) {
  const { tables, notCarried } = suiteWith([{ type, kwargs }], { more });
  const rules = tables.flatMap((table) => table.rules);
  return rules.length > 0
    ? rules.map(({ type: kind, column, configuration }) => ({
        type: kind,
        ...(column && { column }),
        ...configuration,
      }))
    : notCarried.map(({ reason }) => reason);
}

const condition = (sql: string, more = {}) => ({ type: "RowCondition", condition: sql, ...more });
const filled = '"city" is not null';

describe("expectations that a kind of rule says", () => {
  const city = { column: "city" };
  test.each<[string, object, object]>([
    ["expect_column_values_to_not_be_null", city, { type: "NullRate", column: "city", maxNullPercent: 0 }],
    [
      "expect_column_values_to_not_be_null",
      { ...city, mostly: 0.95 },
      { type: "NullRate", column: "city", maxNullPercent: 5 },
    ],
    ["expect_column_values_to_be_null", city, condition('"city" is null')],
    [
      "expect_column_mean_to_be_between",
      { column: "amount", min_value: 1, max_value: 2.5 },
      { type: "Mean", column: "amount", min: "1", max: "2.5" },
    ],
    ["expect_column_values_to_be_unique", { column: "ID" }, { type: "Uniqueness", column: "id" }],
    [
      "expect_column_values_to_be_in_set",
      { ...city, value_set: ["a", "b"] },
      { type: "AllowedValues", column: "city", values: ["a", "b"] },
    ],
    [
      "expect_column_values_to_be_in_set",
      { ...city, value_set: ["a"], mostly: 0.9 },
      { type: "AllowedValues", column: "city", values: ["a"], maxFailingPercent: 10, where: filled },
    ],
    ["expect_column_values_to_be_in_set", { column: "id", value_set: [1, 2] }, condition('"id" in (1, 2)')],
    [
      "expect_column_values_to_not_be_in_set",
      { ...city, value_set: ["x"] },
      condition(`not ("city"::text in ('x'))`),
    ],
    [
      "expect_column_values_to_be_between",
      { column: "amount", min_value: 1, max_value: 6.5 },
      { type: "Range", column: "amount", min: "1", max: "6.5" },
    ],
    [
      "expect_column_values_to_be_between",
      { column: "amount", min_value: 0, strict_min: true },
      condition('"amount" > 0'),
    ],
    [
      "expect_column_values_to_be_between",
      { column: "amount", min_value: "2020-01-01" },
      condition(`"amount" >= '2020-01-01'`),
    ],
    ["expect_column_value_lengths_to_equal", { ...city, value: 2 }, condition('char_length("city") = 2')],
    [
      "expect_column_value_lengths_to_be_between",
      { ...city, min_value: 1, max_value: 9 },
      condition('char_length("city") >= 1 and char_length("city") <= 9'),
    ],
    [
      "expect_column_values_to_match_regex",
      { ...city, regex: "^a" },
      { type: "Pattern", column: "city", pattern: "^a" },
    ],
    [
      "expect_column_values_to_not_match_regex",
      { ...city, regex: "^a" },
      condition(`not ("city"::text ~ '^a')`),
    ],
    [
      "expect_column_values_to_match_regex_list",
      { ...city, regex_list: ["a", "b"], match_on: "all" },
      condition(`("city"::text ~ 'a') and ("city"::text ~ 'b')`),
    ],
    [
      "expect_column_values_to_match_like_pattern_list",
      { ...city, like_pattern_list: ["a%", "b%"] },
      condition(`"city"::text like 'a%' or "city"::text like 'b%'`),
    ],
    [
      "expect_column_pair_values_a_to_be_greater_than_b",
      { column_A: "total", column_B: "amount", or_equal: true },
      condition('"total" >= "amount"'),
    ],
    [
      "expect_column_pair_values_to_be_equal",
      { column_A: "total", column_B: "amount" },
      condition('"total" = "amount"'),
    ],
    [
      "expect_column_pair_values_to_be_in_set",
      { column_A: "id", column_B: "city", value_pairs_set: [[1, "a"]] },
      condition(`("id" = 1 and "city" = 'a')`),
    ],
    [
      "expect_compound_columns_to_be_unique",
      { column_list: ["id", "city"] },
      { type: "UniqueCombination", columns: ["id", "city"] },
    ],
    [
      "expect_select_column_values_to_be_unique_within_record",
      { column_list: ["id", "amount", "total"] },
      condition('"id" <> "amount" and "id" <> "total" and "amount" <> "total"'),
    ],
    [
      "expect_multicolumn_sum_to_equal",
      { column_list: ["amount", "total"], sum_total: 10 },
      condition('"amount" + "total" = 10'),
    ],
    ["expect_table_row_count_to_equal", { value: 4 }, { type: "Volume", minRows: 4, maxRows: 4 }],
    ["expect_table_row_count_to_be_between", { min_value: 1 }, { type: "Volume", minRows: 1 }],
  ])("%s %j", (type, kwargs, expected) => {
    expect(become(type, kwargs)).toEqual([expected]);
  });
});

describe("expectations that count and compare", () => {
  test.each([
    [
      "expect_column_max_to_be_between",
      { column: "amount", max_value: 9, strict_max: true },
      "max(",
      "checked.value < 9",
    ],
    [
      "expect_column_median_to_be_between",
      { column: "amount", min_value: 1 },
      "percentile_cont(0.5)",
      ">= 1",
    ],
    [
      "expect_column_quantile_values_to_be_between",
      { column: "amount", quantile_ranges: { quantiles: [0.1], value_ranges: [[0, null]] } },
      "percentile_disc(0.1)",
      "checked.value >= 0",
    ],
    [
      "expect_column_unique_value_count_to_be_between",
      { column: "city", max_value: 3 },
      "count(distinct",
      "<= 3",
    ],
    [
      "expect_column_distinct_values_to_contain_set",
      { column: "city", value_set: ["a", "b"] },
      "2 - count(distinct case when",
      "= 0",
    ],
    [
      "expect_table_row_count_to_equal_other_table",
      { other_table_name: "customers" },
      '"public"."customers"',
      "= 0",
    ],
    ["expect_table_column_count_to_equal", { value: 4 }, "INFORMATION_SCHEMA.COLUMNS", "= 4"],
    ["expect_column_to_exist", { column: "city" }, "1 - (select count(*)", "= 0"],
    [
      "expect_column_values_to_be_of_type",
      { column: "id", type_: "INTEGER" },
      "in ('integer', 'int')",
      "= 1",
    ],
    ["expect_table_columns_to_match_ordered_list", { column_list: ["id", "city"] }, "place = 2", "= 2"],
    [
      "unexpected_rows_expectation",
      { unexpected_rows_query: "select * from {batch} where amount < 0" },
      'from "public"."orders" where',
      "as passed",
    ],
  ])("%s", (type, kwargs, part, compared) => {
    const sql = become(type, kwargs)
      .map((rule) => (rule as { sql?: string }).sql)
      .join("\n");
    expect(sql).toContain(part);
    expect(sql).toContain(compared);
  });
});

describe("row conditions", () => {
  const where = (row_condition: unknown) =>
    become("expect_column_values_to_be_unique", { column: "id", row_condition, condition_parser: "x" })[0];
  test.each([
    ['col("city") == "Rome"', `"city" = 'Rome'`],
    ['col("CITY").notNull()', '"city" is not null'],
    ["amount > 5 and city != 'x'", `("amount" > 5) and ("city" <> 'x')`],
    ["(amount > 5) | (city == 'x')", `("amount" > 5) or ("city" = 'x')`],
    [{ type: "comparison", column: { name: "amount" }, operator: ">=", parameter: 2 }, '"amount" >= 2'],
    [
      { type: "and", conditions: [{ type: "nullity", column: { name: "city" }, is_null: true }] },
      '("city" is null)',
    ],
  ])("%j", (given, expected) => {
    expect(where(given)).toMatchObject({ type: "Uniqueness", where: expected });
  });

  test.each([
    ["city.str.startswith('a')"],
    ["amount > 1; drop table x"],
    ["amount > (select 1)"],
    [{ type: "or" }],
  ])("%j is left out", (given) => {
    expect(where(given)).toBe("Its row_condition is not a comparison with values");
  });
});

describe("suites", () => {
  const rowCount = { type: "expect_table_row_count_to_be_between", kwargs: { min_value: 1 } };

  test("of version 0, with notes and severity", () => {
    const content = {
      expectation_suite_name: "shop.orders_suite",
      meta: { great_expectations_version: "0.15.50" },
      expectations: [
        {
          expectation_type: "expect_column_values_to_be_unique",
          kwargs: { column: "id" },
          meta: { severity: "warning", tags: ["key"] },
        },
      ],
    };
    const { tables } = gxSuiteOf([{ path: "a.json", content }], destination, "p");
    expect(tables).toMatchObject([
      {
        ...{ id: "shop.orders_suite", contractName: "shop.orders_suite", tableName: "orders", exists: true },
        rules: [
          {
            id: 'shop.orders_suite: expect_column_values_to_be_unique("id")',
            ...{ name: "id: values to be unique", severity: "Medium", tags: ["key"] },
          },
        ],
      },
    ]);
  });

  test("of version 1, with ids and descriptions", () => {
    const expectation = { ...rowCount, id: "0b5c", description: "Not empty", severity: "critical" };
    expect(suiteWith([expectation]).tables[0]?.rules).toMatchObject([
      { id: "orders.warning: 0b5c", name: "Not empty", severity: "Critical" },
    ]);
  });

  test("the table can be said, and must be if the name has none", () => {
    expect(suiteWith([rowCount], { name: "nightly", table: "orders" }).tables[0]).toMatchObject({
      tableName: "orders",
    });
    expect(suiteWith([rowCount], { name: "nightly" }).notCarried).toMatchObject([
      { reason: "The suite names no table of this data source: say which table it is about" },
    ]);
    expect(suiteWith([rowCount], { table: "public.ghosts" }).tables[0]).toMatchObject({ exists: false });
  });

  test("what is no suite is refused, and so is the same suite twice", () => {
    for (const content of [null, [], {}, { name: "x" }, { nodes: {}, metadata: {} }])
      expect(() => gxSuiteOf([{ path: "a.json", content }], destination, "p")).toThrow("cannot be imported");
    const content = { name: "a", expectations: [] };
    expect(() =>
      gxSuiteOf(
        [
          { path: "1", content },
          { path: "2", content },
        ],
        destination,
        "p",
      ),
    ).toThrow("cannot be imported");
  });
});

describe("what is not carried over has a reason", () => {
  test.each<[string, object, string]>([
    ["expect_column_kl_divergence_to_be_less_than", { column: "id" }, "Is about a distribution"],
    ["expect_column_values_to_be_increasing", { column: "id" }, "have no order"],
    ["expect_column_values_to_be_json_parseable", { column: "id" }, "Parses each value"],
    [
      "expect_column_values_to_be_between",
      { column: "id", min_value: { $PARAMETER: "x" } },
      "is a parameter",
    ],
    ["expect_column_values_to_be_between", { column: "id" }, "neither min_value nor max_value"],
    ["expect_column_values_to_be_in_set", { column: "id", value_set: [] }, "Has no value_set"],
    ["expect_column_values_to_be_unique", { column: "id", mostly: 0 }, "Its mostly is not a share"],
    [
      "expect_column_values_to_be_of_type",
      { column: "id", type_: "GEOMETRY" },
      "The type GEOMETRY is not known",
    ],
    ["expect_my_own_thing", {}, "No kind of rule says that"],
    ["constructor", {}, "No kind of rule says that"],
  ])("%s", (type, kwargs, reason) => {
    expect(become(type, kwargs)).toEqual([expect.stringContaining(reason)]);
  });

  test("what one kind of database lacks", () => {
    const regex = { column: "city", regex: "^a" };
    expect(become("expect_column_values_to_match_regex", regex, { dialect: sqlserver })).toEqual([
      "This kind of database has no regular expressions",
    ]);
    const median = { column: "amount", min_value: 1 };
    expect(become("expect_column_median_to_be_between", median, { dialect: mysql })).toEqual([
      "This kind of database has no such function",
    ]);
  });

  test("expectations of other shapes", () => {
    expect(suiteWith([null, 3, { type: 5 }]).notCarried).toHaveLength(3);
  });
});
