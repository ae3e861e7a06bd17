import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { profileSql, textSql } from "../../profile/profile-sql.ts";
import { clickHouseConnection, runOnClickHouse } from "../../test/clickhouse.ts";
import { clickhouse as engine } from "../engines/clickhouse.ts";
import type { Cell, Source } from "../engines/engine.ts";
import { clickhouse as dialect } from "./clickhouse.ts";

/** On a real server, if TEST_CLICKHOUSE_URL names one (CONTRIBUTING.md). */
describe.skipIf(!clickHouseConnection)("ClickHouse's dialect", () => {
  const target = clickHouseConnection ?? ({} as NonNullable<typeof clickHouseConnection>);
  let source: Source;
  beforeAll(() => {
    source = engine.open(target);
  });
  afterAll(() => source.close());
  const rows = async (sql: string): Promise<Cell[][]> => {
    const limits = { timeoutMs: 10_000, maxRows: 100, maxBytes: 100_000 };
    return (await source.session((session) => session.read({ sql, parameters: [], ownSql: true }, limits)))
      .rows;
  };

  /** The same texts as on the other engines (docs/compare.md). */
  test.each([
    ["Int64", "'9007199254740993'", "9007199254740993"],
    ["UInt64", "'18446744073709551615'", "18446744073709551615"],
    ["Decimal(20, 4)", "'12.5'", "12.5000"],
    ["Bool", "'true'", "1"],
    ["Float64", "'0.1'", "0.1"],
    ["Float64", "'-0'", "0"],
    ["Float64", "'123456789012345'", "123456789012345"],
    ["Float64", "'0.00001'", "0.00001"],
    ["Float32", "'0.5'", "0.5"],
    ["String", "'Ünï'", "Ünï"],
    ["UUID", "'61F0C404-5CB3-11E7-907B-A6006AD3DBA0'", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
    ["Date", "'2024-02-29'", "2024-02-29"],
    ["DateTime", "'2024-02-29 10:00:00'", "2024-02-29 10:00:00"],
    ["DateTime64(3, 'Europe/Berlin')", "'2024-01-01 12:00:00.500'", "2024-01-01 11:00:00.5"],
    ["DateTime64(6)", "'2024-01-01 12:00:00'", "2024-01-01 12:00:00"],
  ])("a %s %s is compared as %s", async (type, literal, text) => {
    const held = dialect.comparison.holds(type);
    if (!held) throw new Error("It cannot be compared");
    const value = { value: `cast(${literal} as Nullable(${type}))`, type };
    expect(await rows(`select ${dialect.comparison.text(value, held)} as v`)).toEqual([[text]]);
    const none = { value: `cast(null as Nullable(${type}))`, type };
    expect(await rows(`select ${dialect.comparison.text(none, held)} as v`)).toEqual([[null]]);
  });

  test("hashes are 60 bits of the SHA-256, summed exactly, and parts are whole", async () => {
    const { hash, total, part, bytes } = dialect.comparison;
    // SHA-256 of "abc" begins with ba 78 16 bf 8f 01 cf ea, as its standard says.
    expect(await rows(`select ${hash("'abc'")} as v, ${bytes("'ü'")} as b`)).toEqual([
      [String(0xa78_16bf_8f01_cfean), "2"],
    ]);
    expect(
      await rows(`select ${total("h")} as v from (select 1152921504606846975 as h from numbers(20))`),
    ).toEqual([["23058430092136939500"]]);
    expect(await rows(`select ${part("9223372036854775807", -5n, 10n)} as v`)).toEqual([
      ["922337203685477581"],
    ]);
  });

  test.each(["Array(UInt8)", "Map(String, UInt8)", "Tuple(UInt8)", "IPv4", "FixedString(3)"])(
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
    const [moment] = await read(["2024-02-29T10:00:00.5Z"], dialect.momentIn);
    expect(moment).toBe("2024-02-29 10:00:00.500000");
    expect(await read(["2023-02-29", "soon"], dialect.momentIn)).toEqual([null, null]);
  });

  test("a table is profiled, one that is empty as well", async () => {
    const columns = [
      ["id", "UInt64", "integer"],
      ["price", "Decimal(10, 2)", "decimal"],
      ["ratio", "Float64", "float"],
      ["code", "String", "text"],
      ["key", "UUID", "uuid"],
      ["day", "Date", "date"],
      ["at", "DateTime64(3, 'UTC')", "time"],
      ["tags", "Array(String)", "other"],
    ] as const;
    const defined = columns.map(([name, type]) => `\`${name}\` ${type}`).join(", ");
    for (const sql of [
      "drop database if exists dialect_test",
      "create database dialect_test",
      `create table dialect_test.t (${defined}) engine = Memory`,
    ])
      await runOnClickHouse(target, sql);
    const described = columns.map(([name, type, kind]) => ({
      ...{ name, type, kind, isNullable: false, isPrimaryKey: false },
    }));
    const table = { schemaName: "dialect_test", tableName: "t" };
    const sample = { maxRows: 1000, spreadOver: null };
    const [empty] = await rows(profileSql(dialect, table, described, sample));
    expect(empty?.[0]).toBe("0");
    await runOnClickHouse(
      target,
      `insert into dialect_test.t select number, number / 4, number / 8, 'A-' || toString(number), generateUUIDv4(),
         today(), now64(3), ['x'] from numbers(10)`,
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
    await runOnClickHouse(target, "drop database dialect_test");
  });
});
