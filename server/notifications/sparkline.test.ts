import { expect, test } from "vitest";
import { sparkline } from "./sparkline.ts";

test("numbers are bars between 0 and the largest", () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe("▁▂▃▄▅▆▇█");
  expect(sparkline([90, 100])).toBe("▇█");
  expect(sparkline([0, 0, 0])).toBe("▁▁▁");
  expect(sparkline([-7, 0])).toBe("▁█");
});

test("what is not known is a gap, and one number is no line", () => {
  expect(sparkline([7, null, 0, Number.NaN])).toBe("█·▁·");
  expect(sparkline([5])).toBe("");
  expect(sparkline([5, null])).toBe("");
});
