import { describe, expect, test } from "vitest";
import { activeUntil, nextStart, type WindowTimes } from "./window-times.ts";

const at = (iso: string) => new Date(`${iso}Z`);
const window = (more: Partial<WindowTimes>): WindowTimes => ({
  ...{
    startsAt: null,
    endsAt: null,
    cronExpression: null,
    durationMinutes: null,
    timezone: "UTC",
    endedAt: null,
  },
  ...more,
});

describe("once", () => {
  const once = window({ startsAt: at("2030-01-31T22:00"), endsAt: at("2030-02-01T02:00") });

  test("the start belongs to it, the end does not", () => {
    expect(activeUntil(once, at("2030-01-31T21:59:59"))).toBeNull();
    expect(activeUntil(once, at("2030-01-31T22:00"))).toEqual(at("2030-02-01T02:00"));
    expect(activeUntil(once, at("2030-02-01T01:59:59"))).toEqual(at("2030-02-01T02:00"));
    expect(activeUntil(once, at("2030-02-01T02:00"))).toBeNull();
  });

  test("it begins once, and not at all after someone ended it", () => {
    expect(nextStart(once, at("2030-01-01T00:00"))).toEqual(at("2030-01-31T22:00"));
    expect(nextStart(once, at("2030-01-31T22:00"))).toBeNull();
    const ended = { ...once, endedAt: at("2030-01-31T23:00") };
    expect(activeUntil(ended, at("2030-01-31T23:30"))).toBeNull();
  });
});

describe("again and again", () => {
  // Sundays at 02:00 in Berlin, for three hours.
  const weekly = window({ cronExpression: "0 2 * * 0", durationMinutes: 180, timezone: "Europe/Berlin" });

  test("from each run for as long as it lasts", () => {
    // 3 February 2030 is a Sunday; 02:00 in Berlin is 01:00 UTC.
    expect(activeUntil(weekly, at("2030-02-03T00:59:59"))).toBeNull();
    expect(activeUntil(weekly, at("2030-02-03T01:00"))).toEqual(at("2030-02-03T04:00"));
    expect(activeUntil(weekly, at("2030-02-03T03:59:59"))).toEqual(at("2030-02-03T04:00"));
    expect(activeUntil(weekly, at("2030-02-03T04:00"))).toBeNull();
    expect(nextStart(weekly, at("2030-02-03T01:00"))).toEqual(at("2030-02-10T01:00"));
  });

  test("follows the clocks of its zone", () => {
    // In July, 02:00 in Berlin is 00:00 UTC.
    expect(activeUntil(weekly, at("2030-07-07T00:00"))).toEqual(at("2030-07-07T03:00"));
  });

  test("windows that overlap end with the last of them", () => {
    const hourly = window({ cronExpression: "0 * * * *", durationMinutes: 90 });
    expect(activeUntil(hourly, at("2030-02-03T05:10"))).toEqual(at("2030-02-03T06:30"));
  });

  test("one that someone ended comes again", () => {
    const ended = { ...weekly, endedAt: at("2030-02-03T02:00") };
    expect(activeUntil(ended, at("2030-02-03T03:00"))).toBeNull();
    expect(activeUntil(ended, at("2030-02-10T01:30"))).toEqual(at("2030-02-10T04:00"));
  });
});
