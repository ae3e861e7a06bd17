import { expect, test } from "vitest";
import { healthLook } from "./health-looks.ts";

test.each([
  ["Green", 3, "Healthy", "ok"],
  ["Green", 0, "Not run yet", "neutral"],
  ["Stalled", 0, "Stalled", "stalled"],
  ["Red", 1, "Critical", "critical"],
  ["Amber", 4, "Warning", "warning"],
] as const)("%s after %i runs looks %s", (status, totalExecutions, word, kind) => {
  expect(healthLook({ status, totalExecutions })).toMatchObject({ word, kind });
});
