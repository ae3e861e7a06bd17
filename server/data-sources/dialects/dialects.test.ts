import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "../../env.ts";
import { bigQueryConnection } from "../../test/bigquery.ts";
import { clickHouseConnection } from "../../test/clickhouse.ts";
import { ownConnection } from "../../test/factories/data-sources.ts";
import { allowedTestFolder, filesConnection } from "../../test/files.ts";
import { mysqlConnection } from "../../test/mysql.ts";
import { snowflakeConnection } from "../../test/snowflake.ts";
import { sqlServerConnection } from "../../test/sqlserver.ts";
import { trinoConnection } from "../../test/trino.ts";
import { bigquery } from "../engines/bigquery.ts";
import { clickhouse } from "../engines/clickhouse.ts";
import type { Cell, DatabaseEngine, OpenConnection, Parameter, Source } from "../engines/engine.ts";
import { files } from "../engines/files.ts";
import { mysql } from "../engines/mysql.ts";
import { postgresql } from "../engines/postgresql.ts";
import { snowflake } from "../engines/snowflake.ts";
import { sqlserver } from "../engines/sqlserver.ts";
import { trino } from "../engines/trino.ts";
import { isOrphan, repeated } from "./clauses.ts";
import { dialectOf, dialects } from "./dialects.ts";

const folder = allowedTestFolder();
// An emulator of BigQuery is reached as an operator allows it.
if (bigQueryConnection) env().OUTBOUND_ALLOW = "127.0.0.1";

/** Each dialect's SQL on a real server: those of SQL Server, ClickHouse, and Trino if there is one (CONTRIBUTING.md). */
const servers: { engine: DatabaseEngine; connection: () => OpenConnection | null; types: Types }[] = [
  {
    engine: postgresql,
    connection: ownConnection,
    types: { decimal: "numeric(20, 4)", double: "float8", time: "timestamptz", text: "text" },
  },
  {
    engine: mysql,
    connection: () => mysqlConnection,
    types: { decimal: "decimal(20, 4)", double: "double", time: "datetime(6)", text: "char" },
  },
  {
    engine: files,
    connection: () => filesConnection(folder),
    types: { decimal: "decimal(20, 4)", double: "double", time: "timestamptz", text: "varchar" },
  },
  ...(sqlServerConnection
    ? [
        {
          engine: sqlserver,
          connection: () => sqlServerConnection,
          types: {
            decimal: "decimal(20, 4)",
            double: "float(53)",
            time: "datetime2(7)",
            text: "nvarchar(100)",
          },
        },
      ]
    : []),
  ...(clickHouseConnection
    ? [
        {
          engine: clickhouse,
          connection: () => clickHouseConnection,
          types: { decimal: "Decimal(20, 4)", double: "Float64", time: "DateTime64(6)", text: "String" },
        },
      ]
    : []),
  ...(trinoConnection
    ? [
        {
          engine: trino,
          connection: () => trinoConnection,
          types: { decimal: "decimal(20, 4)", double: "double", time: "timestamp(6)", text: "varchar" },
        },
      ]
    : []),
  ...(snowflakeConnection
    ? [
        {
          engine: snowflake,
          connection: () => snowflakeConnection,
          types: { decimal: "number(20, 4)", double: "double", time: "timestamp_ltz", text: "varchar" },
        },
      ]
    : []),
  ...(bigQueryConnection
    ? [
        {
          engine: bigquery,
          connection: () => bigQueryConnection,
          types: { decimal: "NUMERIC", double: "FLOAT64", time: "TIMESTAMP", text: "STRING" },
        },
      ]
    : []),
];
type Types = Record<"decimal" | "double" | "time" | "text", string>;

describe.each(servers)("$engine.dialect.label", ({ engine, connection, types }) => {
  const { dialect } = engine;
  const { quote } = dialect;
  let source: Source;
  beforeAll(() => {
    const target = connection();
    if (!target) throw new Error("No server is there to connect to");
    source = engine.open(target);
  });
  afterAll(() => source.close());

  async function rows(sql: string, parameters: readonly Parameter[] = []): Promise<Cell[][]> {
    const limits = { timeoutMs: 10_000, maxRows: 100, maxBytes: 100_000 };
    const read = source.session((session) => session.read({ sql, parameters, ownSql: true }, limits));
    return (await read).rows;
  }
  const value = async (expression: string, from = "") =>
    (await rows(`select ${expression} as v${from}`))[0]?.[0];
  /** A table with one column `c` and these values, inline. */
  const table = (...values: string[]) =>
    ` from (${values.map((each) => `select ${each} as c`).join(" union all ")}) as t`;

  test.each(["it's", "back\\slash", "a \\' b", "line\nbreak", "Ünï – 漢字", ""])(
    "a text literal is unchanged: %j",
    async (text) => {
      expect(await value(String(dialect.literal(text)))).toBe(text);
    },
  );

  test("numbers and booleans have literals, and what is not a number has none", async () => {
    expect(Number(await value(String(dialect.literal(-12.5))))).toBe(-12.5);
    expect(Number(await value(String(dialect.literal(true))))).toBe(1);
    expect(dialect.literal(Number.NaN)).toBeNull();
  });

  // BigQuery has no name with a dot, which it reads as a path.
  const dotted = engine === bigquery ? [] : ["a.b"];
  test.each(['odd"name', "odd`name", "odd]name", ...dotted, "select"])("%s is one name", async (name) => {
    const read = await rows(`select t.${quote(name)} from (select 7 as ${quote(name)}) as t`);
    // BigQuery's only whole numbers have 64 bits, and are text.
    expect(read.flat().map(Number)).toEqual([7]);
  });

  test("values are bound in the order of their placeholders", async () => {
    const [first, second] = [dialect.placeholder(1), dialect.placeholder(2)];
    const cast = (placeholder: string) => `cast(${placeholder} as ${types.text})`;
    expect(await rows(`select ${cast(first)} as a, ${cast(second)} as b`, ["x", "y"])).toEqual([["x", "y"]]);
  });

  test("rows, NULLs, and conditions are counted", async () => {
    const from = table("1", "null", "3");
    const counts = [
      dialect.count(),
      dialect.count("c"),
      dialect.countNulls("c"),
      dialect.countWhere("c > 1"),
    ];
    const all = await Promise.all(counts.map(async (count) => Number(await value(count, from))));
    expect(all).toEqual([3, 2, 1, 1]);
  });

  test("a SELECT is limited, a condition is selected, and `never` matches nothing", async () => {
    const { top, limit } = dialect.limit(2);
    expect(await rows(`select ${top}c${table("1", "2", "3")}${limit}`)).toHaveLength(2);
    expect(Number(await value(dialect.asTruth("1 = 1")))).toBe(1);
    expect(Number(await value(dialect.asTruth("1 = 0")))).toBe(0);
    expect(await rows(`select c${table("1")} where ${dialect.never}`)).toEqual([]);
  });

  test("an age is measured by the server's clock", async () => {
    const then = `cast(${dialect.ago(90, "minutes")} as ${types.time})`;
    expect(Math.abs(Number(await value(dialect.ageInSeconds(then))) - 5400)).toBeLessThan(5);
    expect(Number(await value(dialect.ageInMinutes(then)))).toBe(90);
    expect(
      Math.abs(Number(await value(dialect.ageInSeconds(dialect.ago(2, "days")))) - 172_800),
    ).toBeLessThan(5);
    expect(Number(await value(dialect.ageInSeconds(dialect.now)))).toBeLessThan(5);
  });

  test("exact text keeps every digit, and lengths are in characters", async () => {
    const exact = `cast(${dialect.literal("123456789012345.6789")} as ${types.decimal})`;
    expect(await value(dialect.exactText(exact, "decimal"))).toBe("123456789012345.6789");
    expect(String(await value(dialect.exactNumber(exact)))).toBe("123456789012345.6789");
    expect(Number(await value(dialect.length(String(dialect.literal("ünï漢")))))).toBe(4);
    expect(await value(dialect.start(String(dialect.literal("ünï漢")), 2))).toBe("ün");
    expect(await value(dialect.asText("42"))).toBe("42");
  });

  test("a text contains another one as it is written", async () => {
    const literal = (text: string) => String(dialect.literal(text));
    const texts = ["Ã¼ber", "ã¼ber", "uber", "100% A_b[1]", "a\u0308b"];
    const from = table(...texts.map(literal), "null");
    const having = (part: string) => rows(`select c${from} where ${dialect.contains("c", literal(part))}`);
    expect(await having("Ã¼")).toEqual([["Ã¼ber"]]);
    expect(await having("% A_b[")).toEqual([["100% A_b[1]"]]);
    expect(await having("_x")).toEqual([]);
    expect(await having("a\u0308")).toEqual([["a\u0308b"]]);
    expect(await having("\u0308b")).toEqual([["a\u0308b"]]);
  });

  test("a value that exists and does not match misses a pattern", async () => {
    const [pattern, ...texts] =
      dialect.pattern.language === "like" ? ["A-%", "A-1", "b"] : ["^A-[0-9]+$", "A-1", "b"];
    const misses = dialect.pattern.misses("c", dialect.asText("c"), String(dialect.literal(pattern ?? "")));
    const from = table(...texts.map((each) => String(dialect.literal(each))), "null");
    expect(await rows(`select c${from} where ${misses}`)).toEqual([["b"]]);
    const matches = dialect.pattern.matches(dialect.asText("c"), String(dialect.literal(pattern ?? "")));
    if (dialect.pattern.language === "regex")
      expect(await rows(`select c${from} where ${matches}`)).toEqual([["A-1"]]);
    else expect(matches).toBeNull();
    expect(() => dialect.pattern.probe(() => dialect.placeholder(1), "x")).not.toThrow();
  });

  test("bounds are bound as exact and as binary numbers", async () => {
    const bound = dialect.placeholder(1);
    const exact = `select ${dialect.exactText(dialect.decimal(bound, "decimal(20, 4)"), "decimal")} as v`;
    expect((await rows(exact, ["9007199254740993.25"]))[0]?.[0]).toMatch(/^9007199254740993\.25(00)?$/);
    const isEqual = `case when cast(0.1 as ${types.double}) = ${dialect.double(bound)} then 1 else 0 end`;
    // MySQL cannot cast to DOUBLE everywhere, but a product with one is a DOUBLE.
    const onMysql = `case when 0.1e0 = ${dialect.double(bound)} then 1 else 0 end`;
    const read = await rows(`select ${engine === mysql ? onMysql : isEqual} as v`, [0.1]);
    expect(read.flat().map(Number)).toEqual([1]);
  });

  test("repeated values are found, and so are orphans", async () => {
    const { where, groupBy, having } = repeated(dialect, ["t.c"]);
    const twice = `${table("1", "1", "2", "null", "null")} where ${where} group by ${groupBy} having ${having}`;
    expect((await rows(`select t.c${twice}`)).flat().map(Number)).toEqual([1]);
    const elsewhere = { table: "(select 1 as c union all select 2)", column: "c" };
    const orphans = `${table("1", "3", "null")} where ${isOrphan(dialect, "t.c", elsewhere)}`;
    expect((await rows(`select t.c${orphans}`)).flat().map(Number)).toEqual([3]);
  });
});

test("only PostgreSQL and DuckDB have infinite times", () => {
  expect(Object.values(dialects).map(({ isFiniteTime }) => isFiniteTime("c"))).toEqual([
    "isfinite(c)",
    null,
    null,
    null,
    null,
    null,
    null,
    "isfinite(c)",
  ]);
});

test("each kind of database has its dialect, and a REST API has none", () => {
  for (const dialect of Object.values(dialects)) expect(dialectOf(dialect.kind)).toBe(dialect);
  expect(dialectOf("RestApi")).toBeNull();
});

test.each([
  ["postgresql", "character varying(10)", "text"],
  ["postgresql", "integer[]", "other"],
  ["mysql", "tinyint(1)", "other"],
  ["mysql", "BIGINT unsigned", "integer"],
  ["sqlserver", "uniqueidentifier", "uuid"],
  ["sqlserver", "datetimeoffset(7)", "time"],
  ["clickhouse", "LowCardinality(Nullable(String))", "text"],
  ["clickhouse", "DateTime64(3, 'Europe/Berlin')", "time"],
  ["clickhouse", "Array(UInt8)", "other"],
  ["trino", "decimal(20,4)", "decimal"],
  ["trino", "char(5)", "text"],
  ["trino", "timestamp(3) with time zone", "time"],
  ["trino", "time(3)", "other"],
  ["trino", "array(varchar)", "other"],
  ["snowflake", "NUMBER(38,0)", "integer"],
  ["snowflake", "NUMBER(12,2)", "decimal"],
  ["snowflake", "VARCHAR", "text"],
  ["snowflake", "TIMESTAMP_TZ(9)", "time"],
  ["snowflake", "TIME", "other"],
  ["snowflake", "VARIANT", "other"],
  ["bigquery", "NUMERIC(10, 2)", "decimal"],
  ["bigquery", "DATETIME", "time"],
  ["bigquery", "TIME", "other"],
  ["bigquery", "ARRAY<STRING>", "other"],
  ["duckdb", "decimal(18,2)", "decimal"],
  ["duckdb", "VARCHAR[]", "other"],
  ["duckdb", "timestamp with time zone", "time"],
] as const)("on %s, %s is %s", (name, type, kind) => {
  expect(dialects[name].kindOf(type)).toBe(kind);
});

test("rows cannot be grouped by SQL Server's legacy text types", () => {
  expect(dialects.sqlserver.canGroup("ntext")).toBe(false);
  expect(dialects.sqlserver.canGroup("nvarchar(max)")).toBe(true);
});
