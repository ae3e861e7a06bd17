import { expect, test } from "vitest";
import { axisLabel, nearest, timePlaces } from "./time-scale.ts";

test("positions are proportional to time", () => {
  expect(timePlaces([0, 10, 40])).toEqual([0, 0.25, 1]);
  expect(timePlaces([5])).toEqual([0.5]);
  expect(timePlaces([5, 5, 5])).toEqual([0, 0.5, 1]);
});

test("finds the nearest point from either side, the later one on a tie", () => {
  expect(nearest([0, 0.25, 1], 0.1)).toBe(0);
  expect(nearest([0, 0.25, 1], 0.6)).toBe(1);
  expect(nearest([0, 0.5, 1], 0.75)).toBe(2);
});

test("label precision depends on the span", () => {
  const time = Date.UTC(2025, 10, 20, 14, 3);
  expect(axisLabel(time, 120_000, "UTC")).toBe("14:03:00");
  expect(axisLabel(time, 3600_000, "UTC")).toBe("14:03");
  expect(axisLabel(time, 30 * 24 * 3600_000, "UTC")).toBe("20 Nov");
});
