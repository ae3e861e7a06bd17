import { expect, test } from "vitest";
import { linePath } from "./line-path.ts";

test("the line has a gap for each missing value", () => {
  const path = linePath(
    [1, 2, null, 3],
    (index) => index * 10,
    (value) => value,
  );
  expect(path).toBe("M0.0 1.0L10.0 2.0M30.0 3.0");
});
