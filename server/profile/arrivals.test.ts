import { expect, test } from "vitest";
import { sqlserver } from "../data-sources/dialects/sqlserver.ts";
import { arrivalSql, arrivalsOf } from "./arrivals.ts";

test("gaps are between hours with rows; the hours at both ends are not whole", () => {
  const rows = [
    ["0", "3"],
    ["1", "40"],
    ["9", "7"],
    ["10", "50"],
    ["13", "1"],
  ];
  expect(arrivalsOf(rows)).toEqual({
    ...{ hours: 5, longestGapHours: 8, fewestRows: 7, spanHours: 13, latestHoursAgo: 0 },
  });
  expect(arrivalsOf([["5", "1"]])).toEqual({
    ...{ hours: 1, longestGapHours: null, fewestRows: null, spanHours: 0, latestHoursAgo: 5 },
  });
  expect(arrivalsOf([])).toBeNull();
});

/** No SQL Server is here in every run, so its text is pinned; the others' are run. */
test("on SQL Server it is one statement in its own words", () => {
  const table = { schemaName: "dbo", tableName: "odd]name" };
  expect(arrivalSql(sqlserver, table, "at")).toBe(`select hours_ago, count_big(*) from (
  select floor(datediff_big(millisecond, cast(switchoffset(try_cast([at] as datetimeoffset(7)), '+00:00') as datetime2(7)), sysutcdatetime()) * 0.001 / 3600) as hours_ago from [dbo].[odd]]name]
  where [at] > dateadd(day, -35, sysutcdatetime()) and [at] <= sysutcdatetime()
) as arrived group by hours_ago order by hours_ago`);
});
