import { expect, test } from "vitest";
import { maxWithin, minWithin } from "./float-bounds.ts";

test.each([
  // 0.3 is stored as slightly less; 0.30000000000000004 is the next number.
  ["0.3", 0.3, 0.3],
  ["0.30000000000000004", 0.30000000000000004, 0.30000000000000004],
  // No number exists between the two.
  ["0.30000000000000001", 0.3, 0.30000000000000004],
  // The nearest number is 0.3, which is above it.
  ["0.29999999999999999", 0.29999999999999993, 0.3],
  ["0", 0, 0],
  ["-2.5", -2.5, -2.5],
  ["9007199254740993", 9007199254740992, 9007199254740994],
])("%s, double precision: at most %d, at least %d", (bound, greatest, least) => {
  expect(maxWithin(bound, "double")).toBe(greatest);
  expect(minWithin(bound, "double")).toBe(least);
});

test.each([
  // 0.1 in single precision is 0.100000001490116…, and counts as 0.1.
  ["0.1", Math.fround(0.1), Math.fround(0.1)],
  ["-0.1", Math.fround(-0.1), Math.fround(-0.1)],
  // The number after 0.1 is written 0.10000001.
  ["0.100000001", Math.fround(0.1), Math.fround(0.10000001)],
  ["16777217", 16777216, 16777218],
  // Above the maximum, 3.4028235e38, and below the minimum.
  ["1".padEnd(41, "0"), 1e40, 1e40],
  ["-".concat("1".padEnd(41, "0")), -1e40, -1e40],
])("%s, single precision: at most %d, at least %d", (bound, greatest, least) => {
  expect(maxWithin(bound, "single")).toBe(greatest);
  expect(minWithin(bound, "single")).toBe(least);
});
