import { expect, test } from "vitest";
import { sqlserver } from "../../data-sources/dialects/sqlserver.ts";
import { requireReadOnly } from "../../data-sources/engines/sqlserver/gate.ts";
import { compileRule, compileSample, compileScan, type MeasurableRule } from "../compile.ts";

/** The exact T-SQL of each rule; it is not run here. */
const target = { schemaName: "dbo", tableName: "odd]table" };

const compiled = (type: MeasurableRule["type"], configuration: Record<string, unknown>) => {
  const { sql, parameters } = compileRule({ type, configuration }, target, sqlserver).statement;
  expect(() => requireReadOnly(sql)).not.toThrow();
  return { sql: sql.replace(/\s+/g, " "), parameters };
};

test("Volume", () => {
  expect(compiled("Volume", { minRows: 1 })).toEqual({
    sql: "select count_big(*) as [total] from [dbo].[odd]]table]",
    parameters: [],
  });
});

test("NullRate", () => {
  expect(compiled("NullRate", { column: "a]b", maxNullPercent: 5 }).sql).toBe(
    "select count_big(case when [a]]b] is null then 1 end) as [nulls], count_big(*) as [total] from [dbo].[odd]]table]",
  );
});

test("Uniqueness", () => {
  expect(compiled("Uniqueness", { column: "c" }).sql).toBe(
    "select count_big(*) as [duplicatedValues], coalesce(sum(duplicated.n), 0) as [duplicatedRows] " +
      "from (select count_big(*) as n from [dbo].[odd]]table] as checked where checked.[c] is not null " +
      "group by checked.[c] having count_big(*) > 1) as duplicated",
  );
});

test("Referential", () => {
  const configuration = { column: "c", referenceTable: "r.t", referenceColumn: "id" };
  expect(compiled("Referential", configuration).sql).toBe(
    "select count_big(*) as [orphans] from [dbo].[odd]]table] as checked where checked.[c] is not null " +
      "and not exists ( select 1 from [dbo].[r.t] as reference where reference.[id] = checked.[c])",
  );
  expect(compiled("Referential", { ...configuration, referenceSchema: "far" }).sql).toContain(
    "from [far].[r.t] as reference",
  );
});

test("Referential can compare texts of two collations", () => {
  const rule: MeasurableRule = {
    type: "Referential",
    configuration: { column: "c", referenceTable: "t", referenceColumn: "id" },
  };
  const compared = "reference.[id] collate database_default = checked.[c] collate database_default)";
  const { statement } = compileRule(rule, target, sqlserver);
  expect(statement.sqlAcrossCollations).toContain(compared);
  expect(() => requireReadOnly(statement.sqlAcrossCollations ?? "")).not.toThrow();
  expect(compileSample(rule, target, sqlserver, { maxRows: 5 })?.sqlAcrossCollations).toContain(compared);
});

test("Pattern binds what LIKE matches", () => {
  expect(compiled("Pattern", { column: "c", pattern: "A%'[_]" })).toEqual({
    sql:
      "select count_big(*) as [misses], 1 as [readable] from [dbo].[odd]]table] " +
      // The blanks that pad a char(n) are not part of the value.
      "where case when exists ( select 1 from sys.columns as c where c.object_id = object_id(@p1) and c.name = @p2 " +
      "and type_name(c.system_type_id) in (N'char', N'nchar')) " +
      "then rtrim(cast([c] as nvarchar(max))) else cast([c] as nvarchar(max)) end not like @p3",
    parameters: ["[dbo].[odd]]table]", "c", "A%'[_]"],
  });
});

test("Freshness", () => {
  expect(compiled("Freshness", { column: "c", maxAgeMinutes: 5 }).sql).toBe(
    "select cast(datediff_big(millisecond, " +
      "cast(switchoffset(try_cast(max([c]) as datetimeoffset(7)), '+00:00') as datetime2(7)), " +
      "sysutcdatetime()) * 0.001 as varchar(50)) as [ageSeconds], " +
      "convert(nvarchar(100), max([c]), 121) as [newest] from [dbo].[odd]]table]",
  );
});

const type = "cast(sql_variant_property(max([c]), 'BaseType') as nvarchar(128))";
const exactTypes =
  "N'tinyint', N'smallint', N'int', N'bigint', N'decimal', N'numeric', N'money', N'smallmoney'";

test("Range compares decimals as decimals, and binary numbers with the last one in range", () => {
  expect(compiled("Range", { column: "c", min: "-0.50", max: "0.3" })).toEqual({
    sql:
      `select case when ${type} = N'real' then ` +
      "count_big(case when [c] < cast(@p1 as float(53)) or [c] > cast(@p2 as float(53)) then 1 end) " +
      `when ${type} = N'float' then ` +
      "count_big(case when [c] < cast(@p3 as float(53)) or [c] > cast(@p4 as float(53)) then 1 end) " +
      `when ${type} is null or ${type} in (${exactTypes}) then ` +
      "count_big(case when [c] < cast(@p5 as decimal(2, 1)) or [c] > cast(@p6 as decimal(2, 1)) then 1 end) end " +
      "as [outside], count_big(*) as [total] from [dbo].[odd]]table]",
    parameters: [-0.5, Math.fround(0.3), -0.5, 0.3, "-0.5", "0.3"],
  });
  expect(compiled("Range", { column: "c", max: "9".repeat(50) })).toMatchObject({
    sql: expect.stringContaining(
      ") then count_big(case when [c] > cast(@p3 as decimal(38, 0)) then 1 end) end",
    ),
    // As a float, 1e50 exceeds this many nines.
    parameters: [1e50, 9.999999999999999e49, "9".repeat(38)],
  });
});

test("CustomSql runs as written", () => {
  const sql = "select case when count(*) = 0 then 1 else 0 end as passed\nfrom t";
  expect(compileRule({ type: "CustomSql", configuration: { sql } }, target, sqlserver).statement).toEqual({
    sql,
    parameters: [],
  });
});

test("rules that share a scan have their own parameters", () => {
  const rules: MeasurableRule[] = [
    { type: "Volume", configuration: { minRows: 1 } },
    { type: "Range", configuration: { column: "a", min: "1" } },
    { type: "Range", configuration: { column: "b", max: "2" } },
  ];
  const { statement } = compileScan(rules, target, sqlserver);
  expect(() => requireReadOnly(statement.sql)).not.toThrow();
  expect(statement.parameters).toEqual([1, 1, "1", 2, 2, "2"]);
  expect(statement.sql.match(/@p\d/g)).toEqual(["@p1", "@p2", "@p3", "@p4", "@p5", "@p6"]);
  expect(statement.sql).toContain("as [total_0]");
  expect(statement.sql).toContain("as [outside_2]");
});
