import { expect, test } from "vitest";
import { momentBetween, numberBetween } from "./bound-between.ts";

test.each([
  [480.5, 245000, "500"],
  [20, 20000, "20"],
  [19.99, 25, "20"],
  [97, 131, "100"],
  [0.012, 0.5, "0.02"],
  [-5, 40, "0"],
  [3, -12, "0"],
  [5.58, 1.2, "5"],
  [-41.5, -300, "-50"],
  [1234567, 1234599, "1234570"],
])("between %d and %d is %s", (end, nearest, bound) => {
  expect(numberBetween(end, nearest)).toBe(bound);
});

test.each([
  ["2024-05-17T13:20:00Z", "2099-12-31T00:00:00Z", "2024-05-18"],
  ["2024-05-17T00:00:00Z", "2024-06-01T00:00:00Z", "2024-05-17"],
  ["2023-01-01T08:00:00Z", "1023-05-01T00:00:00Z", "2023-01-01"],
  ["2024-05-17T10:00:00Z", "2024-05-17T16:00:00Z", "2024-05-17T13:00:00"],
])("between %s and %s is %s", (end, nearest, bound) => {
  expect(momentBetween(Date.parse(end), Date.parse(nearest))).toBe(bound);
});
