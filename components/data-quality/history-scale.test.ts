import { expect, test } from "vitest";
import { scoreSpan } from "./history-scale.ts";

test("the scale starts at a round number below the lowest score and the threshold, and ends at 100", () => {
  expect(scoreSpan([97.3, 99], 90).ticks).toEqual([85, 90, 95, 100]);
  expect(scoreSpan([82.35], 80).ticks).toEqual([70, 80, 90, 100]);
  expect(scoreSpan([42], 80).ticks).toEqual([20, 40, 60, 80, 100]);
  expect(scoreSpan([0], 80).ticks).toEqual([0, 25, 50, 75, 100]);
  expect(scoreSpan([100], 100).ticks).toEqual([90, 95, 100]);
});
