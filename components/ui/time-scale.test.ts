import { expect, test } from "vitest";
import { axisLabel, nearest, timePlaces } from "./time-scale.ts";

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
