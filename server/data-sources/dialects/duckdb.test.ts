import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowedTestFolder, filesConnection } from "../../test/files.ts";
import type { Cell, Source } from "../engines/engine.ts";
import { files } from "../engines/files.ts";
import { duckdb as dialect } from "./duckdb.ts";

describe("DuckDB's dialect", () => {
  const folder = allowedTestFolder();
  let source: Source;
  beforeAll(() => {
    source = files.open(filesConnection(folder));
  });
  afterAll(() => source.close());
  const rows = async (sql: string): Promise<Cell[][]> => {
    const limits = { timeoutMs: 10_000, maxRows: 100, maxBytes: 100_000 };
    return (await source.session((session) => session.read({ sql, parameters: [], ownSql: true }, limits)))
      .rows;
  };

  /** The same texts as on the other engines (docs/compare.md). */
  test.each([
    ["bigint", "'9007199254740993'", "9007199254740993"],
    ["ubigint", "'18446744073709551615'", "18446744073709551615"],
    ["decimal(20,4)", "'12.5'", "12.5000"],
    ["boolean", "'true'", "1"],
    ["double", "'0.1'", "0.1"],
    ["double", "'-0'", "0"],
    ["double", "'123456789012345'", "123456789012345"],
    ["double", "'100'", "100"],
    ["double", "'0.00001'", "0.00001"],
    ["double", "'1e20'", "1e20"],
    ["double", "'0.30000000000000004'", "0.30000000000000004"],
    ["float", "'0.5'", "0.5"],
    ["varchar", "'Ünï'", "Ünï"],
    ["uuid", "'61F0C404-5CB3-11E7-907B-A6006AD3DBA0'", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
    ["blob", "'\\x00\\xFF'", "00ff"],
    ["date", "'2024-02-29'", "2024-02-29"],
    ["timestamp", "'2024-02-29 10:00:00'", "2024-02-29 10:00:00"],
    ["timestamp with time zone", "'2024-01-01 12:00:00.500+01'", "2024-01-01 11:00:00.5"],
    ["timestamp_ms", "'2024-01-01 12:00:00.5'", "2024-01-01 12:00:00.5"],
  ])("a %s %s is compared as %s", async (type, literal, text) => {
    const held = dialect.comparison.holds(type);
    if (!held) throw new Error("It cannot be compared");
    const value = { value: `cast(${literal} as ${type})`, type };
    expect(await rows(`select ${dialect.comparison.text(value, held)} as v`)).toEqual([[text]]);
    const none = { value: `cast(null as ${type})`, type };
    expect(await rows(`select ${dialect.comparison.text(none, held)} as v`)).toEqual([[null]]);
  });

  test("hashes are 60 bits of the SHA-256, summed exactly, and parts are whole", async () => {
    const { hash, total, part, bytes } = dialect.comparison;
    // SHA-256 of "abc" begins with ba 78 16 bf 8f 01 cf ea, as its standard says.
    expect(await rows(`select ${hash("'abc'")} as v, ${bytes("'ü'")} as b`)).toEqual([
      [String(0xa78_16bf_8f01_cfean), "2"],
    ]);
    expect(
      await rows(`select ${total("h")} as v from (select 1152921504606846975 as h from range(20)) as t`),
    ).toEqual([["23058430092136939500"]]);
    expect(await rows(`select ${part("9223372036854775807", -5n, 10n)} as v`)).toEqual([
      ["922337203685477581"],
    ]);
  });

  test.each(["integer[]", "STRUCT(a INTEGER)", "MAP(VARCHAR, INTEGER)", "interval", "time"])(
    "a %s is not compared",
    (type) => {
      expect(dialect.comparison.holds(type)).toBeNull();
    },
  );

  test("numbers and moments are read from texts, and nothing else is", async () => {
    const read = async (texts: string[], of: (text: string) => string) =>
      (await rows(`select ${texts.map((text) => of(`'${text}'`)).join(", ")}`))[0];
    expect(await read(["12", " 1e1 ", ".5", "twelve", "0x10", ""], dialect.numberIn)).toEqual([
      ...[12, 10, 0.5],
      ...[null, null, null],
    ]);
    expect(
      await read(["2024-02-29T10:00:00.5Z", "2024-01-01", "2023-02-29", "soon"], dialect.momentIn),
    ).toEqual(["2024-02-29 10:00:00.5", "2024-01-01 00:00:00", null, null]);
  });
});
