import { expect, test } from "vitest";
import { resultsReadBy } from "./step-results.ts";

test.each([
  ["select * from @@result2 join @@result1 using (id) where exists (select from @@result2)", [2, 1]],
  ["select * from @@RESULT1", [1]],
  ["select '@@result1', \"@@result2\" /* @@result3 */ -- @@result4", []],
  ["select @@resultset, @@result, x@@result1, @@result1x, @@@result1", []],
  ["select (@@result10.a), @@result0.b", [10, 0]],
  ["select 'it''s' from @@result1", [1]],
])("%s reads %j", (sql, numbers) => {
  expect(resultsReadBy(sql, "postgresql")).toEqual(numbers);
});
