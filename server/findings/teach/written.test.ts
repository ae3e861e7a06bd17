import { expect, test } from "vitest";
import { aColumn, aTable } from "../table.fixture.ts";
import { writingOf, writtenReasons } from "./written.ts";

test("words of the same case are one, and digits have no length", () => {
  expect(writingOf("helen keller memorial hospital")).toBe("a+");
  expect(writingOf("San Francisco CA")).toBe("Aa+ A");
  expect(writingOf("12.0 oz.")).toBe("9.9 a.");
  expect(writingOf("7:10 a.m. Dec 02")).toBe("9:9 a.a. Aa 9");
});

test("each way of writing is a reason, and the more rows have it the less it is doubted", () => {
  const values = [
    ...Array.from({ length: 90 }, (_, index) => `${index % 9}.5`),
    ...Array.from({ length: 24 }, (_, index) => `${index % 8}.5 kg`),
    ...["7.5%", "8.5%", "9.5%"],
    "about 3",
  ];
  const reasons = writtenReasons(aColumn("weight", values));
  expect(reasons.map(({ key, rows, prior }) => [key, rows.length, prior])).toEqual([
    ["Written weight 9.9", 90, 0.015],
    ["Written weight 9.9 a", 24, 0.06],
    ["Written weight 9.9%", 3, 0.25],
    ["Written weight ", 1, 0.25],
  ]);
  expect(reasons[2]?.condition).toEqual({ is: "oneOf", column: "weight", values: ["7.5%", "8.5%", "9.5%"] });
  expect(reasons[3]?.rows).toEqual(Int32Array.of(117));
});

test("numbers, free text, placeholders, and empty cells are not doubted for how they are written", () => {
  const free = Array.from({ length: 40 }, (_, index) => `${"?".repeat(index + 1)} ${index}`);
  expect(writtenReasons(aColumn("note", free))).toEqual([]);
  expect(writtenReasons(aTable(["n integer"], [[1], [22], [-3]]))).toEqual([]);
  expect(writtenReasons(aColumn("x", ["n/a", "n/a", "n/a", " ", null]))).toEqual([]);
});
