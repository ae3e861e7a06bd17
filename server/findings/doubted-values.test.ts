import { expect, test } from "vitest";
import type { Condition } from "./condition.ts";
import { doubtedValues } from "./doubted-values.ts";

const oneOf = (column: string, ...values: string[]): Condition => ({ is: "oneOf", column, values });
const doubted = (columns: string[], condition: Condition | null) => [
  ...doubtedValues("size", [{ columns, condition }]),
];

test("values that a fault lists are doubted, also where it lists them beside others", () => {
  expect(doubted(["size"], oneOf("size", "n/a", "-"))).toEqual(["n/a", "-"]);
  expect(
    doubted(["size"], { is: "any", of: [oneOf("size", "Large"), { is: "null", column: "size" }] }),
  ).toEqual(["Large"]);
});

test("values of another column, or only in some rows, are not", () => {
  expect(doubted(["color"], oneOf("size", "n/a"))).toEqual([]);
  expect(doubted(["size"], oneOf("color", "n/a"))).toEqual([]);
  expect(doubted(["size"], { is: "all", of: [oneOf("size", "large"), oneOf("color", "red")] })).toEqual([]);
  expect(doubted(["size"], null)).toEqual([]);
});
