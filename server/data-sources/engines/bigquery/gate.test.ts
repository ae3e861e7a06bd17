import { describe, expect, test } from "vitest";
import { rejectCalls } from "./functions.ts";
import { requireReadOnly } from "./gate.ts";

describe("one statement that reads passes", () => {
  test.each([
    "select 1",
    "SELECT 1;",
    "(select 1) union all (select 2)",
    "with t as (select 1 as n) select n from t;;",
    "-- note\n# note\n/* note */ select ';' as a, \"; drop table x\" as b",
    "select '''it's; \" fine''' as a, \"\"\"; '\"\"\" as b",
    String.raw`select r'\'; drop' as a, rb"\"; drop" as b, B'\'; drop' as c`,
    "select `a;b` from `my-project.shop.orders`",
    "select '' as a, \"\" as b",
  ])("%s", (sql) => expect(() => requireReadOnly(sql)).not.toThrow());
});

describe("everything else is refused", () => {
  test.each([
    ["", "The statement is empty"],
    ["-- nothing", "The statement is empty"],
    ["select 1; select 2", "Only one statement is allowed"],
    ["select 1; drop table shop.orders", "Only one statement is allowed"],
    ["insert into shop.orders values (1)", "Only read statements are allowed: SELECT or WITH"],
    ["begin select 1; end", "Only one statement is allowed"],
    ["declare x int64", "Only read statements are allowed: SELECT or WITH"],
    ["execute immediate 'drop table x'", "Only read statements are allowed: SELECT or WITH"],
    ["call shop.wipe()", "Only read statements are allowed: SELECT or WITH"],
    [
      "export data options (uri = 'gs://x/*') as select 1",
      "Only read statements are allowed: SELECT or WITH",
    ],
    ["create table x as select 1", "Only read statements are allowed: SELECT or WITH"],
    ["from shop.orders |> select id", "Only read statements are allowed: SELECT or WITH"],
    ["assert (select true)", "Only read statements are allowed: SELECT or WITH"],
    // What seems to be inside of a string, for who reads the quotes in another way, is not.
    ["select '''a'''; drop table x --'''", "Only one statement is allowed"],
    ["select 'a''b'; drop table x --'", "Only one statement is allowed"],
    [String.raw`select r'\\'; drop table x --'`, "Only one statement is allowed"],
    ["select 1 -- note\r; drop table x", "Only one statement is allowed"],
    ["select 1 /* /* */; drop table x --*/", "Only one statement is allowed"],
    ["select `a``b`; drop table x --`", "Only one statement is allowed"],
    ["select 'not finished", "A string is not finished"],
    ["select '''not finished'", "A string is not finished"],
    ["select `not finished", "A name is not finished"],
    ["select 1 /* not finished", "A comment is not finished"],
    ["select '\u0000'", "The statement contains a NUL character"],
  ])("%s", (sql, message) => {
    expect(() => requireReadOnly(sql)).toThrow(
      expect.objectContaining({ name: "SourceError", kind: "refused", message }),
    );
  });
});

describe("functions", () => {
  test.each([
    "select count(*), upper(t.name), countif(t.n in (1, 2)) from shop.orders as t",
    "select safe.parse_date('%F', d), net.host(u), hll_count.merge(h), safe.net.host(u) from shop.t",
    "select * from unnest(generate_array(1, 3)) as n join shop.t using (n)",
    "select cast(a as struct<x int64>), array(select 1), (select max(t.at) from shop.t as t) over (partition by t.id)",
    "select * from shop.orders tablesample system (1 percent)",
    "select `count`(*) from `my-project.shop.orders` for system_time as of current_timestamp()",
    "select 'shop.wipe(1)', \"external_query(x)\" -- ml.predict()",
  ])("of BigQuery are allowed: %s", (sql) => expect(() => rejectCalls(sql)).not.toThrow());

  test.each([
    ["select shop.tax(1)", "shop.tax"],
    ["select `shop`.`tax`(1)", "shop.tax"],
    ["select `my-project.shop.tax`(1)", "shop.tax"],
    ["select `my-project`.shop . tax /* note */ (1)", "shop.tax"],
    ["select * from shop.all_orders(1)", "shop.all_orders"],
    ["select * from external_query('us.crm', 'select 1')", "external_query"],
    ["select * from `EXTERNAL_QUERY`('us.crm', 'select 1')", "external_query"],
    [
      "select * from EXTERNAL_OBJECT_TRANSFORM(table shop.files, ['SIGNED_URL'])",
      "external_object_transform",
    ],
    ["select * from ml.predict(model shop.m, table shop.t)", "ml.predict"],
    ["select ai.generate('hello')", "ai.generate"],
    ["select safe.shop.tax(1)", "shop.tax"],
  ])("that a team has defined, or that reach outside, are refused: %s", (sql, name) => {
    expect(() => rejectCalls(sql)).toThrow(
      expect.objectContaining({
        kind: "refused",
        message: `The function ${name} is not allowed; an Admin can allow it on the data source`,
      }),
    );
    expect(() => rejectCalls(sql, [name])).not.toThrow();
  });

  test("ways around a name are refused", () => {
    expect(() => rejectCalls("select `external\\x5fquery`('us.crm', 'select 1')")).toThrow(
      /Escapes in names/,
    );
    expect(() => rejectCalls("select (1).(shop.tax)()")).toThrow(/must not be called as/);
  });
});
