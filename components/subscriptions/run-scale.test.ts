import { expect, test } from "vitest";
import { countScale, valueScale } from "./run-scale.ts";

test.each([
  [[], null, [0, 1]],
  [[0, 0], null, [0, 1]],
  [[1, null], null, [0, 1]],
  [[3], null, [0, 2, 4]],
  [[10], null, [0, 5, 10]],
  [[11], null, [0, 10, 20]],
  [[57, 12], null, [0, 30, 60]],
  [[999], null, [0, 500, 1000]],
  [[2_000_001], null, [0, 2_000_000, 4_000_000]],
  // The threshold is drawn too.
  [[3], 100, [0, 50, 100]],
])("%o with the threshold %s is drawn on %o", (values, threshold, lines) => {
  expect(countScale(values, threshold)).toEqual(lines);
});

test.each([
  [[], [0, 0.5, 1]],
  [
    [8, 31.5, null],
    [0, 10, 20, 30, 40],
  ],
  [
    [-3.2, 1],
    [-5, -2.5, 0, 2.5],
  ],
  [
    [0.12, 0.3],
    [0.1, 0.2, 0.3],
  ],
  [
    [7, 7],
    [5, 7.5],
  ],
])("numbers %o are drawn on %o", (values, lines) => {
  expect(valueScale(values)).toEqual(lines);
});
