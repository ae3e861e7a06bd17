import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { csvFileName, resultCsv } from "./result-csv.ts";

const columns = [{ name: "id" }, { name: 'say "what"' }];

test("a CSV parser reads back the cell values", () => {
  const rows = [
    ["12345678901234567890", "a,b"],
    [-1.5, 'she said "no"\nand left'],
    [true, " kept "],
    [null, ""],
    ["-12.30", "é"],
  ];
  expect(parse(resultCsv(columns, rows))).toEqual([
    ["id", 'say "what"'],
    ["12345678901234567890", "a,b"],
    ["-1.5", 'she said "no"\nand left'],
    ["true", " kept "],
    ["", ""],
    ["-12.30", "é"],
  ]);
});

test.each(["=1+1", "+cmd", "-1-1", "@sum", "\t=1"])("%j is no formula in a spreadsheet", (text) => {
  expect(parse(resultCsv([{ name: "a" }], [[text]]))).toEqual([["a"], [`'${text}`]]);
});

test("a row with a single NULL is still a row", () => {
  expect(resultCsv([{ name: "a" }], [[null]])).toBe('a\r\n""\r\n');
});

test("the file is named after the query", () => {
  expect(csvFileName("Orders: late / Größe")).toBe("orders-late-größe.csv");
  expect(csvFileName("***")).toBe("result.csv");
});
