import { expect, test } from "vitest";
import { requireReadOnly } from "./gate.ts";

test.each([
  "select 1",
  "(select 1) union all (select 2);",
  "with a as (select 1) select * from a",
  "select settings, format from t -- ; drop",
  "select format('{}', 1), 'a;b', `x;y`, \"settings readonly\"",
  "select * from t settings final = 1, join_use_nulls = 0",
  "select $tag$ settings readonly = 0; $tag$",
  "select * from t final prewhere a = 1 limit 1 by b",
])("%s is allowed", (sql) => {
  expect(() => requireReadOnly(sql)).not.toThrow();
});

test.each([
  ["", "empty"],
  ["insert into t select 1", "Only read statements"],
  ["select 1; select 2", "Only one statement"],
  ["explain select 1", "Only read statements"],
  ["select 1 into outfile 'x'", "INTO OUTFILE"],
  ["select 1 format JSON", "FORMAT"],
  ["select 1 settings readonly = 0", "The setting readonly"],
  ["select 1 settings final = 1, max_execution_time = 0", "The setting max_execution_time"],
  ["select * from (select 1 settings `max_result_rows` = 0) as t", "The setting max_result_rows"],
  ["select 'a\\' settings readonly = 1", "not finished"],
  ["select ‘a’ settings readonly = 0", "The setting readonly"],
  ["select 1 /* /* */ settings readonly = 0", "The setting readonly"],
])("%s is refused", (sql, message) => {
  expect(() => requireReadOnly(sql)).toThrow(message);
});
