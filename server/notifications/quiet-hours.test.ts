import { expect, test } from "vitest";
import { type QuietHours, quietUntil } from "./quiet-hours.ts";

const night: QuietHours = { from: "22:00", until: "07:00" };
const lunch: QuietHours = { from: "12:00", until: "13:30" };
const end = (now: string, quiet: QuietHours | null, zone = "Europe/Berlin") =>
  quietUntil(new Date(now), quiet, zone)?.toISOString() ?? null;

test("quiet hours past midnight end on the next morning, in the user's zone", () => {
  expect(end("2025-11-20T20:59:59Z", night)).toBeNull();
  expect(end("2025-11-20T21:00:00Z", night)).toBe("2025-11-21T06:00:00.000Z");
  expect(end("2025-11-21T05:59:00Z", night)).toBe("2025-11-21T06:00:00.000Z");
  expect(end("2025-11-21T06:00:00Z", night)).toBeNull();
  expect(end("2025-11-21T04:00:00Z", night, "America/New_York")).toBe("2025-11-21T12:00:00.000Z");
});

test("quiet hours within a day", () => {
  expect(end("2025-11-20T11:00:00Z", lunch)).toBe("2025-11-20T12:30:00.000Z");
  expect(end("2025-11-20T10:59:00Z", lunch)).toBeNull();
  expect(end("2025-11-20T12:30:00Z", lunch)).toBeNull();
  expect(end("2025-11-20T11:00:00Z", null)).toBeNull();
});

test("when clocks change during the night, they end at the same time of day", () => {
  expect(end("2025-03-29T22:00:00Z", night)).toBe("2025-03-30T05:00:00.000Z");
  expect(end("2025-10-25T21:00:00Z", night)).toBe("2025-10-26T06:00:00.000Z");
  // 02:30 is skipped on that night, and comes twice on this one.
  expect(end("2025-03-30T00:00:00Z", { from: "22:00", until: "02:30" })).toBe("2025-03-30T01:30:00.000Z");
  expect(end("2025-10-26T01:10:00Z", { from: "22:00", until: "02:30" })).toBeNull();
});
