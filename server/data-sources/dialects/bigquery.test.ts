import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "../../env.ts";
import { profileSql, textSql } from "../../profile/profile-sql.ts";
import { bigQueryConnection, runOnBigQuery } from "../../test/bigquery.ts";
import { bigquery as engine } from "../engines/bigquery.ts";
import type { Cell, Source } from "../engines/engine.ts";
import { bigquery as dialect } from "./bigquery.ts";

test("names and texts are quoted with escapes, as GoogleSQL has no doubled quotes", () => {
  expect(dialect.quote("a`b\\c")).toBe("`a\\`b\\\\c`");
  expect(dialect.literal("it's\na \\ line")).toBe("'it\\'s\\na \\\\ line'");
});

test("only a sample of a large table's blocks is read, as LIMIT reads everything", () => {
  const some = (spreadOver: number | null) =>
    dialect.someRows(["a", "b"], "`d`.`t`", { maxRows: 1000, spreadOver });
  expect(some(null)).toBe("select a, b from `d`.`t` limit 1000");
  // Twice the rows that are needed, of a million.
  expect(some(1_000_000)).toBe("select a, b from `d`.`t` tablesample system (0.2 percent) limit 1000");
  expect(some(1e12)).toBe("select a, b from `d`.`t` tablesample system (0.01 percent) limit 1000");
});

test("columns of any type of date or time are compared as moments", () => {
  expect(dialect.moment("`at`")).toBe("cast(`at` as timestamp)");
});

/** On an emulator, if TEST_BIGQUERY_URL names one (CONTRIBUTING.md). */
describe.skipIf(!bigQueryConnection)("BigQuery's dialect", () => {
  const target = bigQueryConnection ?? ({} as NonNullable<typeof bigQueryConnection>);
  let source: Source;
  beforeAll(() => {
    env().OUTBOUND_ALLOW = "127.0.0.1";
    source = engine.open(target);
  });
  afterAll(async () => {
    await source.close();
    env().OUTBOUND_ALLOW = undefined;
  });
  const rows = async (sql: string): Promise<Cell[][]> => {
    const limits = { timeoutMs: 10_000, maxRows: 100, maxBytes: 100_000 };
    return (await source.session((session) => session.read({ sql, parameters: [], ownSql: true }, limits)))
      .rows;
  };

  /** The same texts as on the other engines (docs/compare.md). */
  test.each([
    ["INT64", "'9007199254740993'", "9007199254740993"],
    ["NUMERIC", "'12.5000'", "12.5"],
    ["BOOL", "'true'", "1"],
    ["FLOAT64", "'0.1'", "0.1"],
    ["FLOAT64", "'-0'", "0"],
    ["FLOAT64", "'123456789012345'", "123456789012345"],
    ["FLOAT64", "'0.00001'", "0.00001"],
    ["FLOAT64", "'0.30000000000000004'", "0.30000000000000004"],
    ["FLOAT64", "'5e22'", "5e22"],
    ["STRING", "'Ünï'", "Ünï"],
    ["DATE", "'2024-02-29'", "2024-02-29"],
    ["DATETIME", "'2024-02-29 10:00:00'", "2024-02-29 10:00:00"],
    ["DATETIME", "'2024-02-29 10:00:00.25'", "2024-02-29 10:00:00.25"],
    ["TIMESTAMP", "'2024-01-01 12:00:00.5+01'", "2024-01-01 11:00:00.5"],
  ])("a %s %s is compared as %s", async (type, literal, text) => {
    const held = dialect.comparison.holds(type);
    if (!held) throw new Error("It cannot be compared");
    const value = { value: `cast(${literal} as ${type})`, type };
    expect(await rows(`select ${dialect.comparison.text(value, held)} as v`)).toEqual([[text]]);
    const none = { value: `cast(null as ${type})`, type };
    expect(await rows(`select ${dialect.comparison.text(none, held)} as v`)).toEqual([[null]]);
  });

  test("bytes are compared in hexadecimal", async () => {
    const value = { value: "from_hex('00ff')", type: "BYTES" };
    expect(await rows(`select ${dialect.comparison.text(value, { kind: "bytes" })} as v`)).toEqual([
      ["00ff"],
    ]);
  });

  test("hashes are 60 bits of the SHA-256, summed exactly, and parts are whole", async () => {
    const { hash, total, part, bytes } = dialect.comparison;
    // SHA-256 of "abc" begins with ba 78 16 bf 8f 01 cf ea, as its standard says.
    expect(await rows(`select ${hash("'abc'")} as v, ${bytes("'ü'")} as b`)).toEqual([
      [String(0xa78_16bf_8f01_cfean), "2"],
    ]);
    expect(
      await rows(
        `select ${total("h")} as v from (select 1152921504606846975 as h from unnest(generate_array(1, 20)))`,
      ),
    ).toEqual([["23058430092136939500"]]);
    expect(await rows(`select ${part("9223372036854775807", -5n, 10n)} as v`)).toEqual([
      ["922337203685477581"],
    ]);
  });

  test.each(["ARRAY<INT64>", "STRUCT<a INT64>", "JSON", "GEOGRAPHY", "TIME", "INTERVAL"])(
    "a %s is not compared",
    (type) => {
      expect(dialect.comparison.holds(type)).toBeNull();
    },
  );

  test("numbers and moments are read from texts, and nothing else is", async () => {
    const read = async (texts: string[], of: (text: string) => string) =>
      (await rows(texts.map((text) => `select ${of(`'${text}'`)} as v`).join(" union all "))).map(([v]) => v);
    expect(await read(["12", " 1e1 ", ".5", "twelve", "0x10", ""], dialect.numberIn)).toEqual(
      expect.arrayContaining([12, 10, 0.5, null, null, null]),
    );
    expect(await read(["2024-02-29T10:00:00.5Z"], dialect.momentIn)).toEqual(["2024-02-29 10:00:00.5+00"]);
    expect(await read(["2023-02-29", "soon"], dialect.momentIn)).toEqual([null, null]);
  });

  test("a table is profiled, one that is empty as well", async () => {
    const columns = [
      ["id", "INT64", "integer"],
      ["price", "NUMERIC(10, 2)", "decimal"],
      ["ratio", "FLOAT64", "float"],
      ["code", "STRING", "text"],
      ["day", "DATE", "date"],
      ["at", "TIMESTAMP", "time"],
      ["local", "DATETIME", "time"],
      ["tags", "ARRAY<STRING>", "other"],
    ] as const;
    const defined = columns.map(([name, type]) => `\`${name}\` ${type}`).join(", ");
    for (const sql of [
      "drop schema if exists dialect_test cascade",
      "create schema dialect_test",
      `create table dialect_test.t (${defined})`,
    ])
      await runOnBigQuery(target, sql);
    const described = columns.map(([name, type, kind]) => ({
      ...{ name, type, kind, isNullable: true, isPrimaryKey: false },
    }));
    const table = { schemaName: "dialect_test", tableName: "t" };
    const sample = { maxRows: 1000, spreadOver: null };
    const [empty] = await rows(profileSql(dialect, table, described, sample));
    expect(empty?.[0]).toBe("0");
    await runOnBigQuery(
      target,
      `insert into dialect_test.t select n, cast(n / 4 as numeric), n / 8, concat('A-', cast(n as string)), current_date(),
         current_timestamp(), current_datetime(), ['x'] from unnest(generate_array(0, 9)) as n`,
    );
    const [full] = await rows(profileSql(dialect, table, described, sample));
    expect(full?.[0]).toBe("10");
    expect(full).toContain("2.25");
    const texts = textSql(
      dialect,
      table,
      described.filter(({ kind }) => kind === "text"),
      sample,
    );
    expect(await rows(texts)).toHaveLength(10);
    await runOnBigQuery(target, "drop schema dialect_test cascade");
  });
});
