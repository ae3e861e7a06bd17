import { describe, expect, test } from "vitest";
import { postgresql } from "../../../data-sources/dialects/postgresql.ts";
import { aDbtTest, aManifest } from "../../../test/factories/dbt.ts";
import { readProject } from "./manifest.ts";
import { suiteOf } from "./suite-of.ts";

const columns: Record<string, string[]> = { orders: ["id", "Customer", "amount"], customers: ["id"] };
const destination = {
  ...{ dialect: postgresql, defaultSchema: "public" },
  find: (schemaName: string, tableName: string) =>
    schemaName === "shop" && columns[tableName]
      ? { schemaName, tableName, columns: columns[tableName] }
      : null,
};

const suiteWith = (tests: Record<string, unknown>, more: object = {}) =>
  suiteOf(readProject({ manifest: aManifest({ tests }), ...more }), destination);

/** What one test becomes: its rules, or the reason it has none. */
function become(node: unknown) {
  const { tables, notCarried } = suiteWith({ "test.shop.one": node });
  const rules = tables.flatMap((table) => table.rules);
  return rules.length > 0
    ? rules.map(({ type, column, configuration }) => ({ type, ...(column && { column }), ...configuration }))
    : notCarried.map(({ reason }) => reason);
}

describe("dbt's tests", () => {
  test.each([
    ["unique", { column: "ID" }, { type: "Uniqueness", column: "id" }],
    ["not_null", { column: "customer" }, { type: "NullRate", column: "Customer", maxNullPercent: 0 }],
    [
      "accepted_values",
      { column: "amount", kwargs: { values: ["a", "b"] } },
      { type: "AllowedValues", column: "amount", values: ["a", "b"] },
    ],
    [
      // dbt writes 'Master''s', which is the text Master's.
      "accepted_values",
      { column: "amount", kwargs: { values: ["Master''s", "b"] } },
      { type: "AllowedValues", column: "amount", values: ["Master's", "b"] },
    ],
    [
      "accepted_values",
      { column: "amount", kwargs: { values: [1, 2], quote: false } },
      { type: "RowCondition", condition: '"amount" in (1, 2)' },
    ],
    [
      "relationships",
      {
        column: "customer",
        kwargs: { to: "ref('customers')", field: "ID" },
      },
      { type: "Referential", column: "Customer", referenceTable: "customers", referenceColumn: "id" },
    ],
    ["not_null", { column: "a || 'x'" }, { type: "RowCondition", condition: "(a || 'x') is not null" }],
    [
      "unique",
      { column: "id", config: { where: "amount > 0" } },
      { type: "Uniqueness", column: "id", where: "amount > 0", duplicatesAmong: "Rows" },
    ],
  ])("%s %j", (name, given, expected) => {
    expect(become(aDbtTest(name, given))).toEqual([expected]);
  });
});

describe("packages", () => {
  const utils = { namespace: "dbt_utils" };
  const expectations = { namespace: "dbt_expectations" };
  test.each([
    [
      "accepted_range",
      { ...utils, column: "amount", kwargs: { min_value: 0, max_value: 10.5 } },
      { type: "Range", column: "amount", min: "0", max: "10.5" },
    ],
    [
      "accepted_range",
      { ...utils, column: "amount", kwargs: { min_value: "0", inclusive: false } },
      { type: "RowCondition", condition: '"amount" > 0' },
    ],
    [
      "unique_combination_of_columns",
      { ...utils, kwargs: { combination_of_columns: ["id", "customer"] } },
      { type: "UniqueCombination", columns: ["id", "Customer"] },
    ],
    [
      "expression_is_true",
      { ...utils, kwargs: { expression: "amount >= 0" } },
      { type: "RowCondition", condition: "amount >= 0" },
    ],
    [
      "not_null_proportion",
      { ...utils, column: "amount", kwargs: { at_least: 0.95 } },
      { type: "NullRate", column: "amount", maxNullPercent: 5 },
    ],
    [
      "recency",
      { ...utils, kwargs: { datepart: "day", field: "amount", interval: 2 } },
      { type: "Freshness", column: "amount", maxAgeMinutes: 2880 },
    ],
    [
      "expect_table_row_count_to_be_between",
      { ...expectations, kwargs: { min_value: 1, max_value: 9, strictly: true } },
      { type: "Volume", minRows: 2, maxRows: 8 },
    ],
    [
      "expect_column_values_to_match_regex",
      { ...expectations, column: "amount", kwargs: { regex: "^a" } },
      { type: "Pattern", column: "amount", pattern: "^a" },
    ],
    [
      "expect_column_pair_values_A_to_be_greater_than_B",
      { ...expectations, kwargs: { column_A: "id", column_B: "customer", or_equal: true } },
      { type: "RowCondition", condition: '"id" >= "Customer"' },
    ],
  ])("%s %j", (name, given, expected) => {
    expect(become(aDbtTest(name, given))).toEqual([expected]);
  });
});

describe("limits", () => {
  const many = { error_if: ">10" };
  test("more rows than that are a failure, for rules that count rows", () => {
    const given = { namespace: "dbt_utils", kwargs: { expression: "amount > 0" }, config: many };
    expect(become(aDbtTest("expression_is_true", given))).toEqual([
      { type: "RowCondition", condition: "amount > 0", maxFailingRows: 10 },
    ]);
  });

  test("where dbt counts something else, the query is dbt's", () => {
    const [rule] = become(aDbtTest("unique", { column: "id", config: many }));
    expect(rule).toMatchObject({ type: "CustomSql" });
    expect(JSON.stringify(rule)).toContain("case when failures >10 then 0 else 1 end");
  });

  test("anything but a comparison is not carried over", () => {
    expect(become(aDbtTest("unique", { column: "id", config: { error_if: "in (select 1)" } }))).toEqual([
      "Its error_if is not a comparison with a number: in (select 1)",
    ]);
  });

  test("a warning weighs less, and has its own limit", () => {
    const config = { severity: "warn", warn_if: ">= 3", error_if: "> 100" };
    const given = { namespace: "dbt_utils", kwargs: { expression: "amount > 0" }, config };
    const { tables } = suiteWith({ "test.shop.one": aDbtTest("expression_is_true", given) });
    expect(tables.flatMap(({ rules }) => rules)).toMatchObject([
      { severity: "Low", configuration: { maxFailingRows: 2 } },
    ]);
  });
});

describe("SQL", () => {
  const singular = (more: object) => ({
    ...{ resource_type: "test", name: "no_orphans", package_name: "shop", original_file_path: "tests/a.sql" },
    ...{ depends_on: { nodes: ["model.shop.orders"], macros: [] }, config: {}, ...more },
  });

  test("compiled SQL becomes a query for failing rows, of which there must be none", () => {
    const own = aDbtTest("is_sane", { more: { compiled_code: "select 1 from shop.orders;" } });
    expect(become(own)).toEqual([
      {
        type: "CustomSql",
        sql: `select case when failures <> 0 then 0 else 1 end as passed, failures as actual_value
from (
select coalesce(count(*), 0) as failures
from (
select 1 from shop.orders
) found
) counted`,
      },
    ]);
  });

  test("references in a template become tables; anything else needs dbt", () => {
    const [rule] = become(singular({ raw_code: "{# why #}select * from {{ ref('orders') }}" }));
    expect(JSON.stringify(rule)).toContain('select * from \\"shop\\".\\"orders\\"');
    expect(become(singular({ raw_code: "select {{ my_macro() }} from {{ ref('orders') }}" }))).toEqual([
      "Has no counterpart, and dbt has not compiled it: run dbt compile or dbt build, then import again",
    ]);
  });

  test("a project's own test with the name of dbt's is not taken for dbt's", () => {
    const own = { column: "id", more: { depends_on: { nodes: [], macros: ["macro.shop.test_unique"] } } };
    expect(become(aDbtTest("unique", own))).toEqual([expect.stringContaining("dbt has not compiled it")]);
  });
});

test("a source's freshness is a rule, too", () => {
  const manifest = {
    ...aManifest(),
    sources: {
      "source.shop.raw.orders": {
        ...{ resource_type: "source", name: "o", source_name: "raw", schema: "shop", identifier: "orders" },
        ...{ loaded_at_field: "amount", freshness: { error_after: { count: 12, period: "hour" } } },
      },
    },
  };
  const { tables } = suiteOf(readProject({ manifest }), destination);
  expect(tables.flatMap(({ rules }) => rules)).toMatchObject([
    { id: "source.shop.raw.orders#freshness", configuration: { maxAgeMinutes: 720 } },
  ]);
});

describe("what is not as it should be", () => {
  test.each([
    [null],
    [[]],
    ["{}"],
    [{ nodes: {} }],
    [{ metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/catalog/v1.json" }, nodes: {} }],
  ])("%j is not a manifest", (manifest) => {
    expect(() => readProject({ manifest })).toThrow("The files cannot be imported");
  });

  test("an unknown version is read for what is known of it, and says so", () => {
    const metadata = { dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v20.json" };
    const suite = suiteOf(readProject({ manifest: aManifest({ metadata }) }), destination);
    expect(suite.warnings).toEqual([expect.stringContaining("version 20")]);
  });

  test("hostile names and nodes of other shapes do no harm", () => {
    const tests = JSON.parse(
      '{"__proto__": {"resource_type": "test", "name": "x", "test_metadata": {"name": "constructor", "namespace": "__proto__", "kwargs": {"__proto__": 1}}, "attached_node": "model.shop.orders"}, "test.shop.odd": 3}',
    );
    const { tables, notCarried } = suiteWith({
      ...tests,
      "test.shop.two": aDbtTest("toString", { namespace: "dbt_utils" }),
    });
    expect(tables.flatMap(({ rules }) => rules)).toEqual([]);
    expect(notCarried.map(({ id }) => id)).toContain("test.shop.two");
    expect(notCarried.map(({ id }) => id)).toContain("test.shop.odd");
    expect(Object.getOwnPropertyNames({})).toEqual([]);
  });
});

test("a table is made from what its model depends on, through ephemeral models, if the data source has both", () => {
  const model = (name: string, nodes: string[], more: object = {}) => ({
    ...{
      resource_type: "model",
      name,
      package_name: "shop",
      schema: "shop",
      alias: name,
      depends_on: { nodes },
    },
    ...more,
  });
  const manifest = aManifest();
  const nodes = {
    "model.shop.customers": model("customers", ["model.shop.orders", "model.shop.between"]),
    // They depend on each other, which ends all the same.
    "model.shop.between": model("between", ["model.shop.orders", "model.shop.other", "model.shop.ghosts"], {
      config: { materialized: "ephemeral" },
    }),
    "model.shop.other": model("other", ["model.shop.between"], { config: { materialized: "ephemeral" } }),
    "model.shop.orders": model("orders", ["model.shop.ghosts", "macro.shop.x"]),
    "model.shop.ghosts": model("ghosts", []),
  };
  const { lineage } = suiteOf(readProject({ manifest: { ...manifest, nodes } }), destination);
  const [orders, customers] = ["orders", "customers"].map((tableName) => ({ schemaName: "shop", tableName }));
  expect(new Set(lineage?.map((edge) => JSON.stringify(edge)))).toEqual(
    new Set([JSON.stringify({ from: orders, to: customers })]),
  );
});
