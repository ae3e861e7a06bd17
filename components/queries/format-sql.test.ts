import { expect, test } from "vitest";
import { CannotFormat } from "./cannot-format.ts";
import { formattedSql } from "./format-sql.ts";

test("one clause per line; parameters and casts stay as they are", () => {
  expect(formattedSql("select id,amount from orders where at>={{since}}::date -- mine", "postgresql")).toBe(
    "select\n  id,\n  amount\nfrom\n  orders\nwhere\n  at >= {{since}}::date -- mine",
  );
});

test("results of earlier steps, and each engine's quotes", () => {
  expect(formattedSql("select * from @@result1 a join @@result2 b using (id)", "duckdb")).toContain(
    "@@result1 a",
  );
  expect(formattedSql("select `a b` from t where x <=> {{ n }}", "mysql")).toContain("`a b`");
  expect(formattedSql("select top 5 [a b] from [t]", "sqlserver")).toContain("[a b]");
  expect(formattedSql("select a->>'x', $$ it's $$ from t", "postgresql")).toContain("a ->> 'x'");
});

test("formatting twice changes nothing more", () => {
  const once = formattedSql(
    "with a as (select 1 as x) select case when x=1 then 'a' end from a",
    "postgresql",
  );
  expect(formattedSql(once, "postgresql")).toBe(once);
});

test("what cannot be formatted stays as it is, with a reason", () => {
  expect(() => formattedSql("select (", "postgresql")).toThrow(CannotFormat);
  expect(() => formattedSql("select 'open", "postgresql")).toThrow(CannotFormat);
  expect(() => formattedSql(`select ${"1,".repeat(20_000)}1`, "postgresql")).toThrow("30,000 characters");
});

test("the longest text is formatted in reasonable time", () => {
  const sql = `select ${"sum(case when a = 1 then b else 0 end) as x, ".repeat(600)} 1 from t`;
  const startedAt = performance.now();
  formattedSql(sql, "postgresql");
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
