import { expect, test } from "vitest";
import { callsOf } from "./calls.ts";

const written = ({ schema, name }: { schema: string | null; name: string }) =>
  schema === null ? name : `${schema}.${name}`;
const functionsIn = (sql: string) => callsOf(sql).functions.map(written);
const attributesIn = (sql: string) => callsOf(sql).attributes.map(written);

test.each([
  ["select Wipe()", ["wipe"]],
  ['select "Wipe" ()', ["Wipe"]],
  ["select wipe /* now */ -- really\n ()", ["wipe"]],
  ["select shop . wipe ()", ["shop.wipe"]],
  ['select "db"."my shop"."a""b"(1)', ['my shop.a"b']],
  ["select * from a, wipe(1) as t(n int)", ["wipe"]],
  ["select * from rows from (wipe(1) as (n int), more())", ["wipe", "more"]],
  ["select distinct on (a) wipe(b) from t", ["wipe"]],
  ["select a[wipe(1)] from t tablesample system_rows(5)", ["wipe", "system_rows"]],
  [
    "select count(*) filter (where wipe(a)) over (order by more(b)) from t",
    ["count", "filter", "wipe", "over", "more"],
  ],
  ["select \u212Aill()", ["\u212Aill"]],
  ["select (a).wipe(1)", ["wipe"]],
])("finds the calls in %j", (sql, names) => {
  expect(functionsIn(sql)).toEqual(names);
});

test.each([
  "select 'wipe()', $$ wipe() $$, E'\\'wipe()' -- wipe()",
  "select a from t where a in (1) and exists (select 1) or not (b) and c = any (array[1])",
  "with a (x, y) as (values (1, 2)), recursive_ as materialized_ select 1",
  "with recursive a(x) as (select 1) select * from a as b(y)",
  "select cast(a as varchar(10)), coalesce(a, b), row (1), array(select 1) from (select 1) as t(a)",
  "select a from t join u using (a) group by grouping sets_, (a) having (a) > 1 order by a limit (1) offset (2)",
  "select * from t left join lateral (select 1) as u on (true) union all (select 1)",
])("no calls in %j", (sql) => {
  expect(functionsIn(sql)).toEqual([]);
});

test.each([
  ["select o.wipe from orders o", ["o.wipe"]],
  ['select (o).wipe, (select o limit 1) . "Wipe" from orders o', ["wipe", "Wipe"]],
  ["select shop.orders.wipe, arr[1].wipe, $1.wipe", ["shop.orders", "orders.wipe", "wipe"]],
  ["select 1.5, t.*, 1.e5 from t", []],
])("finds what might call a function of a row in %j", (sql, names) => {
  expect(attributesIn(sql)).toEqual(names);
});

test.each([
  ["select a === b, 1=-1, 2*-3, a!=b, a<>-b", ["===", "=", "*", "<>"]],
  ["select a operator(shop.<=>) b", ["<=>"]],
  ["select a @-, b ~~* c --+ d", ["@-", "~~*"]],
  ["select a*/* no */+b", ["*", "+"]],
  ["select a like b, c ilike d, e similar to f", ["~~", "!~~", "~~*", "!~~*", "~", "!~"]],
])("finds the operators in %j", (sql, operators) => {
  expect([...callsOf(sql).operators].filter((each) => each !== "-")).toEqual(operators);
});
