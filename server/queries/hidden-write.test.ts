import { expect, test } from "vitest";
import { postgresql } from "../data-sources/dialects/postgresql.ts";
import { hiddenWrite } from "./hidden-write.ts";

test.each([
  "with gone as (delete from t returning *) select * from gone",
  "with gone as materialized (\n DELETE\nFROM t) select 1",
  "with new as (insert into t values (1) returning *) select * from new",
  'with a as (update only "my" . "t" as x set n = 1 returning *) select * from a',
  "with a as (with b as (select 1) update t set n = 1 returning *) select * from a",
  "with a as (merge into t using s on true when matched then delete) select 1",
  "with a as (merge t using s on true when matched then delete returning *) select 1",
  "select * into copied from t",
  "select * /* a comment */ into temp copied from t",
])("finds a write: %s", (sql) => {
  expect(hiddenWrite(sql, postgresql)).toContain("Only read statements are allowed");
});

test.each([
  "select * from t for update",
  "select * from t for no key update of t",
  "select 1 from t for  share",
])("finds a lock: %s", (sql) => {
  expect(hiddenWrite(sql, postgresql)).toContain("lock");
});

test.each([
  "select update, delete, merge from t",
  "select (update) from t where (delete) > 1",
  "select 1 as into",
  "select 'insert into t', $$delete from t$$, \"for update\" -- into",
  "select intox, delete_from, x.into_y from t",
])("accepts a read: %s", (sql) => {
  expect(hiddenWrite(sql, postgresql)).toBeNull();
});
