import { expect, test } from "vitest";
import { timezone } from "./db/schema-parts.ts";
import { dayIn, dayLater, isTimeZone, momentOfWall, wallTime, zoneName } from "./zoned-time.ts";

const at = (wall: string, zone: string) => momentOfWall(wall, zone)?.toISOString();

test("a wall time is what clocks in the zone show", () => {
  const moment = new Date("2025-11-20T23:03:12.987Z");
  expect(wallTime(moment, "UTC")).toBe("2025-11-20T23:03:12");
  expect(wallTime(moment, "Europe/Berlin")).toBe("2025-11-21T00:03:12");
  expect(wallTime(moment, "Asia/Kathmandu")).toBe("2025-11-21T04:48:12");
  expect(dayIn(moment, "America/New_York")).toBe("2025-11-20");
});

test("a wall time is found in winter and in summer, and in zones far from UTC", () => {
  expect(at("2025-11-20T14:00:00", "Europe/Berlin")).toBe("2025-11-20T13:00:00.000Z");
  expect(at("2025-07-20T14:00", "Europe/Berlin")).toBe("2025-07-20T12:00:00.000Z");
  expect(at("2025-07-20T00:00", "Pacific/Kiritimati")).toBe("2025-07-19T10:00:00.000Z");
  expect(at("2025-07-20T00:00", "Pacific/Pago_Pago")).toBe("2025-07-20T11:00:00.000Z");
});

test("a skipped time is as much later as the clocks go forward", () => {
  // Berlin: at 02:00 on 30 March 2025 it is 03:00. New York: on 9 March.
  expect(at("2025-03-30T01:59", "Europe/Berlin")).toBe("2025-03-30T00:59:00.000Z");
  expect(at("2025-03-30T02:30", "Europe/Berlin")).toBe("2025-03-30T01:30:00.000Z");
  expect(at("2025-03-30T03:00", "Europe/Berlin")).toBe("2025-03-30T01:00:00.000Z");
  expect(at("2025-03-09T02:30", "America/New_York")).toBe("2025-03-09T07:30:00.000Z");
  // Lord Howe goes forward by half an hour, on 5 October 2025.
  expect(at("2025-10-05T02:15", "Australia/Lord_Howe")).toBe("2025-10-04T15:45:00.000Z");
});

test("of a time that exists twice, the first", () => {
  expect(at("2025-10-26T02:30", "Europe/Berlin")).toBe("2025-10-26T00:30:00.000Z");
  expect(at("2025-10-26T03:00", "Europe/Berlin")).toBe("2025-10-26T02:00:00.000Z");
  expect(at("2025-11-02T01:30", "America/New_York")).toBe("2025-11-02T05:30:00.000Z");
});

test("a day without a midnight starts at one", () => {
  // In Beirut, clocks went from 00:00 to 01:00 on 31 March 2024.
  expect(at("2024-03-31T00:00", "Asia/Beirut")).toBe("2024-03-30T22:00:00.000Z");
  expect(wallTime(new Date("2024-03-30T22:00:00Z"), "Asia/Beirut")).toBe("2024-03-31T01:00:00");
});

test("what is no date is none", () => {
  for (const wall of ["", "tomorrow", "2025-13-40T00:00"]) expect(momentOfWall(wall, "UTC")).toBeNull();
});

test("days are counted in the calendar", () => {
  expect(dayLater("2025-12-31", 1)).toBe("2026-01-01");
  expect(dayLater("2024-03-01", -1)).toBe("2024-02-29");
});

test("zones are IANA names, without offsets", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"])
    expect(isTimeZone(zone)).toBe(true);
  for (const zone of ["", "+02:00", "Mars/Olympus", "Berlin"]) expect(isTimeZone(zone)).toBe(false);
  expect(timezone.safeParse("Mars/Olympus").error?.issues[0]?.message).toBe("is not an IANA time zone");
  expect(["UTC", "America/New_York", "America/Argentina/Buenos_Aires"].map(zoneName)).toEqual([
    "UTC",
    "New York",
    "Buenos Aires",
  ]);
});
