import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { postgresql } from "../../data-sources/dialects/postgresql.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { compileRule } from "../compile.ts";
import type { RuleType } from "../rules/rules.ts";
import { measureRules } from "./measure-rules.ts";

/** Statements are chosen by the types of columns as last read; verdicts are the same without, and after they changed. */

let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  await sql`create schema typed`;
});
beforeEach(async () => {
  await sql`drop table if exists typed.t`;
  await sql`create table typed.t (i integer, b bigint, n numeric(10, 2), r real, d double precision, x text)`;
  await sql`insert into typed.t
    select k, 9007199254740993 + k, k + 0.05, k + 0.1, k + 0.3, 'a' || k from generate_series(1, 20) as k
    union all select null, null, 'NaN', 'NaN', 'Infinity', null`;
  source = await aDataSource();
});
afterAll(closeSources);

const rule = (type: RuleType, configuration: Record<string, unknown>) => ({ type, configuration });
const range = (column: string, min?: string, max?: string) =>
  rule("Range", { column, ...(min !== undefined && { min }), ...(max !== undefined && { max }) });
const unique = (column: string) => rule("Uniqueness", { column });
const all = [
  ...[range("i", "1", "20"), range("i", "2"), range("i", undefined, "19.5"), range("i", "0.5", "1e1")],
  ...[range("i", "-99999999999999999999", "99999999999999999999")],
  ...[range("b", "9007199254740994", "9007199254741013"), range("b", "9007199254740995")],
  ...[range("n", "1.05", "20.05"), range("n", "1.06"), range("r", "1.1", "20.1"), range("r", "1.11")],
  ...[range("d", "1.3", "20.3"), range("d", undefined, "5")],
  ...["i", "b", "n", "r", "d", "x"].map(unique),
  rule("Pattern", { column: "x", pattern: "^a1" }),
];

async function verdicts() {
  const measured = await measureRules(
    { dataSourceId: source.id, schemaName: "typed", tableName: "t", rules: all },
    async () => {},
  );
  return measured.map(({ verdict: { passed, actualValue, message } }) => ({ passed, actualValue, message }));
}

test("verdicts with known types are those without", async () => {
  // The schema was never read, so nothing is known.
  const without = await verdicts();
  await refreshSchema(await asAdmin(), source.id);
  const known = await verdicts();
  expect(known).toEqual(without);
  // Worked out by hand: 20 rows from 1 to 20, so 19 of them are at least 2; NaN exceeds every bound.
  expect(known.slice(0, 2).map(({ passed }) => passed)).toEqual([true, false]);
  expect(known[5]?.passed).toBe(true);
  expect(known[6]?.passed).toBe(false);
  expect(known.slice(-7, -1).every(({ passed }) => passed)).toBe(true);
  await sql`insert into typed.t (i, b, n, r, d) values (7, 9007199254740993 + 7, 7.05, 7.1, 7.3), (7, null, null, null, null)`;
  const repeated = (await verdicts()).slice(-7, -1);
  expect(repeated.map(({ passed }) => passed)).toEqual([false, false, false, false, false, true]);
  expect(repeated[0]?.actualValue).toMatch(/^1 /);
});

test("a column whose type has changed since is measured all the same", async () => {
  await refreshSchema(await asAdmin(), source.id);
  await sql`alter table typed.t alter column i type text using i::text, alter column b type numeric, alter column n type real`;
  const known = await verdicts();
  const other = await aDataSource();
  source = other;
  expect(known).toEqual(await verdicts());
});

test("whole numbers are compared as such, and only repeated values are grouped", () => {
  const target = {
    schemaName: "typed",
    tableName: "t",
    columnTypes: new Map([
      ["i", "integer"],
      ["n", "numeric(10,2)"],
      ["x", "text"],
    ]),
  };
  const text = (asked: (typeof all)[number]) => compileRule(asked, target, postgresql).statement.sql;
  expect(text(range("i", "1", "20"))).toContain('"i" < $1::text::bigint');
  expect(text(range("i", "0.5"))).toContain('"i" < $1::text::numeric');
  expect(text(range("i", "99999999999999999999"))).toContain("::text::numeric");
  expect(text(range("n", "1"))).toContain('"n" < $1::text::numeric');
  // Without NULLs, which are not compared, and would be sorted.
  expect(text(unique("i"))).toMatch(
    /count\(distinct checked\."i"\) from .* where checked\."i" is not null\)/,
  );
  expect(text(unique("x"))).not.toContain("count(distinct");
});
