import { expect, test } from "vitest";
import { columnLooks, textOfCell } from "./result-columns.ts";

test.each([
  ["int4", true],
  ["bigint", true],
  ["int8", true],
  ["tinyint unsigned", true],
  ["numeric", true],
  ["decimal(10,2)", true],
  ["double precision", true],
  ["float8", true],
  ["money", true],
  ["UBIGINT", true],
  ["HUGEINT", true],
  ["interval", false],
  ["text", false],
  ["point", false],
  ["timestamptz", false],
  ["bool", false],
])("a column of type %s stands at the right: %s", (type, isNumeric) => {
  expect(columnLooks([{ name: "a", type }], [["1"]])[0]?.isNumeric).toBe(isNumeric);
});

test("numbers are right-aligned even if the column type is unknown", () => {
  const look = (...cells: (number | string | null)[]) =>
    columnLooks(
      [{ name: "a", type: "json" }],
      cells.map((cell) => [cell]),
    )[0]?.isNumeric;
  expect([look(1, null, 2.5), look(1, "two"), look(null)]).toEqual([true, false, false]);
});

test("a long text doesn't make its column too wide, nor a short one too narrow", () => {
  const [long, short] = columnLooks(
    [
      { name: "a", type: "text" },
      { name: "b", type: "text" },
    ],
    [["x".repeat(5000), "y"]],
  );
  expect(long?.width).toBe(360);
  expect(short?.width).toBe(64);
});

test("cells are shown exactly as returned", () => {
  expect([textOfCell("9007199254740993.10"), textOfCell(false), textOfCell(null)]).toEqual([
    "9007199254740993.10",
    "false",
    "",
  ]);
});
