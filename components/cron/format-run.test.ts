import { expect, test } from "vitest";
import { formatRun } from "./format-run.ts";

test("a run is shown in its schedule's time zone, with or without daylight saving time", () => {
  expect(formatRun(new Date("2025-11-21T06:00:00Z"), "UTC")).toBe("Fri 21 Nov, 06:00 UTC");
  expect(formatRun(new Date("2025-11-21T05:00:00Z"), "Europe/Berlin")).toBe("Fri 21 Nov, 06:00 CET");
  expect(formatRun(new Date("2025-07-21T04:00:00Z"), "Europe/Berlin")).toBe("Mon 21 Jul, 06:00 CEST");
});
