import { describe, expect, test } from "vitest";
import { resultDifference } from "./result-difference.ts";

type Cell = string | number | boolean | null;
const result = (names: string[], ...rows: Cell[][]) => ({
  columns: names.map((name) => ({ name, type: "int4" })),
  rows,
});
const marked = (marks: ReadonlyMap<number, ReadonlySet<number>>) =>
  [...marks].map(([row, columns]) => [row, [...columns]]);

describe("rows", () => {
  test("that are equal are not marked", () => {
    const same = result(["id", "name"], [1, "a"], [2, null]);
    const { rows, before, after, isReordered } = resultDifference(same, structuredClone(same));
    expect([rows, before.size, after.size, isReordered]).toEqual([
      { changed: 0, gone: 0, added: 0 },
      0,
      0,
      false,
    ]);
  });

  test("with a different value are marked in that column", () => {
    const { rows, before, after } = resultDifference(
      result(["id", "name"], [1, "a"], [2, "b"], [3, "c"]),
      result(["id", "name"], [1, "a"], [2, "B"], [3, "c"]),
    );
    expect(rows).toEqual({ changed: 1, gone: 0, added: 0 });
    expect([marked(before), marked(after)]).toEqual([[[1, [1]]], [[1, [1]]]]);
  });

  test("that only one result has are marked as a whole, and later rows are not", () => {
    const { rows, before, after } = resultDifference(
      result(["id"], [1], [2], [3], [4]),
      result(["id"], [2], [3], [4], [5]),
    );
    expect(rows).toEqual({ changed: 0, gone: 1, added: 1 });
    expect([marked(before), marked(after)]).toEqual([[[0, [0]]], [[3, [0]]]]);
  });

  test("that differ in every value count as removed and added", () => {
    const { rows } = resultDifference(
      result(["id", "name"], [1, "a"]),
      result(["id", "name"], [2, "b"], [3, "c"]),
    );
    expect(rows).toEqual({ changed: 0, gone: 1, added: 2 });
  });

  test("in a different order are the same rows", () => {
    const { rows, isReordered, before } = resultDifference(
      result(["id"], [1], [2]),
      result(["id"], [2], [1]),
    );
    expect([rows, isReordered, before.size]).toEqual([{ changed: 0, gone: 0, added: 0 }, true, 0]);
  });

  test("NULL, a number as text, and the number are three different values", () => {
    const { rows } = resultDifference(
      result(["id", "x"], [1, null], [2, "5"], [3, ""]),
      result(["id", "x"], [1, ""], [2, 5], [3, null]),
    );
    expect(rows).toEqual({ changed: 3, gone: 0, added: 0 });
  });

  test("that all differ, in the thousands, are compared by position", () => {
    const many = (by: number) => Array.from({ length: 1000 }, (_, row) => [row, row + by]);
    const { rows } = resultDifference(result(["id", "x"], ...many(1)), result(["id", "x"], ...many(2)));
    expect(rows).toEqual({ changed: 1000, gone: 0, added: 0 });
  });
});

describe("columns", () => {
  test("match by name, in any order; missing ones are listed", () => {
    const { columns, rows, after } = resultDifference(
      result(["id", "old", "name"], [1, 7, "a"], [2, 7, "b"]),
      result(["name", "new", "id"], ["a", 9, 1], ["c", 9, 2]),
    );
    expect(columns).toEqual({ gone: ["old"], added: ["new"], retyped: [] });
    expect(rows).toEqual({ changed: 1, gone: 0, added: 0 });
    expect(marked(after)).toEqual([[1, [0]]]);
  });

  test("with the same name match by order", () => {
    const { columns, rows } = resultDifference(
      result(["n", "n"], [1, 2]),
      result(["n", "n", "n"], [1, 3, 2]),
    );
    expect(columns.added).toEqual(["n"]);
    expect(rows).toEqual({ changed: 1, gone: 0, added: 0 });
  });

  test("with a different type are reported", () => {
    const text = { columns: [{ name: "id", type: "text" }], rows: [["1"]] };
    expect(resultDifference(result(["id"], [1]), text).columns.retyped).toEqual([
      { name: "id", was: "int4", is: "text" },
    ]);
  });

  test("with none in common leave nothing to compare", () => {
    const { columns, rows, before } = resultDifference(result(["a"], [1]), result(["b"], [1]));
    expect(columns).toMatchObject({ gone: ["a"], added: ["b"] });
    expect([rows, before.size]).toEqual([{ changed: 0, gone: 0, added: 0 }, 0]);
  });
});
