import { expect, test } from "vitest";
import { hoursWords } from "./weekdays.ts";

const hours = (days: number[]) => hoursWords({ days, from: "22:00", until: "06:00", timezone: "UTC" });

test("days in a row are a span, two are named", () => {
  expect(hours([1, 2, 3, 4, 5])).toBe("Mon–Fri 22:00–06:00");
  expect(hours([7, 6])).toBe("Sat, Sun 22:00–06:00");
  expect(hours([1, 3, 4, 5])).toBe("Mon, Wed–Fri 22:00–06:00");
  expect(hours([1, 2, 3, 4, 5, 6, 7])).toBe("Daily 22:00–06:00");
});
