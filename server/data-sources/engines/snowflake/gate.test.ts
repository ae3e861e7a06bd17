import { expect, test } from "vitest";
import { snowflake } from "../../dialects/snowflake.ts";
import { FunctionRules } from "./functions.ts";
import { requireReadOnly } from "./gate.ts";

test.each([
  "select 1",
  "SELECT 1;",
  "with a as (select 1 as x) select x from a",
  "(select 1) union all (select 2)",
  "select 'a;b' -- ; delete\n, 2",
  "select 1 // ; delete from t\n, 2",
  "select /* ; delete */ 1",
  "select $$ it's; delete from t $$ as x",
  `select "select; into" from t`,
  String.raw`select 'it\'s; delete' as x`,
  "select payload:customer.name::varchar from t",
  "select f.value from t, lateral flatten(input => t.items) as f",
  "select filter(a, x -> x > 1) from t",
  'select id as "INTO" from t',
])("%s is allowed", (sql) => {
  expect(() => requireReadOnly(sql)).not.toThrow();
});

test.each([
  ["", "empty"],
  ["-- select 1", "empty"],
  ["select 1; select 2", "Only one statement"],
  ["select 1; -- x\n drop table t", "Only one statement"],
  ["insert into t select 1", "Only read"],
  ["delete from t", "Only read"],
  ["merge into t using u on 1 = 1 when matched then delete", "Only read"],
  ["call system$wait(60)", "Only read"],
  ["execute immediate 'delete from t'", "Only read"],
  ["begin delete from t; end", "Only one statement|Only read"],
  ["declare x int; begin select 1; end", "Only one statement|Only read"],
  ["show tables ->> select * from $1", "Only read"],
  ["select 1 ->> insert into t select * from $1", "->> is not allowed"],
  ["select 1 as x\n->>\ndelete from t", "->> is not allowed"],
  ["use role accountadmin", "Only read"],
  ["set x = 1", "Only read"],
  ["copy into @stage from t", "Only read"],
  ["select $1 from @stage/file.csv", "Stages"],
  ["select $1 from @~/file.csv", "Stages"],
  ["select seq.nextval from dual", "NEXTVAL"],
  ['select seq."NEXTVAL"', "NEXTVAL"],
  ["select id into :x from t", "INTO"],
  ["select * from t for update", "FOR UPDATE"],
  ["select 'unfinished", "not finished"],
  ["select $$ unfinished", "not finished"],
  ["select 1 /* unfinished", "not finished"],
  // The backslash keeps the string open, so what follows is a part of it and then unfinished.
  [String.raw`select 'a\'; delete from t`, "not finished"],
  // A line that may end for the server and not for this scanner.
  ["select 1 -- a\rdelete from t", "ordinary line break"],
  ["select 1 // a\u2028delete from t", "ordinary line break"],
  ["select \u0000 1", "NUL"],
])("%j is refused: %s", (sql, message) => {
  expect(() => requireReadOnly(sql)).toThrow(new RegExp(message.replace("->>", "->>")));
});

test("built-in functions may be called; what reaches beyond them may not, unless an Admin allows it", () => {
  const rules = new FunctionRules(["mask_email", "util.parse_it"]);
  for (const sql of [
    "select count(*), sum(x), COALESCE(a, 'b'), try_cast(x as int), cast(x as number(38, 2)) from t",
    "select x from t where y in (1, 2) and exists (select 1) qualify row_number() over (order by x) = 1",
    "with recursive c (n) as (select 1 union all select n + 1 from c) select n from c",
    "with a as (select 1), b (n) as (select 2) select n from b",
    "select mask_email(e), Util.Parse_It(e) from t",
    "select * from table(flatten(input => parse_json('[1]')))",
    "select * from t sample system (10) seed (1)",
  ])
    expect(() => rules.requireSafe(sql), sql).not.toThrow();
  for (const [sql, name] of [
    ["select system$cancel_query('x')", "system$cancel_query"],
    ["select snowflake.cortex.complete('model', x) from t", "cortex.complete"],
    ["select ai_complete('model', x) from t", "ai_complete"],
    ["select shop.public.send(x) from t", "public.send"],
    ['select "SEND"(x) from t', "send"],
    ["select * from table(write_rows())", "write_rows"],
    ["select get_presigned_url('s', 'x')", "get_presigned_url"],
    ["select * from table(result_scan(last_query_id()))", "result_scan"],
    ["select other.parse_it(x)", "other.parse_it"],
  ] as const)
    expect(() => rules.requireSafe(sql), sql).toThrow(`The function ${name} is not allowed`);
});

test.each(["it's", "back\\slash", "a \\' b", "$$", "\\", "'"])("a literal of %j is one string", (text) => {
  const sql = `select ${snowflake.literal(text)} as x`;
  expect(() => requireReadOnly(sql)).not.toThrow();
  // What follows is outside of it.
  expect(() => requireReadOnly(`${sql}; delete from t`)).toThrow("Only one statement");
});

test("a name cannot leave its quotes", () => {
  expect(snowflake.quote('a"; delete from t; --')).toBe('"a""; delete from t; --"');
  expect(() => requireReadOnly(`select * from ${snowflake.quote('a"; delete from t; --')}`)).not.toThrow();
});
