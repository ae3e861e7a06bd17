import { describe, expect, test } from "vitest";
import type { DialectName } from "../data-sources/dialects/dialect.ts";
import { dialects } from "../data-sources/dialects/dialects.ts";
import { processorTimeOf } from "../test/processor-time.ts";
import { bindParameters } from "./placeholders.ts";

const { postgresql, mysql, sqlserver } = dialects;

test("each placeholder becomes the engine's own, in text order, repeated ones included", () => {
  const sql = "select {{a}}, {{ b }}, {{a}}";
  const given = { a: 1, b: "x' or 1=1 --" };
  expect(bindParameters(sql, given, postgresql)).toEqual({
    sql: "select $1, $2, $3",
    parameters: [1, "x' or 1=1 --", 1],
  });
  expect(bindParameters(sql, given, mysql).sql).toBe("select ?, ?, ?");
  expect(bindParameters(sql, given, sqlserver).sql).toBe("select @p1, @p2, @p3");
});

test.each([
  [
    "postgresql",
    "select 'it''s', E'\\' x', \"a\"\"b\", $$ ' $$, $t$ $$ ' $t$, a$b /* ' /* ' */ */, -- '\n {{a}}",
  ],
  ["mysql", "select 'it''s \\' x', \"a\\\"b\", `a``'b`, 5--{{a}} /* ' /* */ # '\n -- '\n"],
  ["sqlserver", "select 'it''s \\', [a]]'b], \"a'\" /* ' /* ' */ */ -- '\n, {{a}}"],
] as [DialectName, string][])("%s: a lookalike of a quote does not hide what follows", (dialect, sql) => {
  const bound = bindParameters(sql, { a: 1 }, dialects[dialect]);
  expect(bound.parameters).toEqual([1]);
  expect(bound.sql).toBe(sql.replace("{{a}}", dialects[dialect].placeholder(1)));
});

describe("a placeholder that cannot be bound is rejected", () => {
  test.each([
    ["postgresql", "select '{{a}}'"],
    ["postgresql", "select E'\\'{{a}}'"],
    ["postgresql", 'select "{{a}}"'],
    ["postgresql", "select $x$ {{ a }} $x$"],
    ["postgresql", "select 1 /* /* */ {{a}} */"],
    ["postgresql", "select 1 -- {{a}}"],
    ["postgresql", "select 'not finished {{a}}"],
    ["mysql", "select '\\'{{a}}'"],
    ["mysql", 'select "{{a}}"'],
    ["mysql", "select `{{a}}`"],
    ["mysql", "select 1 # {{a}}"],
    ["mysql", "select 1 /* {{a}}"],
    ["sqlserver", "select [{{a}}]"],
  ] as [DialectName, string][])("%s: %s", (dialect, sql) => {
    expect(() => bindParameters(sql, { a: 1 }, dialects[dialect])).toThrow(
      /^sql has \{\{ ?a ?\}\} in a string, a quoted name, or a comment: it cannot be bound$/,
    );
  });

  test.each(["select {{a", "select {{a b}}", "select {{1}}", "select {{}}", "select {{a-b}}"])(
    "%s",
    (sql) => {
      expect(() => bindParameters(sql, { a: 1 }, postgresql)).toThrow("write parameters as {{name}}");
    },
  );
});

test("an array in braces is not a placeholder", () => {
  const sql = "select '{{1,2},{3,4}}'::int[]";
  expect(bindParameters(sql, {}, postgresql)).toEqual({ sql, parameters: [] });
});

test("missing and unknown values are each named once", () => {
  const bind = () =>
    bindParameters("select {{a}}, {{a}}, {{toString}}", { b: 1, constructor: 2 }, postgresql);
  expect(bind).toThrow("parameters.a is required by the SQL");
  let errors: unknown;
  try {
    bind();
  } catch (problem) {
    ({ errors } = (problem as { more: { errors: unknown } }).more);
  }
  expect(errors).toEqual([
    { path: "parameters.a", message: "is required by the SQL" },
    { path: "parameters.toString", message: "is required by the SQL" },
    { path: "parameters.b", message: "is not in the SQL" },
    { path: "parameters.constructor", message: "is not in the SQL" },
  ]);
});

test.each([
  ["mysql", "/* ".repeat(33_000)],
  ["postgresql", Array.from({ length: 12_000 }, (_, n) => `$t${n}$ `).join("")],
  ["postgresql", "/* ".repeat(33_000)],
  ["postgresql", "'\"".repeat(50_000)],
] as [DialectName, string][])("%s: a hostile text takes no time (%#)", async (dialect, sql) => {
  expect(await processorTimeOf(() => bindParameters(sql, {}, dialects[dialect]))).toBeLessThan(500);
});
