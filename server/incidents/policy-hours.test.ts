import { expect, test } from "vitest";
import { isWithin } from "./policy-hours.ts";

const at = (iso: string) => new Date(`${iso}Z`);
const work = { days: [1, 2, 3, 4, 5], from: "08:00", until: "18:00", timezone: "Europe/Berlin" };

test("hours are those of the zone, the start within and the end not", () => {
  // 1 February 2030 is a Friday; Berlin is an hour ahead.
  expect(isWithin(work, at("2030-02-01T06:59"))).toBe(false);
  expect(isWithin(work, at("2030-02-01T07:00"))).toBe(true);
  expect(isWithin(work, at("2030-02-01T16:59"))).toBe(true);
  expect(isWithin(work, at("2030-02-01T17:00"))).toBe(false);
  expect(isWithin(work, at("2030-02-02T10:00"))).toBe(false);
  expect(isWithin(null, at("2030-02-02T10:00"))).toBe(true);
});

test("hours past midnight belong to the day on which they begin", () => {
  const nights = { ...work, days: [5], from: "22:00", until: "06:00", timezone: "UTC" };
  expect(isWithin(nights, at("2030-02-01T05:00"))).toBe(false);
  expect(isWithin(nights, at("2030-02-01T22:00"))).toBe(true);
  expect(isWithin(nights, at("2030-02-02T05:59"))).toBe(true);
  expect(isWithin(nights, at("2030-02-02T22:00"))).toBe(false);
});

test("an end that is the start means around the clock", () => {
  const whole = { ...work, days: [7], from: "00:00", until: "00:00", timezone: "UTC" };
  expect(isWithin(whole, at("2030-02-03T00:00"))).toBe(true);
  expect(isWithin(whole, at("2030-02-03T23:59"))).toBe(true);
  expect(isWithin(whole, at("2030-02-04T00:00"))).toBe(false);
});
