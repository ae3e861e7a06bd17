import { expect, test } from "vitest";
import { trendOf } from "./trend.ts";

test.each([
  [80, null, "Stable"],
  [80, 80, "Stable"],
  // A change of exactly one point is still Stable, even if floating point gives 1.0000000000000009.
  [8.3, 7.3, "Stable"],
  [7.3, 8.3, "Stable"],
  [81.01, 80, "Improving"],
  [78.99, 80, "Degrading"],
  [81, 80, "Stable"],
  [79, 80, "Stable"],
  [100, 0, "Improving"],
  [0, 100, "Degrading"],
] as const)("%d after %s is %s", (current, previous, expected) => {
  expect(trendOf(current, previous)).toBe(expected);
});
