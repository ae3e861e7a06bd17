import { expect, test } from "vitest";
import { leastShare } from "./chance.ts";

test("the fewer rows tell of a share, the less is sure of it", () => {
  // Wilson's lower bounds, worked out by hand.
  expect(leastShare(1, 100)).toBeCloseTo(0.00223, 5);
  expect(leastShare(100, 10_000)).toBeCloseTo(0.00849, 5);
  expect(leastShare(0, 100)).toBe(0);
});
