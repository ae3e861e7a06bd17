import { expect, test } from "vitest";
import { FunctionRules } from "./functions.ts";
import { requireReadOnly } from "./gate.ts";

test.each([
  "select 1",
  "(select 1) union all (select 2);",
  "with a as (select 1) select * from a",
  'with "session" as (select 1) select * from "session"',
  "select session, function from t -- ; drop",
  "select 'a;b', \"with session\" from t /* ; */ where x = 'it''s; '",
  "select * from t -- a\rwhere b = 1",
  "select 1.5e0 as x, 0xFF, 1_000 from t for version as of 7",
])("%s is allowed", (sql) => {
  expect(() => requireReadOnly(sql)).not.toThrow();
});

test.each([
  ["", "empty"],
  ["-- only a comment", "empty"],
  ["insert into t select 1", "Only read statements"],
  ["merge into t using s on true when matched then delete", "Only read statements"],
  ["explain analyze delete from t", "Only read statements"],
  ["execute immediate 'drop table t'", "Only read statements"],
  ["call system.sync_partition_metadata('a', 'b', 'FULL')", "Only read statements"],
  ["set session query_max_run_time = '10h'", "Only read statements"],
  ["table t", "Only read statements"],
  ["select 1; select 2", "Only one statement"],
  ["select 1;;drop table t", "Only one statement"],
  ["with session query_max_run_time = '10h' select 1", "WITH SESSION"],
  ["WITH /* */ Session hive.x = 1 select 1", "WITH SESSION"],
  ["with function f() returns bigint return 1 select f()", "WITH FUNCTION"],
  ["select 'a\\'; drop table t --'", "Only one statement"],
  ["select 'a''; drop table t --", "not finished"],
  ["select 1 /* /* */ ; drop table t */", "Only one statement"],
  ["select 1 -- a\r; drop table t", "Only one statement"],
  ["select 1from t", "must not run into a word"],
  ["select `a;b`", "Only one statement"],
  ["select 1\u0000", "NUL"],
])("%s is refused", (sql, message) => {
  expect(() => requireReadOnly(sql)).toThrow(message);
});

const rules = new FunctionRules(["shop.fee", "rows_of"]);

test.each([
  'select count(*), lower(a), "substr"(a, 1) from s.t tablesample bernoulli (10)',
  "select s.t.a in (1, 2) from s.t as u (a) join s.v using (a)",
  "select * from table(sequence(1, 3)), unnest(array[1]), json_table('{}', '$' columns (a bigint path '$.a'))",
  "select shop.fee(1), lake.shop.fee(2) from table(rows_of(1))",
  "select sum(a) filter (where b) over (partition by c) from s.t",
])("the functions of %s are allowed", (sql) => {
  expect(() => rules.requireSafe(sql)).not.toThrow();
});

test.each([
  ["select * from table(pg.system.query(query => 'drop table t'))", "system.query"],
  ['select * from table ( "pg" . "system" . "query" (query => \'x\'))', "system.query"],
  ["select ai.ai.ai_gen('x')", "ai.ai_gen"],
  ["select lake.other.fee(1)", "other.fee"],
  ["select * from table(/* */ monkey(1))", "monkey"],
  ["select a.b(c) from t", "a.b"],
])("%s is refused", (sql, name) => {
  expect(() => rules.requireSafe(sql)).toThrow(`The function ${name} is not allowed`);
});
