import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Source } from "../../data-sources/engines/engine.ts";
import { mysql } from "../../data-sources/engines/mysql.ts";
import { postgresql } from "../../data-sources/engines/postgresql.ts";
import { requireReadOnly } from "../../data-sources/engines/sqlserver/gate.ts";
import { sqlserver } from "../../data-sources/engines/sqlserver.ts";
import { sql } from "../../db/client.ts";
import { ownConnection } from "../../test/factories/data-sources.ts";
import { mysql as mysqlAdmin, mysqlConnection } from "../../test/mysql.ts";
import { compileSample, type MeasurableRule } from "../compile.ts";
import { limits } from "../limits.ts";
import { measureRule } from "../measure-rule.ts";
import { readSample } from "../read-sample.ts";
import type { RuleType } from "./rules.ts";

/** A sample shows the rows for which the rule failed: counted by hand, on both servers at once. */

const places = {
  postgresql: { dialect: postgresql.dialect, schemaName: "shop" },
  mysql: { dialect: mysql.dialect, schemaName: mysqlConnection.database },
};
const sources = {} as Record<keyof typeof places, Source>;

const rows = `
  (1, 10.00, 0.1, 'A-001', 1), (2, 20.00, 0.2, 'b', 2), (3, 30.00, 0.30000000000000004, 'A-002', 7),
  (4, null, null, null, null), (5, 40.00, 0.4, 'A-002', 7), (6, 50.00, 0.5, 'A-002', 1)`;

beforeAll(async () => {
  sources.postgresql = postgresql.open(ownConnection());
  sources.mysql = mysql.open(mysqlConnection);
  await sql.unsafe(`
    create schema shop;
    create table shop.customers (id int);
    insert into shop.customers values (1), (2);
    create table shop.orders (id int, price numeric, weight float8, code text, customer_id int);
    insert into shop.orders values ${rows};
    create table shop."odd""; drop table shop.orders --" ("a ""col.umn""" int, other int);
    insert into shop."odd""; drop table shop.orders --" values (1, 2), (1, 3), (null, 4);`);
  await mysqlAdmin.query(`
    create table customers (id int);
    insert into customers values (1), (2);
    create table orders (id int, price decimal(20, 2), weight double, code varchar(20), customer_id int)
      collate utf8mb4_bin;
    insert into orders values ${rows};
    create table \`odd"; drop table shop.orders --\` (\`a "col.umn"\` int, other int);
    insert into \`odd"; drop table shop.orders --\` values (1, 2), (1, 3), (null, 4);`);
});

afterAll(() => Promise.all(Object.values(sources).map((source) => source.close())));

type Rule = MeasurableRule & { column: string | null };
const aRule = (type: RuleType, { column, ...configuration }: Record<string, unknown>): Rule => ({
  type,
  column: String(column),
  configuration: { column, ...configuration },
});

/** What both servers show, by the value of the first column, and how many rows have failed according to both. */
async function sampled(rule: Rule, tableName = "orders", keyColumns: string[] = []) {
  const both = Object.entries(places).map(async ([name, { dialect, schemaName }]) => {
    const source = sources[name as keyof typeof places];
    const asked = { dialect, target: { schemaName, tableName }, rule, keyColumns };
    const found = await readSample({ ...asked, timeoutMs: 20_000 }, (read) => source.session(read));
    if (!found || found === "no session") throw new Error("There is no sample");
    const { failing } = await source.session((session) => measureRule(session, dialect, asked.target, rule));
    const ordered = found.rows.toSorted((a, b) => Number(a[0]) - Number(b[0]));
    return {
      rows: ordered.map((row) => row.map((cell) => (cell === null ? null : String(cell)))),
      failing: Number(failing),
    };
  });
  const [onPostgres, onMysql] = await Promise.all(both);
  expect(onMysql).toEqual(onPostgres);
  return onPostgres;
}

test("NullRate shows the rows without a value", async () => {
  expect(await sampled(aRule("NullRate", { column: "code", maxNullPercent: 0 }))).toEqual({
    rows: [["4", null, null, null, null]],
    failing: 1,
  });
});

test("Uniqueness shows each repeated value once, with its count, most frequent first", async () => {
  for (const [name, { dialect, schemaName }] of Object.entries(places)) {
    const rule = aRule("Uniqueness", { column: "code" });
    const asked = { dialect, target: { schemaName, tableName: "orders" }, rule };
    const source = sources[name as keyof typeof places];
    const found = await readSample({ ...asked, keyColumns: ["id"], timeoutMs: 20_000 }, (read) =>
      source.session(read),
    );
    expect(found).toMatchObject({ columns: [{ name: "code" }, { name: "occurrences" }] });
    expect(typeof found === "object" && found?.rows.map((row) => row.map(String))).toEqual([["A-002", "3"]]);
  }
  expect((await sampled(aRule("Uniqueness", { column: "customer_id" })))?.rows).toEqual([
    ["1", "2"],
    ["7", "2"],
  ]);
});

test("Referential shows the rows without a match", async () => {
  const found = await sampled(
    aRule("Referential", { column: "customer_id", referenceTable: "customers", referenceColumn: "id" }),
  );
  expect(found?.failing).toBe(2);
  expect(found?.rows.map(([id]) => id)).toEqual(["3", "5"]);
});

test("Range shows the rows out of range, exact decimals and floating-point numbers alike", async () => {
  const ids = async (configuration: Record<string, unknown>) => {
    const found = await sampled(aRule("Range", configuration));
    expect(found?.rows).toHaveLength(found?.failing ?? 0);
    return found?.rows.map(([id]) => id);
  };
  expect(await ids({ column: "price", min: "15", max: "39.99" })).toEqual(["1", "5", "6"]);
  expect(await ids({ column: "price", min: "20" })).toEqual(["1"]);
  expect(await ids({ column: "weight", max: "0.3" })).toEqual(["3", "5", "6"]);
});

test("Pattern shows the rows without a match", async () => {
  const found = await sampled(aRule("Pattern", { column: "code", pattern: "^[A-Z]-[0-9]+$" }));
  expect(found).toMatchObject({ failing: 1, rows: [["2", "20.00", "0.2", "b", "2"]] });
});

test("names are quoted, whatever they contain", async () => {
  const found = await sampled(
    aRule("NullRate", { column: 'a "col.umn"', maxNullPercent: 0 }),
    'odd"; drop table shop.orders --',
  );
  expect(found).toEqual({ rows: [[null, "4"]], failing: 1 });
  expect(
    (await sampled(aRule("Uniqueness", { column: 'a "col.umn"' }), 'odd"; drop table shop.orders --'))?.rows,
  ).toEqual([["1", "2"]]);
});

test("rows that are too large are shown by their key and the rule's column", async () => {
  await sql.unsafe(`
    create table shop.blobs (body text, value int, id int);
    insert into shop.blobs select repeat('x', 2000000), null, n from generate_series(1, 3) as n`);
  const rule = aRule("NullRate", { column: "value", maxNullPercent: 0 });
  const found = await readSample(
    {
      dialect: postgresql.dialect,
      target: { schemaName: "shop", tableName: "blobs" },
      rule,
      keyColumns: ["id"],
      timeoutMs: 20_000,
    },
    (read) => sources.postgresql.session(read),
  );
  expect(found).toMatchObject({
    columns: [{ name: "id" }, { name: "value" }],
    rows: [
      [1, null],
      [2, null],
      [3, null],
    ],
  });
});

test("of a million failing values twenty are shown, long before the limit", async () => {
  await sql.unsafe(`
    create table shop.million (id int, customer_id int, twin int);
    insert into shop.million select n, n + 10, n / 2 from generate_series(1, 1000000) as n`);
  const target = { schemaName: "shop", tableName: "million" };
  for (const rule of [
    aRule("Referential", { column: "customer_id", referenceTable: "customers", referenceColumn: "id" }),
    aRule("Uniqueness", { column: "twin" }),
    aRule("Pattern", { column: "id", pattern: "^x" }),
    aRule("Range", { column: "id", max: "0" }),
  ]) {
    const found = await readSample(
      { dialect: postgresql.dialect, target, rule, keyColumns: [], timeoutMs: limits.sampleTimeoutMs },
      (read) => sources.postgresql.session(read),
    );
    expect(typeof found === "object" && found?.rows.length, rule.type).toBe(20);
  }
});

describe("on SQL Server", () => {
  const target = { schemaName: "dbo", tableName: "odd]table" };
  const compiled = (type: RuleType, configuration: Record<string, unknown>, columns?: string[]) => {
    const statement = compileSample({ type, configuration }, target, sqlserver.dialect, {
      maxRows: 20,
      columns,
    });
    if (!statement) throw new Error("There is no sample");
    expect(() => requireReadOnly(statement.sql)).not.toThrow();
    return { sql: statement.sql.replace(/\s+/g, " "), parameters: statement.parameters };
  };

  test("each type is correct in T-SQL, limited by TOP", () => {
    expect(compiled("NullRate", { column: "a]b", maxNullPercent: 5 }).sql).toBe(
      "select top (20) checked.* from [dbo].[odd]]table] as checked where checked.[a]]b] is null",
    );
    expect(compiled("NullRate", { column: "c", maxNullPercent: 5 }, ["id", "c"]).sql).toBe(
      "select top (20) checked.[id], checked.[c] from [dbo].[odd]]table] as checked where checked.[c] is null",
    );
    expect(compiled("Uniqueness", { column: "c" }).sql).toBe(
      "select top (20) checked.[c] as [c], count_big(*) as [occurrences] from [dbo].[odd]]table] as checked " +
        "where checked.[c] is not null group by checked.[c] having count_big(*) > 1 order by 2 desc",
    );
    expect(compiled("Referential", { column: "c", referenceTable: "r", referenceColumn: "id" }).sql).toBe(
      "select top (20) checked.* from [dbo].[odd]]table] as checked where checked.[c] is not null and not exists " +
        "( select 1 from [dbo].[r] as reference where reference.[id] = checked.[c])",
    );
    expect(compiled("Pattern", { column: "c", pattern: "A%" })).toEqual({
      sql:
        "select top (20) checked.* from [dbo].[odd]]table] as checked " +
        "where case when exists ( select 1 from sys.columns as c where c.object_id = object_id(@p1) and " +
        "c.name = @p2 and type_name(c.system_type_id) in (N'char', N'nchar')) " +
        "then rtrim(cast(checked.[c] as nvarchar(max))) else cast(checked.[c] as nvarchar(max)) end not like @p3",
      parameters: ["[dbo].[odd]]table]", "c", "A%"],
    });
    const type = "cast(sql_variant_property(checked.[c], 'BaseType') as nvarchar(128))";
    const range = compiled("Range", { column: "c", max: "0.3" });
    expect(range.sql).toContain(
      `where case when ${type} = N'real' then case when checked.[c] > cast(@p1 as float(53)) then 1 end ` +
        `when ${type} = N'float' then case when checked.[c] > cast(@p2 as float(53)) then 1 end`,
    );
    expect(range.sql).toMatch(
      /then case when checked\.\[c\] > cast\(@p3 as decimal\(2, 1\)\) then 1 end end = 1$/,
    );
    expect(range.parameters).toEqual([Math.fround(0.3), 0.3, "0.3"]);
  });

  test("types that fail as a whole have no rows to show", () => {
    for (const [type, configuration] of [
      ["Volume", { minRows: 1 }],
      ["Freshness", { column: "c", maxAgeMinutes: 1 }],
      ["CustomSql", { sql: "select 1 as passed" }],
    ] as const)
      expect(compileSample({ type, configuration }, target, sqlserver.dialect, { maxRows: 20 })).toBeNull();
  });
});
