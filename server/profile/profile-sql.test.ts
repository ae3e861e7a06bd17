import { expect, test } from "vitest";
import type { ColumnKind } from "../data-sources/dialects/dialect.ts";
import { dialects } from "../data-sources/dialects/dialects.ts";
import { profileSql, rowsToRead, spreadOverOf, textSql } from "./profile-sql.ts";

const table = { schemaName: "dbo", tableName: 'odd]`"name' };
const column = (name: string, type: string, kind: ColumnKind) => ({
  ...{ name, type, kind, isNullable: true, isPrimaryKey: false },
});
const { postgresql, mysql, sqlserver } = dialects;

/** No SQL Server is here in every run, so its text is pinned; the others' are run. */
test("on SQL Server it is one statement in its own words", () => {
  const columns = [
    column("id", "bigint", "integer"),
    column("price", "decimal(10,2)", "decimal"),
    column("ratio", "float", "float"),
    column("code", "nvarchar(10)", "text"),
    column("at", "datetime2(7)", "time"),
    column("shape", "xml", "other"),
  ];
  const rows = { maxRows: 1000, spreadOver: 1_000_000 };
  expect(profileSql(sqlserver, table, columns, rows)).toBe(`select count_big(*) as n,
  count_big(c0) as v0,
  count_big(distinct c0) as d0,
  convert(nvarchar(100), min(c0), 2) as l0,
  convert(nvarchar(100), max(c0), 2) as g0,
  count_big(c1) as v1,
  convert(nvarchar(100), min(c1), 2) as l1,
  convert(nvarchar(100), max(c1), 2) as g1,
  count_big(c2) as v2,
  convert(nvarchar(100), min(c2), 3) as l2,
  convert(nvarchar(100), max(c2), 3) as g2,
  count_big(c3) as v3,
  count_big(distinct c3) as d3,
  min(len(c3)) as s3,
  max(len(c3)) as x3,
  count_big(c4) as v4,
  convert(nvarchar(100), max(c4), 121) as w4,
  datediff_big(millisecond, cast(switchoffset(try_cast(max(c4) as datetimeoffset(7)), '+00:00') as datetime2(7)), sysutcdatetime()) * 0.001 as a4,
  count_big(c5) as v5
from (select top (1000) [id] as c0, [price] as c1, [ratio] as c2, [code] as c3, [at] as c4, case when [shape] is null then null else 1 end as c5 from [dbo].[odd]]\`"name] tablesample (1200 rows) repeatable (1)) as profiled`);
  expect(textSql(sqlserver, table, columns.slice(3, 4), { spreadOver: null })).toBe(
    'select top (2500) left([code], 120) as c0 from [dbo].[odd]]`"name]',
  );
});

test("rows from all over a large table are read where the server can do that", () => {
  expect(profileSql(postgresql, table, [], { maxRows: 1000, spreadOver: 1_000_000 })).toContain(
    `from "dbo"."odd]\`""name" tablesample system (0.120000) repeatable (1) limit 1000`,
  );
  const large = { kind: "Table", rowEstimate: 1_000_000 } as const;
  expect(spreadOverOf(postgresql, large, 1000)).toBe(1_000_000);
  expect(spreadOverOf(postgresql, { ...large, kind: "View" }, 1000)).toBeNull();
  expect(spreadOverOf(postgresql, { ...large, rowEstimate: null }, 1000)).toBeNull();
  expect(spreadOverOf(postgresql, large, 500_000)).toBeNull();
  expect(spreadOverOf(mysql, large, 1000)).toBeNull();
});

test("a wide table is read in fewer rows", () => {
  expect([rowsToRead(1), rowsToRead(40), rowsToRead(200), rowsToRead(5000)]).toEqual([
    100_000, 100_000, 20_000, 2000,
  ]);
});

test.each([
  ["postgresql", "character varying(3)", "text"],
  ["postgresql", "text[]", "other"],
  ["postgresql", "numeric(10,2)", "decimal"],
  ["postgresql", "timestamp(3) with time zone", "time"],
  ["postgresql", "jsonb", "other"],
  ["mysql", "int(10) unsigned", "integer"],
  ["mysql", "tinyint(1)", "other"],
  ["mysql", "datetime(6)", "time"],
  ["mysql", "longtext", "text"],
  ["mysql", "enum('a','b')", "other"],
  ["sqlserver", "nvarchar(max)", "text"],
  ["sqlserver", "ntext", "other"],
  ["sqlserver", "datetimeoffset(7)", "time"],
] as const)("on %s, %s is %s", (dialect, type, kind) => {
  expect(dialects[dialect].kindOf(type)).toBe(kind);
});
