import { expect, test } from "vitest";
import { requireReadOnly } from "./gate.ts";

test.each([
  "select 1",
  "SELECT 1;",
  "  ;select 1".slice(3),
  "select 1 ; -- done\n /* really */ ;",
  "-- first\n/* then /* nested */ */ with a as (select 1) select * from a",
  "values (1), (2)",
  "table flights",
  "(select 1) union all (select 2)",
  "select ';' , E'it\\'s; here', $$ ; delete $$, $q$ $$ ; $q$, \"a;b\", 1e5, $1",
  "select 'it''s', U&'\\0061;', b'01', e'\\\\', 'a' -- ;\n",
  "select 1 as select_into from delete_log",
])("lets %j through", (sql) => {
  expect(() => requireReadOnly(sql)).not.toThrow();
});

const readsOnly = "Only read statements are allowed: SELECT, WITH, VALUES, or TABLE";
const onlyOne = "Only one statement is allowed";

test.each([
  ["", "The statement is empty"],
  ["  -- nothing\n", "The statement is empty"],
  [";", "The statement is empty"],
  ["delete from flights", readsOnly],
  ["insert into flights values (1)", readsOnly],
  ["copy flights to program 'rm'", readsOnly],
  ["explain analyze delete from flights", readsOnly],
  ["set statement_timeout = 0", readsOnly],
  ["do $$ begin end $$", readsOnly],
  ["call wipe()", readsOnly],
  ["begin", readsOnly],
  ["/* select */ drop table flights", readsOnly],
  ["'select'", readsOnly],
  ['"select" 1', readsOnly],
  ["COMMIT; DELETE FROM flights", readsOnly],
  ["select 1; delete from flights", onlyOne],
  ["select 1;;select 2", onlyOne],
  ["select 'a\\'; delete from flights --'", onlyOne],
  ["select $a$ $b$ $a$; delete from flights", onlyOne],
  ["select 1 /* ; */; delete from flights", onlyOne],
  ["select 'never ends", "A string is not finished"],
  ["select $$ never ends", "A string is not finished"],
  ['select "never ends', "A name is not finished"],
  ["select 1 /* /* never */ ends", "A comment is not finished"],
  ["select 1\u0000; delete", "The statement contains a NUL character"],
  ["select U&\"dblink\\005fexec\"('')", 'Names with Unicode escapes (U&"…") are not allowed'],
  ["select E'a'\n'b\\'' || nextval('s') --'", "A string with escapes must not continue after a line break"],
])("refuses %j", (sql, message) => {
  expect(() => requireReadOnly(sql)).toThrow(
    expect.objectContaining({ name: "SourceError", kind: "refused", message }),
  );
});
