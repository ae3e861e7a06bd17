import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { csvCell, csvLine, gzippedCsv } from "./csv.ts";

const csvOf = async (columns: string[], rows: unknown[][]) =>
  gunzipSync((await gzippedCsv({ fileName: "x", columns, rows }, 10_000_000)) ?? "").toString();

describe("a cell", () => {
  test.each([
    ["plain", "plain"],
    ["with, comma", '"with, comma"'],
    ['says "hello"', '"says ""hello"""'],
    ["two\nlines", '"two\nlines"'],
    [" padded ", '" padded "'],
    ["", ""],
    ["Ωμέγα 🌍", "Ωμέγα 🌍"],
    [null, ""],
    [undefined, ""],
    [true, "true"],
    [0, "0"],
    [-12.5, "-12.5"],
    [12345678901234567890n, "12345678901234567890"],
    [new Date("2030-01-31T12:00:00Z"), "2030-01-31T12:00:00.000Z"],
    [{ a: [1, 2n] }, '"{""a"":[1,""2""]}"'],
    [Buffer.from([0xde, 0xad]), "dead"],
  ])("%s is %s", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test.each([
    ["=1+1", "'=1+1"],
    ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
    ["@SUM(1)", "'@SUM(1)"],
    ["\t=1", "'\t=1"],
    ["\r=1", `"'\r=1"`],
    ["＝1+1", "'＝1+1"],
  ])("%j is not a formula", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test.each(["-12.50", "+7", "-1e-9", "-.5"])("the exact number %s stays one", (value) => {
    expect(csvCell(value)).toBe(value);
  });
});

test("another CSV parser reads back the same table", async () => {
  const columns = ["id", "name, or so", '"note"'];
  const rows = [
    ["1", "Ada\r\nLovelace", 'a "b" c'],
    ["2", "", ","],
  ];
  const text = await csvOf(columns, rows);
  expect(parse(text)).toEqual([columns, ...rows]);
  expect(text.startsWith('id,"name, or so","""note"""\r\n')).toBe(true);
  expect(text.endsWith('2,,","\r\n')).toBe(true);
});

test("a line with one empty cell stays a line, and column names cannot be formulas", async () => {
  expect(csvLine([null])).toBe('""\r\n');
  expect(await csvOf(["=evil"], [[null]])).toBe('\'=evil\r\n""\r\n');
});

test("a large result is written in full, and one that is over the limit even when compressed is not kept", async () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [i, `name ${i}`]);
  const text = await csvOf(["id", "name"], rows);
  expect(text.split("\r\n")).toHaveLength(200_002);
  expect(text.endsWith("\r\n199999,name 199999\r\n")).toBe(true);
  expect(await gzippedCsv({ fileName: "x", columns: ["id", "name"], rows }, 10_000)).toBeNull();
});
