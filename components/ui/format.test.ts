import { describe, expect, test } from "vitest";
import {
  formatClock,
  formatCount,
  formatDate,
  formatDuration,
  formatExact,
  formatFixed,
  formatNumber,
  formatPercent,
  formatRelative,
  plural,
} from "./format.ts";

/** Replaces no-break spaces with plain ones, to keep the expected values readable. */
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test.each([
  [0, "0"],
  [9_999, "9,999"],
  [10_000, "10.0 k"],
  [12_345, "12.3 k"],
  [999_949, "999.9 k"],
  [999_950, "1.0 M"],
  [5_000_000, "5.0 M"],
  [1_234_567_890, "1.2 B"],
  [-12_345, "-12.3 k"],
])("the count %d reads %s", (value, text) => {
  expect(plain(formatCount(value))).toBe(text);
});

test.each([
  [0, "0 ms"],
  [0.4, "<1 ms"],
  [340, "340 ms"],
  [999.6, "1.0 s"],
  [1_234, "1.2 s"],
  [9_949, "9.9 s"],
  [9_960, "10 s"],
  [59_499, "59 s"],
  [59_600, "1 min"],
  [80_000, "1 min 20 s"],
  [3_600_000, "1 h"],
  [7_500_000, "2 h 5 min"],
  [86_400_000, "1 d"],
  [273_600_000, "3 d 4 h"],
])("%d ms reads %s", (value, text) => {
  expect(plain(formatDuration(value))).toBe(text);
});

test("numbers are grouped, percentages have one decimal, fixed numbers keep trailing zeros", () => {
  expect(formatNumber(1_234_567)).toBe("1,234,567");
  expect(formatNumber(2.345, 2)).toBe("2.35");
  expect(plain(formatPercent(96.44))).toBe("96.4 %");
  expect(formatFixed(80, 2)).toBe("80.00");
  expect(plural(1, "rule")).toBe("1 rule");
  expect(plural(1200, "entry", "entries")).toBe("1,200 entries");
});

describe("times", () => {
  const now = new Date("2025-11-20T12:00:00Z");
  const ago = (seconds: number) =>
    plain(formatRelative(new Date(now.getTime() - seconds * 1000), now, "UTC"));

  test("are relative within a week, past and future", () => {
    expect(ago(0)).toBe("just now");
    expect(ago(-4)).toBe("just now");
    expect(ago(12)).toBe("12 s ago");
    expect(ago(60)).toBe("1 min ago");
    expect(ago(3_599)).toBe("59 min ago");
    expect(ago(3_600)).toBe("1 h ago");
    expect(ago(86_400 * 3)).toBe("3 d ago");
    expect(ago(-240)).toBe("in 4 min");
  });

  test("are dates beyond a week, with the year only if it differs", () => {
    expect(ago(86_400 * 7)).toBe("13 Nov");
    expect(formatDate(new Date("2024-02-29T10:00:00Z"), now, "UTC")).toBe("29 Feb 2024");
    // Still the previous year in New York.
    expect(formatDate(new Date("2026-01-01T03:00:00Z"), now, "America/New_York")).toBe("31 Dec");
  });

  test("show the time today, and the date on any other day, in the given zone", () => {
    expect(formatClock(new Date("2025-11-20T14:00:00Z"), now, "UTC")).toBe("14:00");
    expect(formatClock(new Date("2025-11-24T14:00:00Z"), now, "UTC")).toBe("24 Nov 14:00");
    // Already tomorrow in Tokyo.
    expect(formatClock(new Date("2025-11-20T16:30:00Z"), now, "Asia/Tokyo")).toBe("21 Nov 01:30");
  });

  test("are exact with a zone", () => {
    expect(formatExact(new Date("2025-11-20T13:03:12Z"), "Europe/Berlin")).toBe(
      "Thu, 20 Nov 2025, 14:03:12 CET",
    );
  });
});
