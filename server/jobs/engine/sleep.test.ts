import { expect, test } from "vitest";
import { sleepOf } from "./sleep.ts";

test.each([
  ["1s", { ms: 1000 }],
  ["1w2d3h4m5s", { ms: 788_645_000 }],
  ["2026-11-20T09:00:00.000Z", { until: new Date(Date.UTC(2026, 10, 20, 9)) }],
  ["", null],
  ["soon", null],
  ["2026-99-99T09:00:00.000Z", null],
])("%s", (text, sleep) => {
  expect(sleepOf(text)).toEqual(sleep);
});
