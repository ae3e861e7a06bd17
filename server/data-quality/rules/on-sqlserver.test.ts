import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConnectionWithPassword, Source } from "../../data-sources/engines/engine.ts";
import { sqlserver } from "../../data-sources/engines/sqlserver.ts";
import { LeftOut, ownSchema, sqlServerAdmin, sqlServerConnection } from "../../test/sqlserver.ts";
import { executionFailed, measureRule, measureTogether } from "../measure-rule.ts";
import { readSample } from "../read-sample.ts";
import { roundScore } from "../score.ts";
import type { RuleType } from "./rules.ts";

/** Every rule type on a real SQL Server, if TEST_SQLSERVER_URL is set; scores are computed by hand. */
describe.runIf(sqlServerConnection)("on a real SQL Server", () => {
  const target = sqlServerConnection as ConnectionWithPassword;
  const tables = [
    "customers",
    "orders",
    "empty",
    "nulls",
    "orphans",
    "texts",
    "words",
    "exact",
    "padded",
    "turkish",
  ];
  const odd = "odd].[name";
  const leftOut = new LeftOut();
  let source: Source;
  let admin: Awaited<ReturnType<typeof sqlServerAdmin>>;

  beforeAll(async () => {
    admin = await sqlServerAdmin(target);
    await admin.run(`create schema ${ownSchema}`);
    const s = ownSchema;
    await admin.run(`
      create table ${s}.customers (id int, name nvarchar(50));
      insert into ${s}.customers values (1, N'Ada'), (2, N'Grace'), (3, N'Edsger');
      create table ${s}.orders (
        id int, customer_id int, price decimal(12, 2), weight float, ratio real, amount bigint, cost money,
        code nvarchar(20), seen_at datetime2(3), zoned datetimeoffset, day date, missing_type bit);
      insert into ${s}.orders values
        (1, 1, 10, 0.1, 0.1, 9007199254740991, 1, N'A-001', dateadd(minute, -5000, sysutcdatetime()),
          switchoffset(todatetimeoffset(dateadd(minute, -90, sysutcdatetime()), 0), '+05:30'), null, 0),
        (2, 2, 20, 0.2, 0.2, 9007199254740992, 2, N'A-002', dateadd(second, -5410, sysutcdatetime()), null,
          cast(sysutcdatetime() as date), 1),
        (3, 3, 30, 0.30000000000000004, 0.3, 9007199254740993, 3.5, N'B-003', null, null, null, 0),
        (3, null, null, null, 16777216, null, null, null, null, null, null, null);
      create table ${s}.empty (id int, code nvarchar(20), seen_at datetime2, weight float);
      create table ${s}.nulls (id int, code nvarchar(20), seen_at datetime2, weight float);
      insert into ${s}.nulls values (null, null, null, null), (null, null, null, null), (null, null, null, null);
      create table ${s}.orphans (customer_id int);
      insert into ${s}.orphans values (1), (7), (7), (null);
      create table ${s}.texts (value varchar(20));
      insert into ${s}.texts values ('12'), (' 20.5 '), ('10'), ('.5'), (null);
      create table ${s}.words (value varchar(20));
      insert into ${s}.words values ('12'), ('twelve');
      create table ${s}.exact (value decimal(38, 20));
      insert into ${s}.exact values (0.10000000000000000001), (-123456789012345678.5), (1);
      create table ${s}.padded (code nchar(10), name nvarchar(10));
      insert into ${s}.padded values (N'A-001', N'A-001 '), (N'A-002', N'A-002');
      create table ${s}.turkish (code nvarchar(20) collate Turkish_CI_AS);
      insert into ${s}.turkish values (N'A-001'), (N'X');`);
    await leftOut.unlessImpossible("names with brackets", () =>
      admin.run(`
        create table ${s}.[odd]].[name] ([the ]]column] int);
        insert into ${s}.[odd]].[name] values (1), (1), (2);`),
    );
    source = sqlserver.open(target);
  });

  afterAll(async () => {
    await source?.close();
    await admin?.run(`drop table ${ownSchema}.${sqlserver.dialect.quote(odd)}`).catch(() => {});
    for (const table of tables) await admin?.run(`drop table ${ownSchema}.${sqlserver.dialect.quote(table)}`);
    await admin?.run(`drop schema ${ownSchema}`);
    admin?.end();
  });

  async function judge(type: RuleType, tableName: string, configuration: Record<string, unknown>) {
    const verdict = await source.session((session) =>
      measureRule(
        session,
        sqlserver.dialect,
        { schemaName: ownSchema, tableName },
        { type, configuration },
      ).catch(executionFailed),
    );
    return { ...verdict, score: roundScore(verdict.score) };
  }

  const toCustomers = { column: "customer_id", referenceTable: "customers", referenceColumn: "id" };

  test.for<[RuleType, string, Record<string, unknown>, boolean, number]>([
    ["Volume", "orders", { minRows: 4, maxRows: 4 }, true, 100],
    ["Volume", "empty", { minRows: 1 }, false, 0],
    // 2 of 4 are NULL: 100 − (50 − 10)
    ["NullRate", "orders", { column: "seen_at", maxNullPercent: 10 }, false, 60],
    // All of them: 100 − (100 − 33.33)
    ["NullRate", "nulls", { column: "code", maxNullPercent: 33.33 }, false, 33.33],
    ["NullRate", "empty", { column: "code", maxNullPercent: 0 }, true, 100],
    ["NullRate", "orders", { column: "missing", maxNullPercent: 0 }, false, 0],
    ["Uniqueness", "orders", { column: "id" }, false, 0],
    ["Uniqueness", "orders", { column: "code" }, true, 100],
    ["Uniqueness", "nulls", { column: "code" }, true, 100],
    ["Uniqueness", "odd].[name", { column: "the ]column" }, false, 0],
    ["Referential", "orders", toCustomers, true, 100],
    ["Referential", "orphans", toCustomers, false, 0],
    ["Referential", "orphans", { ...toCustomers, referenceColumn: "customer_id" }, false, 0],
    ["Referential", "orphans", { ...toCustomers, referenceSchema: "nowhere" }, false, 0],
    ["Range", "orders", { column: "price", min: "10", max: "30.00" }, true, 100],
    // 10 is out of range: (1 − 1/4) × 100
    ["Range", "orders", { column: "price", min: "10.01" }, false, 75],
    ["Range", "orders", { column: "price", min: "15", max: "25" }, false, 50],
    ["Range", "orders", { column: "cost", max: "3.4999" }, false, 75],
    ["Range", "orders", { column: "weight", max: "0.3" }, false, 75],
    ["Range", "orders", { column: "weight", max: "0.30000000000000004" }, true, 100],
    ["Range", "orders", { column: "ratio", min: "0.1", max: "16777216" }, true, 100],
    ["Range", "orders", { column: "ratio", max: "0.3" }, false, 75],
    ["Range", "orders", { column: "amount", max: "9007199254740992" }, false, 75],
    ["Range", "orders", { column: "amount", max: "9007199254740993" }, true, 100],
    ["Range", "exact", { column: "value", max: "0.1" }, false, 33.33],
    ["Range", "exact", { column: "value", min: "-123456789012345678.50", max: "1" }, true, 100],
    ["Range", "exact", { column: "value", max: "9".repeat(100) }, true, 100],
    ["Range", "exact", { column: "value", max: `-${"9".repeat(100)}` }, false, 0],
    ["Range", "empty", { column: "weight", min: "1" }, true, 100],
    ["Range", "nulls", { column: "weight", min: "1" }, true, 100],
    // Texts and times are not numbers.
    ["Range", "texts", { column: "value", min: "1", max: "12" }, false, 0],
    ["Range", "texts", { column: "value", min: "0", max: "100" }, false, 0],
    ["Range", "orders", { column: "seen_at", min: "1" }, false, 0],
    ["Range", "words", { column: "value", min: "1" }, false, 0],
    ["Range", "orders", { column: "day", min: "1" }, false, 0],
    ["Range", "odd].[name", { column: "the ]column", max: "1" }, false, 66.67],
    ["Pattern", "orders", { column: "code", pattern: "[AB]-[0-9][0-9][0-9]" }, true, 100],
    ["Pattern", "orders", { column: "code", pattern: "A%" }, false, 0],
    ["Pattern", "orders", { column: "code", pattern: "A" }, false, 0],
    ["Pattern", "orders", { column: "id", pattern: "[123]" }, true, 100],
    ["Pattern", "empty", { column: "code", pattern: "A%" }, true, 100],
    // The blanks that pad an nchar(10) are not part of the value; those that someone entered are.
    ["Pattern", "padded", { column: "code", pattern: "A-[0-9][0-9][0-9]" }, true, 100],
    ["Pattern", "padded", { column: "name", pattern: "A-[0-9][0-9][0-9]" }, false, 0],
    // Texts of two collations are compared anyway.
    [
      "Referential",
      "turkish",
      { column: "code", referenceTable: "orders", referenceColumn: "code" },
      false,
      0,
    ],
    ["Freshness", "orders", { column: "seen_at", maxAgeMinutes: 91 }, true, 100],
    ["Freshness", "orders", { column: "seen_at", maxAgeMinutes: 90 }, false, 0],
    ["Freshness", "orders", { column: "zoned", maxAgeMinutes: 91 }, true, 100],
    ["Freshness", "orders", { column: "zoned", maxAgeMinutes: 89 }, false, 0],
    ["Freshness", "orders", { column: "day", maxAgeMinutes: 3000 }, true, 100],
    ["Freshness", "orders", { column: "price", maxAgeMinutes: 60 }, false, 0],
    ["Freshness", "orders", { column: "code", maxAgeMinutes: 60 }, false, 0],
    ["Freshness", "nulls", { column: "seen_at", maxAgeMinutes: 60 }, false, 0],
    ["Freshness", "empty", { column: "seen_at", maxAgeMinutes: 60 }, false, 0],
  ])("%s on %s, %o: %s, %d", async ([type, table, configuration, passed, score], context) => {
    if (table === odd) leftOut.skipWithout("names with brackets", context);
    expect(await judge(type, table, configuration)).toMatchObject({ passed, score });
  });

  test.each([
    ["select 1 as passed, 42.5 as score", true, 42.5],
    ["select 1.0 as passed, 33.335 as score", true, 33.34],
    ["select cast(1 as bit) as passed", true, 100],
    ["select case when count(*) = 5 then 1 else 0 end as passed from customers", false, 0],
    ["select 2 as passed", false, 0],
    ["select 1 as okay", false, 0],
    ["select 1 as passed delete from customers", false, 0],
  ])("CustomSql: %s: %s, %d", async (text, passed, score) => {
    const sql = text.replace("from customers", `from ${ownSchema}.customers`);
    expect(await judge("CustomSql", "orders", { sql })).toMatchObject({ passed, score });
    expect(await admin.run(`select count(*) from ${ownSchema}.customers`)).toEqual([[3]]);
  });

  test("rules that only aggregate share a scan", async () => {
    const verdicts = await source.session((session) =>
      measureTogether(session, sqlserver.dialect, { schemaName: ownSchema, tableName: "orders" }, [
        { type: "Volume", configuration: { minRows: 4 } },
        { type: "NullRate", configuration: { column: "seen_at", maxNullPercent: 10 } },
        { type: "Range", configuration: { column: "price", min: "10.01" } },
        { type: "Range", configuration: { column: "ratio", max: "0.3" } },
        { type: "Freshness", configuration: { column: "seen_at", maxAgeMinutes: 91 } },
      ]),
    );
    expect(verdicts.map(({ score }) => roundScore(score))).toEqual([100, 60, 75, 75, 100]);
  });

  test.for<[RuleType, string, Record<string, unknown>, unknown[]]>([
    ["NullRate", "orders", { column: "price", maxNullPercent: 0 }, [3]],
    ["Uniqueness", "orders", { column: "id" }, [3]],
    ["Uniqueness", "odd].[name", { column: "the ]column" }, [1]],
    ["Referential", "orphans", toCustomers, [7, 7]],
    ["Range", "orders", { column: "price", max: "15" }, [2, 3]],
    ["Range", "orders", { column: "weight", max: "0.3" }, [3]],
    ["Range", "orders", { column: "ratio", max: "0.3" }, [3]],
    ["Range", "orders", { column: "cost", max: "3.4999" }, [3]],
    ["Pattern", "orders", { column: "code", pattern: "A-%" }, [3]],
  ])("%s on %s with %j shows the failing rows", async ([type, tableName, configuration, first], context) => {
    if (tableName === odd) leftOut.skipWithout("names with brackets", context);
    const rule = { type, configuration, column: String(configuration.column) };
    const target = { schemaName: ownSchema, tableName };
    const found = await readSample(
      { dialect: sqlserver.dialect, target, rule, keyColumns: [], timeoutMs: 20_000 },
      (read) => source.session(read),
    );
    const rows = typeof found === "object" && found ? found.rows : [];
    expect(rows.map(([cell]) => Number(cell)).toSorted()).toEqual(first);
    if (type === "Uniqueness") expect(Number(rows[0]?.[1])).toBe(2);
  });
});
