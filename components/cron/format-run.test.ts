import { expect, test } from "vitest";
import { formatRun } from "./format-run.ts";

test("a run is shown in its reader's time zone, with or without daylight saving time", () => {
  const inBoth = (at: string, zone: string) => formatRun(new Date(at), zone, zone);
  expect(inBoth("2025-11-21T06:00:00Z", "UTC")).toBe("Fri 21 Nov, 06:00 UTC");
  expect(inBoth("2025-11-21T05:00:00Z", "Europe/Berlin")).toBe("Fri 21 Nov, 06:00 CET");
  expect(inBoth("2025-07-21T04:00:00Z", "Europe/Berlin")).toBe("Mon 21 Jul, 06:00 CEST");
});

test("the schedule's own zone is second where its clocks differ", () => {
  const run = new Date("2025-11-21T06:00:00Z");
  expect(formatRun(run, "UTC", "Europe/Berlin")).toBe("Fri 21 Nov, 07:00 Berlin · 06:00 UTC");
  expect(formatRun(run, "Europe/Paris", "Europe/Berlin")).toBe("Fri 21 Nov, 07:00 CET");
  expect(formatRun(run, "UTC", "America/Los_Angeles")).toBe(
    "Thu 20 Nov, 22:00 Los Angeles · Fri 21 Nov, 06:00 UTC",
  );
});
