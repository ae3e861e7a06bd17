import { existsSync, rmSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Cell, Limits, ResultSet } from "../data-sources/engines/engine.ts";
import type { ParameterValue } from "./schema.ts";
import { readScratch, type ScratchTable } from "./scratch.ts";

const ample: Limits = { timeoutMs: 15_000, maxRows: 1_000, maxBytes: 1_000_000 };

/** A result with columns given as `name type`. */
const result = (columns: readonly string[], rows: Cell[][]): ResultSet => ({
  columns: columns.map((column) => {
    const [, name = "", type = ""] = /^(\S*) (.*)$/.exec(column) ?? [];
    return { name, type };
  }),
  rows,
  truncated: false,
  rowCount: rows.length,
});

const read = (
  sql: string,
  results: readonly ResultSet[] = [],
  parameters: Record<string, ParameterValue> = {},
  limits: Partial<Limits> = {},
) => {
  const tables = results.map((each, index): ScratchTable => ({ name: `result${index + 1}`, result: each }));
  return readScratch(sql, parameters, tables, { ...ample, ...limits });
};
const typesOf = ({ columns }: ResultSet) => columns.map(({ type }) => type);

const orders = result(
  ["id integer", "customer bigint", "amount numeric"],
  [
    [1, "9007199254740993", "10.50"],
    [2, "9007199254740992", "0.1"],
    [3, "9007199254740993", "0.2"],
    [4, null, null],
  ],
);
const customers = result(
  ["id bigint", "name varchar"],
  [
    ["9007199254740993", "Ada"],
    ["9007199254740992", "Bob"],
  ],
);

test("results of other sources are joined and summed exactly", async () => {
  const sql = `
    select name, count(*) as orders, sum(amount) as total, '@@result9' as text
    from @@result2 as customers join @@RESULT1 on @@result1.customer = customers.id
    where amount < {{most}} group by name order by name`;
  expect(await read(sql, [orders, customers], { most: 100 })).toEqual({
    columns: [
      { name: "name", type: "varchar" },
      { name: "orders", type: "bigint" },
      { name: "total", type: "decimal(38,2)" },
      { name: "text", type: "varchar" },
    ],
    rows: [
      ["Ada", "2", "10.70", "@@result9"],
      ["Bob", "1", "0.10", "@@result9"],
    ],
    truncated: false,
    rowCount: 2,
  });
});

test.each([
  ["select * from @@result3", "step 3 cannot read @@result3: only the results of earlier steps"],
  ["select * from @@result1 join @@result12 using (id)", "step 3 cannot read @@result12"],
  ["select * from @@result0", "step 3 cannot read @@result0"],
])("%s: a result that no earlier step has returned", async (sql, message) => {
  await expect(read(sql, [orders, customers])).rejects.toMatchObject({
    name: "Problem",
    code: "invalid",
    detail: expect.stringContaining(message),
    more: { errors: [{ path: "sql", message: expect.stringContaining(message) }] },
  });
});

test("parameters are bound with their types, and all are required", async () => {
  const evil = "'; drop table result1 --";
  const sql =
    "select {{text}} as a, {{whole}} + 1, {{part}} * 2, {{yes}}, {{nothing}} is null, {{text}} as b";
  const values = { text: evil, whole: 9007199254740991, part: 0.25, yes: true, nothing: null };
  expect((await read(sql, [], values)).rows).toEqual([[evil, "9007199254740992", 0.5, true, true, evil]]);
  await expect(read("select {{a}}")).rejects.toMatchObject({
    more: { errors: [{ path: "parameters.a", message: "is required by the SQL" }] },
  });
  const text = await read("select id from @@result1 where id >= {{id}} order by id", [orders], { id: "4" });
  expect(text.rows).toEqual([["4"]]);
});

describe("columns keep the types of their source", () => {
  const columns: [type: string, cells: Cell[], expectedType: string, expected: Cell[]][] = [
    ["integer", [1, null, -5], "bigint", ["1", null, "-5"]],
    ["tinyint", [1, 0], "bigint", ["1", "0"]],
    ["bigint unsigned", ["18446744073709551615"], "hugeint", ["18446744073709551615"]],
    ["int", ["1", "x"], "varchar", ["1", "x"]],
    ["bit", [true, false], "boolean", [true, false]],
    ["bit", [5, 0], "bigint", ["5", "0"]],
    ["boolean", [true, null], "boolean", [true, null]],
    ["numeric", ["1.10", "-0.005", "7"], "decimal(38,3)", ["1.100", "-0.005", "7.000"]],
    [
      "numeric",
      ["123456789012345678901234567890.12345678"],
      "decimal(38,8)",
      ["123456789012345678901234567890.12345678"],
    ],
    [
      "decimal(10,2)",
      ["0.12345678901234567890123456789012345678"],
      "decimal(38,38)",
      ["0.12345678901234567890123456789012345678"],
    ],
    [
      "numeric",
      ["123456789012345678901234567890.123456789"],
      "varchar",
      ["123456789012345678901234567890.123456789"],
    ],
    ["numeric", ["1.5", "NaN"], "varchar", ["1.5", "NaN"]],
    ["money", ["$1,000.00"], "varchar", ["$1,000.00"]],
    ["number", ["1.5", "2"], "decimal(38,1)", ["1.5", "2.0"]],
    ["number", ["1.5", "1e-7"], "double", [1.5, 1e-7]],
    ["double precision", [0.1, 1e300, "NaN", "-Infinity"], "double", [0.1, 1e300, "NaN", "-Infinity"]],
    ["real", [0.1], "double", [0.1]],
    ["date", ["2024-02-29", "0001-01-01"], "date", ["2024-02-29", "0001-01-01"]],
    ["date", ["0000-00-00"], "varchar", ["0000-00-00"]],
    [
      "timestamp without time zone",
      ["2024-03-31 02:30:00.5", "2024-03-31 02:30:00"],
      "timestamp",
      ["2024-03-31 02:30:00.5", "2024-03-31 02:30:00"],
    ],
    ["datetime2", ["2024-03-31 02:30:00.1234560"], "timestamp", ["2024-03-31 02:30:00.123456"]],
    ["datetime2", ["2024-03-31 02:30:00.1234567"], "timestamp_ns", ["2024-03-31 02:30:00.1234567"]],
    [
      "timestamp with time zone",
      ["2024-03-31 00:30:00.123456+00"],
      "timestamp with time zone",
      ["2024-03-31 00:30:00.123456+00"],
    ],
    [
      "datetimeoffset",
      ["2024-03-31 00:30:00.5000000 +00:00"],
      "timestamp with time zone",
      ["2024-03-31 00:30:00.5+00"],
    ],
    ["timestamp with time zone", ["infinity"], "timestamp with time zone", ["infinity"]],
    ["time", ["02:30:00.5"], "time", ["02:30:00.5"]],
    ["time", ["-838:59:59"], "varchar", ["-838:59:59"]],
    ["uuid", ["a-b"], "varchar", ["a-b"]],
    ["json", ['{"a":1}', null], "varchar", ['{"a":1}', null]],
    ["text", ["", "ü'\\\u{1f600}", "1"], "varchar", ["", "ü'\\\u{1f600}", "1"]],
    ["integer", [null], "bigint", [null]],
  ];
  /** All columns side by side in one table, because each statement has its own process; short ones end in nulls. */
  const height = Math.max(...columns.map(([, cells]) => cells.length));
  const rows = Array.from({ length: height }, (_, row) => [
    row,
    ...columns.map(([, cells]) => cells[row] ?? null),
  ]);
  const table = result(["n integer", ...columns.map(([type], at) => `c${at} ${type}`)], rows);
  let all: ResultSet;
  beforeAll(async () => {
    all = await read("select * exclude (n) from @@result1 order by n", [table]);
  });

  test.each(columns.map((column, at) => [...column, at] as const))(
    "%s %j",
    (_, cells, expectedType, expected, at) => {
      expect(all.columns[at]?.type).toBe(expectedType);
      const values = all.rows.map((row) => row[at]);
      expect(values.slice(0, cells.length)).toEqual(expected);
      expect(values.slice(cells.length).every((value) => value === null)).toBe(true);
    },
  );

  test("and types that this store returns are accepted again", async () => {
    const first = await read(
      `select 1::hugeint as a, 1.5::decimal(38,2) as b, '2024-03-31 00:30'::timestamp as c, true as d,
        '2024-03-31 00:30:00+02'::timestamptz as e, 0.5::double as f, '2024-01-01'::date as g, 7::integer as h`,
    );
    const again = await read("select * from @@result1", [first]);
    expect(typesOf(again)).toEqual([
      ...[
        "bigint",
        "decimal(38,2)",
        "timestamp",
        "boolean",
        "timestamp with time zone",
        "double",
        "date",
        "bigint",
      ],
    ]);
    expect(again.rows).toEqual([
      ["1", "1.50", "2024-03-31 00:30:00", true, "2024-03-30 22:30:00+00", 0.5, "2024-01-01", "7"],
    ]);
  });
});

test("other types that a statement can produce are returned as text", async () => {
  const { rows } = await read(
    `select 1::integer, 1::float / 3, 12::utinyint, 'a'::blob || '\\xFF'::blob, [1, 2], {'a': 'x'}, interval '1 day',
      'infinity'::date, '-infinity'::timestamp, 170141183460469231731687303715884105727::hugeint, null`,
  );
  expect(rows).toEqual([
    [
      1,
      0.33333334,
      12,
      "\\x61ff",
      "[1, 2]",
      "{'a': 'x'}",
      "1 day",
      "infinity",
      "-infinity",
      expect.any(String),
      null,
    ],
  ]);
  expect(rows[0]?.[9]).toBe("170141183460469231731687303715884105727");
});

test("duplicate, missing, and unusual column names stay separate columns", async () => {
  const names = ["a", "A", "", "a_2", "", 'q"uote', "select"];
  const table = {
    ...result([], [[1, 2, 3, 4, 5, 6, 7]]),
    columns: names.map((name) => ({ name, type: "integer" })),
  };
  const { columns, rows } = await read("select * from @@result1", [table]);
  expect(columns.map(({ name }) => name)).toEqual([
    "a",
    "A_3",
    "column3",
    "a_2",
    "column5",
    'q"uote',
    "select",
  ]);
  expect(rows).toEqual([["1", "2", "3", "4", "5", "6", "7"]]);
});

test("a result without columns keeps its rows, and one without rows its columns", async () => {
  const objects = { columns: [], rows: [[], []], truncated: false, rowCount: 2 };
  expect((await read("select count(*) from @@result1", [objects])).rows).toEqual([["2"]]);
  const none = await read("select * from @@result1", [result(["a integer", "b text"], [])]);
  expect(none).toMatchObject({ columns: [{ name: "a" }, { name: "b" }], rows: [], rowCount: 0 });
});

describe("only reading the results is possible", () => {
  const file = "/tmp/plumbline-scratch-test";

  test.each([
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from read_blob('/etc/passwd')",
    "select * from read_json('/etc/passwd')",
    "select * from read_parquet('/etc/passwd')",
    "select * from '/etc/passwd'",
    "select * from '/etc/passwd.csv'",
    "select * from glob('/etc/*')",
    "select * from sniff_csv('/etc/passwd')",
    "select * from 'https://example.com/x.csv'",
    "select getenv('PATH')",
    `copy (select 1) to '${file}'`,
    `with a as (select 1) copy a to '${file}'`,
    "copy result1 from '/etc/passwd'",
    `export database '${file}'`,
    `import database '${file}'`,
    `attach '${file}' as other`,
    "attach ':memory:' as other",
    "install httpfs",
    "load httpfs",
    "force install spatial",
    "pragma database_list",
    "pragma enable_external_access",
    "set enable_external_access = true",
    "set memory_limit = '100GB'",
    "set lock_configuration = false",
    "reset memory_limit",
    "call pragma_version()",
    "create table t (a integer)",
    "create temp table t as select 1",
    "insert into result1 values (1)",
    "delete from result1",
    "drop table result1",
    "update result1 set id = 1",
    "checkpoint",
    "vacuum",
    "begin",
    "prepare p as select 1",
    "explain analyze select 1",
    "create secret (type s3)",
    "select 1; select 2",
    "select 1; set threads = 8",
    "select 'it''s'; drop table result1",
    "",
    ";",
  ])("%s", async (sql) => {
    const failure = read(sql, [orders]);
    await expect(failure).rejects.toMatchObject({ name: "SourceError" });
    await failure.catch((error) => expect(error.message).not.toMatch(/root|passwd:|daemon/));
    expect(existsSync(file)).toBe(false);
    rmSync(file, { force: true, recursive: true });
  });

  test("rejections have readable messages", async () => {
    await expect(read("select * from read_csv('/etc/passwd')")).rejects.toMatchObject({
      kind: "refused",
      message: "Reading files is not allowed",
    });
    await expect(read("set threads = 8")).rejects.toMatchObject({ kind: "refused" });
    await expect(read("select missing from @@result1", [orders])).rejects.toMatchObject({
      kind: "statement",
      message: expect.stringMatching(/^Referenced column "missing" not found/),
    });
    await expect(read("select 1 +")).rejects.toMatchObject({ kind: "statement" });
    await expect(read("select cast('x' as integer)")).rejects.toMatchObject({ kind: "statement" });
  });
});

describe("limits", () => {
  const many = "select range as n, repeat('x', 200) as x from range(20000)";

  test.each([
    [{ maxRows: 700 }, 700],
    [{ maxRows: 0 }, 0],
    [{ maxRows: 19_999, maxBytes: 1e9 }, 19_999],
    // A row weighs 4 + the digits of its number and 4 + 200 for the text; of 1,000 rows 2,890 bytes are digits.
    [{ maxRows: 1_000_000, maxBytes: 1_000 * 208 + 2_890 }, 1_000],
  ])("of 20,000 rows within %j", async (limits, kept) => {
    const counted = await read(many, [], {}, { ...limits, countAll: true });
    expect(counted.rows).toHaveLength(kept);
    expect(counted).toMatchObject({ truncated: true, rowCount: 20_000 });
    const plain = await read(many, [], {}, limits);
    expect(plain).toMatchObject({ truncated: true, rowCount: kept });
  });

  test("a result of a hundred thousand rows passes in and out completely", async () => {
    const rows = Array.from({ length: 100_000 }, (_, n): Cell[] => [n, `name ${n}`, `${n}.25`]);
    const big = result(["n integer", "name text", "amount numeric"], rows);
    const sum = await read("select count(*), sum(amount), max(n) from @@result1", [big]);
    expect(sum.rows).toEqual([["100000", "4999975000.00", "99999"]]);
    const all = await read("select * from @@result1", [big], {}, { maxRows: 100_000, maxBytes: 1e8 });
    expect(all).toMatchObject({ truncated: false, rowCount: 100_000 });
    expect(all.rows[99_999]).toEqual(["99999", "name 99999", "99999.25"]);
  });

  test.each([
    "select count(*) from range(100000000000) a, range(1000) b where a.range + b.range < 0",
    "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r",
  ])("%s is ended at its time limit", async (sql) => {
    const startedAt = performance.now();
    await expect(read(sql, [], {}, { timeoutMs: 800 })).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.8 s and was canceled",
    });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test.each([
    "select string_agg('x'::varchar, '') from range(300000000)",
    "select count(*) from (select row_number() over (order by -range) as n, range from range(100000000))",
    // Memory that DuckDB does not track, in calls that it cannot interrupt.
    "select len(range(500000000))",
    "select length(repeat('x', 2000000000))",
    "select [x, x, x, x] from (select range(60000000) as x)",
  ])("%s cannot exceed the memory limit", async (sql) => {
    const before = process.memoryUsage().rss;
    await expect(read(sql, [], {}, { timeoutMs: 50_000 })).rejects.toMatchObject({
      kind: "statement",
      message: "The statement needs more memory than allowed",
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  test("statements over the concurrency limit queue, with a time limit on waiting", async () => {
    const slow = "select count(*) from range(100000000000) a, range(1000) b where a.range + b.range < 0";
    const slowOnes = [1, 2].map(() => read(slow, [], {}, { timeoutMs: 1_500 }).catch(({ kind }) => kind));
    const impatient = read("select 1", [], {}, { timeoutMs: 300 });
    await expect(impatient).rejects.toMatchObject({ kind: "timeout" });
    const patient = await Promise.all([1, 2, 3].map((n) => read(`select ${n}`)));
    expect(patient.map(({ rows }) => rows)).toEqual([[[1]], [[2]], [[3]]]);
    expect(await Promise.all(slowOnes)).toEqual(["timeout", "timeout"]);
  });
});
