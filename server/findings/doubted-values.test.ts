import { expect, test } from "vitest";
import type { Condition } from "./condition.ts";
import { doubtedValues } from "./doubted-values.ts";

const oneOf = (column: string, ...values: string[]): Condition => ({ is: "oneOf", column, values });
const sizes = ["n/a", "Large", "large", " Small", "-", "Gr\u00c3\u00b6\u00c3\u0178e"];
const doubted = (columns: string[], condition: Condition | null) =>
  sizes.filter(doubtedValues("size", [{ columns, condition }]));

test("values that a fault lists are doubted, also where it lists them beside others", () => {
  expect(doubted(["size"], oneOf("size", "n/a", "-"))).toEqual(["n/a", "-"]);
  expect(
    doubted(["size"], { is: "any", of: [oneOf("size", "Large"), { is: "null", column: "size" }] }),
  ).toEqual(["Large"]);
});

test("values that a fault describes are doubted, too", () => {
  expect(doubted(["size"], { is: "padded", column: "size" })).toEqual([" Small"]);
  expect(doubted(["size"], { is: "has", column: "size", texts: ["\u00c3\u00b6"] })).toEqual([sizes[5]]);
  expect(doubted(["size"], { is: "padded", column: "color" })).toEqual([]);
});

test("values of another column, or only in some rows, are not", () => {
  expect(doubted(["color"], oneOf("size", "n/a"))).toEqual([]);
  expect(doubted(["size"], oneOf("color", "n/a"))).toEqual([]);
  expect(doubted(["size"], { is: "all", of: [oneOf("size", "large"), oneOf("color", "red")] })).toEqual([]);
  expect(doubted(["size"], null)).toEqual([]);
});
