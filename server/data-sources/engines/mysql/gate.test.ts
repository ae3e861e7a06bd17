import { expect, test } from "vitest";
import { requireReadOnly } from "./gate.ts";

test.each([
  "select 1",
  "SELECT 1;",
  " select 1 ; -- done\n /* really */ ; # and this",
  "-- first\n/* then /* not nested */ with a as (select 1) select * from a",
  "values (1), (2)",
  "table flights",
  "((select 1)) union all (select 2)",
  "select ';', 'it\\'s; here', \"; delete\", 'it''s', \"say \"\"hi\"\"\", `a;b```, 5--3, 1e5, x'00', _utf8mb4'x', @a, @@version",
  "select '\\\\', 'a' -- ;\n",
  "select sleep(1), benchmark(1, 1), replace('a', 'b', 'c'), insert('abc', 1, 1, 'x'), 'load_file('",
  "select `into`, `update`, `delete` from deletions where updated_at > 1",
  "select substring('abc' from 1 for 2), extract(year from now()) from t use index for join (a)",
  "select /*+ NO_INDEX_MERGE(t) */ 1",
  "select n from t for system_time all",
  "select 1 --\tcomment; delete\n",
  "select 1--",
])("lets %j through", (sql) => {
  expect(() => requireReadOnly(sql)).not.toThrow();
});

const readsOnly = "Only read statements are allowed: SELECT, WITH, VALUES, or TABLE";
const onlyOne = "Only one statement is allowed";
const runsAsCode = "Comments that run as code (/*! … */) are not allowed";
const nowhere = "INTO is not allowed: results cannot be written elsewhere";

test.each([
  ["", "The statement is empty"],
  ["  # nothing", "The statement is empty"],
  [";", "The statement is empty"],
  ["delete from flights", readsOnly],
  ["insert into flights values (1)", readsOnly],
  ["replace into flights values (1)", readsOnly],
  ["explain analyze delete from flights", readsOnly],
  ["set session transaction read write", readsOnly],
  ["set statement max_statement_time = 0 for select 1", readsOnly],
  ["call wipe()", readsOnly],
  ["handler flights open", readsOnly],
  ["lock tables flights write", readsOnly],
  ["load data local infile 'x' into table t", readsOnly],
  ["'select'", readsOnly],
  ["`select` 1", readsOnly],
  ["COMMIT; DELETE FROM flights", readsOnly],
  ["select 1; delete from flights", onlyOne],
  ["select 'a\\\\'; delete from flights -- '", onlyOne],
  ['select "a"""; delete from flights', onlyOne],
  ["select `a\\`; delete from flights", onlyOne],
  ["select 1 /* ; */; delete from flights", onlyOne],
  ["select 1 /* /* */; delete from flights -- */", onlyOne],
  ["select 1--\n; delete from flights", onlyOne],
  // Only a line feed ends a comment, so the quote is part of it.
  ["select 1 # \r '\n; delete from flights -- '", onlyOne],
  // Without a space it is not a comment but two minus signs.
  ["select 1--1; delete from flights", onlyOne],
  ["select 'never ends", "A string is not finished"],
  ["select 'a\\'", "A string is not finished"],
  ['select "never ends', "A string is not finished"],
  ["select `never ends", "A name is not finished"],
  ["select 1 /* never ends", "A comment is not finished"],
  ["select 1\u0000; delete", "The statement contains a NUL character"],
  ["select /*!50000 1 */ from t", runsAsCode],
  ["select /*M! 1 */ from t", runsAsCode],
  ["/*!delete from flights*/", runsAsCode],
  ["select /*+ SET_VAR(max_execution_time = 0) */ 1", "Hints that change settings are not allowed"],
  ["select /*+ MAX_EXECUTION_TIME(0) */ 1", "Hints that change settings are not allowed"],
  ["select * from t into outfile '/tmp/x'", nowhere],
  ["select 1 INTO/**/DUMPFILE '/tmp/x'", nowhere],
  ["select 1.into @a", nowhere],
  ["with a as (select 1) update flights set n = 1", "Only reading is allowed: no UPDATE or FOR UPDATE"],
  ["select * from t for update", "Only reading is allowed: no UPDATE or FOR UPDATE"],
  ["with a as (select 1) delete from flights", "Only reading is allowed: no DELETE"],
  ["select * from t for share", "Only reading is allowed: no row locks"],
  ["select * from t lock in share mode", "Only reading is allowed: no row locks"],
  ["select next value for numbers", "Sequences are not allowed"],
])("refuses %j", (sql, message) => {
  expect(() => requireReadOnly(sql)).toThrow(
    expect.objectContaining({ name: "SourceError", kind: "refused", message }),
  );
});
