import { expect, test } from "vitest";
import { valuesFor } from "./limits.ts";

const gib = 1024 ** 3;

test("what a scan reads together fits into half of the memory, at 240 bytes a value, up to 15 million values", () => {
  expect(valuesFor(64 * gib)).toBe(15_000_000);
  expect(valuesFor(8 * gib)).toBe(15_000_000);
  // 4 GiB / 2 / 240 bytes = 2,147,483,648 / 240.
  expect(valuesFor(4 * gib)).toBe(8_947_849);
  expect(valuesFor(2 * gib)).toBe(4_473_924);
});

test("however little memory there is, a few tables are read together", () => {
  expect(valuesFor(256 * 1024 ** 2)).toBe(1_000_000);
});
