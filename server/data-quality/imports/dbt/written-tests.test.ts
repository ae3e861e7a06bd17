import { describe, expect, test } from "vitest";
import { postgresql } from "../../../data-sources/dialects/postgresql.ts";
import { aDbtTest, aManifest } from "../../../test/factories/dbt.ts";
import { readProject } from "./manifest.ts";
import { suiteOf } from "./suite-of.ts";
import { type Macro, writtenTest } from "./written-tests.ts";

const destination = {
  ...{ dialect: postgresql, defaultSchema: "public" },
  find: (schemaName: string, tableName: string) => ({ schemaName, tableName, columns: ["id", "amount"] }),
};
const macro = (sql: string, name = "test_x"): Macro => ({ name, package: "shop", sql });
const written = (sql: string, given: Record<string, unknown> = {}, more: Macro[] = []) =>
  writtenTest(macro(sql), {
    arguments: new Map(Object.entries({ model: "shop.orders", column_name: "amount", ...given })),
    macroOf: (name) => more.find((each) => each.name === name) ?? null,
    tableOf: (text) => (text.includes("customers") ? "shop.customers" : null),
  });

describe("the macro of a test", () => {
  test.each([
    [
      "{% test x(model, column_name) %}\nselect * from {{ model }} where {{ column_name }} < 0\n{% endtest %}",
      "select * from shop.orders where amount < 0",
    ],
    [
      "{# of ours #}{%- macro test_x(model, most=5) -%} select 1 from {{model}} having count(*) > {{ most }} {%- endmacro -%}",
      "select 1 from shop.orders having count(*) > 5",
    ],
    [
      "{% test x(model) %}{% set c = kwargs.get('column_name', kwargs.get('arg')) %}{% set m = kwargs.get('at_most', 1) %}select {{ c }}, {{ m }}{% endtest %}",
      "select amount, 1",
    ],
    [
      "{% test x(model) %}select * from {{ model }} where id not in (select id from {{ ref('customers') }}){% endtest %}",
      "select * from shop.orders where id not in (select id from shop.customers)",
    ],
  ])("%s", (sql, expected) => {
    expect(written(sql)).toBe(expected);
  });

  test("may be dispatched to its default", () => {
    const outer =
      "{% macro test_x(model, by = []) %}\n  {{ return(adapter.dispatch('test_x', 'dbt_utils')(model, by, **kwargs)) }}\n{% endmacro %}";
    const inner = macro(
      "{% macro default__test_x(model, by) %}\n\n{% set least = kwargs.get('at_least') %}\nselect 1 from {{ model }} where 0.5 < {{ least }}\n{% endmacro %}",
      "default__test_x",
    );
    expect(written(outer, { at_least: 0.9 }, [inner])).toBe("select 1 from shop.orders where 0.5 < 0.9");
    expect(written(outer, { at_least: 0.9 })).toBeNull();
  });

  test.each([
    "{% test x(model) %}{% if model %}select 1{% endif %}{% endtest %}",
    "{% test x(model) %}select {{ dbt_utils.star(model) }}{% endtest %}",
    "{% test x(model) %}select {{ unheard_of }}{% endtest %}",
    "{% test x(model) %}select {{ kwargs.get('missing') }}{% endtest %}",
    "{% test x(model, columns=['a']) %}select 1{% endtest %}",
    "{% test x(model) %}{% for c in [1, 2] %}{{ c }}{% endfor %}{% endtest %}",
    "{% test x(model) %}select {{ column_name | upper }}{% endtest %}",
    "{% set a = 1 %}{% test x(model) %}select 1{% endtest %}",
    "select 1",
    "{% test x(model) %}{% endtest %}",
  ])("%s is left to dbt", (sql) => {
    expect(written(sql)).toBeNull();
  });
});

test("becomes Custom SQL, with its condition and its limit, and without what only dbt can tell", () => {
  const test = (name: string, macros: string[], more: object = {}) =>
    aDbtTest(name, {
      ...{ column: "amount", kwargs: { model: "{{ ref('orders') }}", least: 2 }, ...more },
      more: { depends_on: { nodes: ["model.shop.orders"], macros } },
    });
  const manifest = {
    ...aManifest({
      tests: {
        "test.shop.a": test("positive", ["macro.dbt.get_where_subquery", "macro.shop.test_positive"], {
          config: { where: "id > 3", error_if: ">10" },
        }),
        "test.shop.b": test("clever", ["macro.shop.test_clever"]),
      },
    }),
    macros: {
      "macro.shop.test_positive": {
        ...{ name: "test_positive", package_name: "shop" },
        macro_sql:
          "{% test positive(model, column_name, least) %} select * from {{ model }} where {{ column_name }} < {{ least }} {% endtest %}",
      },
      "macro.shop.test_clever": {
        ...{ name: "test_clever", package_name: "shop" },
        macro_sql: "{% test clever(model) %}{% do something() %}select 1{% endtest %}",
      },
    },
  };
  const { tables, notCarried } = suiteOf(readProject({ manifest }), destination);
  const [rule, ...others] = tables.flatMap((table) => table.rules);
  expect(others).toEqual([]);
  expect(rule).toMatchObject({ type: "CustomSql", family: "shop.positive" });
  expect(String(rule?.configuration.sql)).toContain(
    'select * from (select * from "shop"."orders" where (\nid > 3\n)) dbt_subquery where amount < 2',
  );
  expect(notCarried).toEqual([
    expect.objectContaining({ family: "shop.clever", reason: expect.stringContaining("dbt compile") }),
  ]);
});
