import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { profileSql, textSql } from "../../profile/profile-sql.ts";
import { runOnTrino, trinoConnection } from "../../test/trino.ts";
import type { Cell, Source } from "../engines/engine.ts";
import { trino as engine } from "../engines/trino.ts";
import { trino as dialect } from "./trino.ts";

/** On a real server, if TEST_TRINO_URL names one (CONTRIBUTING.md). */
describe.skipIf(!trinoConnection)("Trino's dialect", () => {
  const target = trinoConnection ?? ({} as NonNullable<typeof trinoConnection>);
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
    ["bigint", "'9007199254740993'", "9007199254740993"],
    ["decimal(20, 4)", "'12.5'", "12.5000"],
    ["boolean", "'true'", "1"],
    ["boolean", "'false'", "0"],
    ["double", "'0.1'", "0.1"],
    ["double", "'-0'", "0"],
    ["double", "'1e0'", "1"],
    ["double", "'-1234.5'", "-1234.5"],
    ["double", "'123456789012345'", "123456789012345"],
    ["double", "'0.00001'", "0.00001"],
    ["double", "'1e20'", "1e20"],
    ["double", "'1.5e-20'", "1.5e-20"],
    ["real", "'0.1'", "0.1"],
    ["real", "'16777216'", "16777216"],
    ["real", "'123.45678'", "123.45678"],
    ["varchar", "'Ünï '", "Ünï "],
    ["char(5)", "'ab'", "ab"],
    ["uuid", "'61F0C404-5CB3-11E7-907B-A6006AD3DBA0'", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
    ["varbinary", "'abc'", "616263"],
    ["date", "'2024-02-29'", "2024-02-29"],
    ["timestamp(0)", "'2024-02-29 10:00:00'", "2024-02-29 10:00:00"],
    ["timestamp(3) with time zone", "'2024-01-01 12:00:00.500 Europe/Berlin'", "2024-01-01 11:00:00.5"],
    ["timestamp(6)", "'2024-01-01 12:00:00.123456'", "2024-01-01 12:00:00.123456"],
    ["timestamp(6)", "'2024-01-01 12:00:00'", "2024-01-01 12:00:00"],
  ])("a %s %s is compared as %s", async (type, literal, text) => {
    const held = dialect.comparison.holds(type);
    if (!held) throw new Error("It cannot be compared");
    const value = { value: `cast(${literal} as ${type})`, type };
    expect(await rows(`select ${dialect.comparison.text(value, held)} as v`)).toEqual([[text]]);
    const none = { value: `cast(null as ${type})`, type };
    expect(await rows(`select ${dialect.comparison.text(none, held)} as v`)).toEqual([[null]]);
  });

  test("a time is cut to the digits that are compared, not rounded", async () => {
    const value = { value: "timestamp '2024-01-01 12:00:00.999999'", type: "timestamp(6)" };
    const as = (places: number) => dialect.comparison.text(value, { kind: "time", places });
    expect(await rows(`select ${as(0)}, ${as(3)}, ${as(6)}`)).toEqual([
      ["2024-01-01 12:00:00", "2024-01-01 12:00:00.999", "2024-01-01 12:00:00.999999"],
    ]);
  });

  test("hashes are 60 bits of the SHA-256, summed exactly, and parts are whole", async () => {
    const { hash, total, part, bytes } = dialect.comparison;
    // SHA-256 of "abc" begins with ba 78 16 bf 8f 01 cf ea, as its standard says.
    expect(await rows(`select ${hash("'abc'")} as v, ${bytes("'ü'")} as b`)).toEqual([
      [String(0xa78_16bf_8f01_cfean), "2"],
    ]);
    expect(
      await rows(`select ${total("h")} as v from unnest(repeat(1152921504606846975, 20)) as t (h)`),
    ).toEqual([["23058430092136939500"]]);
    expect(await rows(`select ${part("9223372036854775807", -5n, 10n)} as v`)).toEqual([
      ["922337203685477581"],
    ]);
  });

  test.each(["array(bigint)", "map(varchar, bigint)", "row(a bigint)", "json", "time(3)", "ipaddress"])(
    "a %s is not compared",
    (type) => {
      expect(dialect.comparison.holds(type)).toBeNull();
    },
  );

  test("numbers and moments are read from texts, and nothing else is", async () => {
    const read = async (texts: string[], of: (text: string) => string) =>
      (await rows(`select ${texts.map((text) => of(`'${text}'`)).join(", ")}`))[0];
    expect(await read(["12", " 1e1 ", ".5", "twelve", "0x10", "", "NaN"], dialect.numberIn)).toEqual([
      ...[12, 10, 0.5, null, null, null, null],
    ]);
    const moments = {
      "2024-02-29T10:00:00.5Z": "2024-02-29 10:00:00.500000",
      "2024-02-29": "2024-02-29 00:00:00.000000",
      "2024-02-29 10:00": "2024-02-29 10:00:00.000000",
      "2024-02-29 10:00:00.123456789": "2024-02-29 10:00:00.123457",
      "2024-02-29T10:00:00+02:00": "2024-02-29 08:00:00.000000",
      "2024-02-29 10:00:00+0230": "2024-02-29 07:30:00.000000",
      "2024-02-29 10:00 -05": "2024-02-29 15:00:00.000000",
      "2023-02-29": null,
      soon: null,
      "10:00": null,
    };
    expect(await read(Object.keys(moments), dialect.momentIn)).toEqual(Object.values(moments));
  });

  test("texts of numbers and times keep every digit", async () => {
    const { exactText } = dialect;
    expect(
      await rows(`select ${exactText("timestamp '2024-07-01 12:00:00.120 Europe/Berlin'", "time")},
        ${exactText("timestamp '2024-07-01 12:00:00'", "time")}, ${exactText("0.1e0", "float")},
        ${exactText("real '0.1'", "float")}, ${exactText("nan()", "float")}, ${exactText("infinity()", "float")}`),
    ).toEqual([["2024-07-01 10:00:00.12", "2024-07-01 12:00:00", "0.1", "0.1", "NaN", "Infinity"]]);
  });

  test("a table is profiled, one that is empty as well", async () => {
    const columns = [
      ["id", "bigint", "integer"],
      ["price", "decimal(10, 2)", "decimal"],
      ["ratio", "double", "float"],
      ["code", "varchar", "text"],
      ["key", "uuid", "uuid"],
      ["day", "date", "date"],
      ["at", "timestamp(3) with time zone", "time"],
      ["tags", "array(varchar)", "other"],
    ] as const;
    const defined = columns.map(([name, type]) => `"${name}" ${type}`).join(", ");
    for (const sql of [
      "drop table if exists dialect_test.t",
      "drop schema if exists dialect_test",
      "create schema dialect_test",
      `create table dialect_test.t (${defined})`,
    ])
      await runOnTrino(target, sql);
    const described = columns.map(([name, type, kind]) => ({
      ...{ name, type, kind, isNullable: false, isPrimaryKey: false },
    }));
    const table = { schemaName: "dialect_test", tableName: "t" };
    const sample = { maxRows: 1000, spreadOver: null };
    const [empty] = await rows(profileSql(dialect, table, described, sample));
    expect(empty?.[0]).toBe("0");
    await runOnTrino(
      target,
      `insert into dialect_test.t select n, n / decimal '4', n / 8e0, 'A-' || cast(n as varchar), uuid(),
         current_date, current_timestamp, array['x'] from unnest(sequence(0, 9)) as s (n)`,
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
    const { bind, ...reference } = {
      ...table,
      table: "dialect_test.t",
      bind: (value: string | number) => `'${value}'`,
    };
    expect((await rows(dialect.tableColumns({ ...reference, bind }))).slice(0, 2)).toEqual([
      ["id", "bigint", "YES"],
      ["price", "decimal(10,2)", "YES"],
    ]);
    expect((await rows(dialect.tableStatistics)).filter(([schema]) => schema === "dialect_test")).toEqual([
      ["dialect_test", "t", null, null],
    ]);
    await runOnTrino(target, "create view dialect_test.v as select id from dialect_test.t");
    expect((await rows(dialect.viewDefinitions)).filter(([schema]) => schema === "dialect_test")).toEqual([
      ["dialect_test", "v", expect.stringMatching(/^SELECT id\s+FROM/), null],
    ]);
    for (const sql of ["drop view dialect_test.v", "drop table dialect_test.t", "drop schema dialect_test"])
      await runOnTrino(target, sql);
  });
});
