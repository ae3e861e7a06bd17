import { expect, test } from "vitest";
import { contractStatusOf, movedBy, tableStatusOf } from "./score-status.ts";

test("a table is healthy from 80, critical below 50", () => {
  expect(tableStatusOf(80).word).toBe("Healthy");
  expect(tableStatusOf(79.99).word).toBe("Warning");
  expect(tableStatusOf(50).word).toBe("Warning");
  expect(tableStatusOf(49.99).word).toBe("Critical");
  expect(tableStatusOf(0).word).toBe("Critical");
  expect(tableStatusOf(null).word).toBe("Not evaluated");
});

test("a contract is judged by its own threshold, which counts as met when it is reached", () => {
  expect(contractStatusOf(90, 90).word).toBe("Threshold met");
  expect(contractStatusOf(89.99, 90).word).toBe("Below threshold");
  expect(contractStatusOf(0, 0).word).toBe("Threshold met");
  expect(contractStatusOf(null, 0).word).toBe("Not evaluated");
});

test("the difference has two places and no sign", () => {
  expect(movedBy(82.35, 86.4)).toBe(4.05);
  expect(movedBy(86.4, 82.35)).toBe(4.05);
  expect(movedBy(86.4, null)).toBeNull();
});
