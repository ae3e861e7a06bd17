import { expect, test } from "vitest";
import { postgresql } from "../data-sources/dialects/postgresql.ts";
import { resultsReadBy, withDependencies, withTablesFor } from "./step-results.ts";

test.each([
  ["select * from @@result2 join @@result1 using (id) where exists (select from @@result2)", [2, 1]],
  ["select * from @@RESULT1", [1]],
  ["select '@@result1', \"@@result2\" /* @@result3 */ -- @@result4", []],
  ["select @@resultset, @@result, x@@result1, @@result1x, @@@result1", []],
  ["select (@@result10.a), @@result0.b", [10, 0]],
  ["select 'it''s' from @@result1", [1]],
])("%s reads %j", (sql, numbers) => {
  expect(resultsReadBy(sql, postgresql)).toEqual(numbers);
});

test("a result becomes a table wherever it is read, and nothing else changes", () => {
  const sql =
    "select @@RESULT1.a, '@@result1' from @@result1 join @@result02 -- @@result1\n where x@@result1";
  expect(withTablesFor(sql, postgresql, (number) => `"t${number}"`)).toBe(
    'select "t1".a, \'@@result1\' from "t1" join "t2" -- @@result1\n where x@@result1',
  );
});

test("a step needs the steps whose results it reads, and their dependencies", () => {
  const steps = [
    { order: 1, dataSourceId: 7, sql: "select 1" },
    { order: 2, dataSourceId: 7, sql: "select 2" },
    { order: 3, sql: "select * from @@result1" },
    { order: 4, dataSourceId: 7, sql: "select 4" },
    { order: 5, sql: "select * from @@result3, @@result4" },
  ];
  const needed = (order: number) => withDependencies(steps, order, postgresql).map((step) => step.order);
  expect([1, 2, 3, 4, 5, 6].map(needed)).toEqual([[1], [2], [1, 3], [4], [1, 3, 4, 5], []]);
});
