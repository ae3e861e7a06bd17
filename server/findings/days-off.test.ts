import { describe, expect, test } from "vitest";
import { dayOffAt, easterOf } from "./days-off.ts";

const dateOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const nameAt = (moment: string) => dayOffAt(Date.parse(moment))?.name;

describe("Easter", () => {
  // From published calendars: recent years, the earliest and latest date, and the years with an exception (1954, 1981, 2049, 2076).
  test.each([
    "1818-03-22",
    "1943-04-25",
    "1954-04-18",
    "1981-04-19",
    "2000-04-23",
    "2008-03-23",
    "2019-04-21",
    "2024-03-31",
    "2025-04-20",
    "2026-04-05",
    "2038-04-25",
    "2049-04-18",
    "2076-04-19",
    "2285-03-22",
  ])("is on %s", (date) => {
    expect(dateOf(easterOf(Number(date.slice(0, 4))))).toBe(date);
  });
});

describe("a day on which nobody works", () => {
  test("is on the same date each year, at any hour", () => {
    expect(nameAt("2024-05-01T00:00:00Z")).toBe("first of May");
    expect(nameAt("2025-05-01T23:59:59Z")).toBe("first of May");
    expect(nameAt("2025-05-02T00:00:00Z")).toBeUndefined();
    expect(nameAt("2025-04-30T23:59:59Z")).toBeUndefined();
  });

  test("moves with Easter", () => {
    const names = ["03-28", "03-29", "03-30", "03-31", "04-01", "04-02"].map((date) =>
      nameAt(`2024-${date}T09:00:00Z`),
    );
    expect(names).toEqual([undefined, "Good Friday", "Holy Saturday", "Easter", "Easter Monday", undefined]);
  });

  test("is each day from Christmas Eve to the second of January, but not all rest on each", () => {
    const turn = [
      "2024-12-23",
      "2024-12-24",
      "2024-12-25",
      "2024-12-28",
      "2025-01-01",
      "2025-01-02",
      "2025-01-03",
    ];
    expect(turn.map((date) => dayOffAt(Date.parse(date))?.isTurnOfYear)).toEqual([
      ...[undefined, true, true, true, true, true],
      undefined,
    ]);
    expect(turn.map((date) => dayOffAt(Date.parse(date))?.isFull)).toEqual([
      ...[undefined, false, true, false, true, false],
      undefined,
    ]);
  });
});
