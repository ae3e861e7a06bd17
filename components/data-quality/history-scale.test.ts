import { expect, test } from "vitest";
import { axisLabel, nearest, scoreSpan, timePlaces } from "./history-scale.ts";

test("the scale begins at a round number below the lowest score and the threshold, and ends at 100", () => {
  expect(scoreSpan([97.3, 99], 90).ticks).toEqual([85, 90, 95, 100]);
  expect(scoreSpan([82.35], 80).ticks).toEqual([70, 80, 90, 100]);
  expect(scoreSpan([42], 80).ticks).toEqual([20, 40, 60, 80, 100]);
  expect(scoreSpan([0], 80).ticks).toEqual([0, 25, 50, 75, 100]);
  expect(scoreSpan([100], 100).ticks).toEqual([90, 95, 100]);
});

test("places follow the time that has passed", () => {
  expect(timePlaces([0, 10, 40])).toEqual([0, 0.25, 1]);
  expect(timePlaces([5])).toEqual([0.5]);
  expect(timePlaces([5, 5, 5])).toEqual([0, 0.5, 1]);
});

test("the nearest point is found from either side, the later of two alike", () => {
  expect(nearest([0, 0.25, 1], 0.1)).toBe(0);
  expect(nearest([0, 0.25, 1], 0.6)).toBe(1);
  expect(nearest([0, 0.5, 1], 0.75)).toBe(2);
});

test("labels say what the span needs", () => {
  const time = Date.UTC(2025, 10, 20, 14, 3);
  expect(axisLabel(time, 120_000, "UTC")).toBe("14:03:00");
  expect(axisLabel(time, 3600_000, "UTC")).toBe("14:03");
  expect(axisLabel(time, 30 * 24 * 3600_000, "UTC")).toBe("20 Nov");
});
