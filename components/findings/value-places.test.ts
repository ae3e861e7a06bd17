import { expect, test } from "vitest";
import { valuePlaces } from "./value-places.ts";

const range = { low: "20", high: "80", median: "50" };

test("near values keep their distances, between 4 and 96 percent of the line", () => {
  // From 20 to 120: a fifth of the 92 percent for each 20.
  expect(valuePlaces({ range, doubted: [{ value: "120", rows: 1 }] })).toEqual({
    ...{ low: 4, high: 59.2, median: 31.6, isLogarithmic: false },
    doubted: [{ value: "120", rows: 1, place: 96 }],
  });
});

test("a far value leaves room for what is usual", () => {
  const places = valuePlaces({ range, doubted: [{ value: "48000.00", rows: 1 }] });
  expect(places?.isLogarithmic).toBe(true);
  expect(places?.doubted[0]?.place).toBe(96);
  expect((places?.high ?? 0) - (places?.low ?? 0)).toBeGreaterThan(15);
});

test("moments are placed by time", () => {
  const days = { low: "2026-01-01", high: "2026-01-11", median: "2026-01-06 00:00:00" };
  const places = valuePlaces({ range: days, doubted: [{ value: "2026-01-21T00:00:00Z", rows: 2 }] });
  expect(places).toMatchObject({ low: 4, high: 50, doubted: [{ place: 96 }] });
});

test("there is no picture of texts, of what is masked, and of nothing", () => {
  expect(valuePlaces({ doubted: [{ value: "3", rows: 1 }] })).toBeNull();
  expect(valuePlaces({ range, doubted: [{ value: "•••", rows: 1 }] })).toBeNull();
  expect(valuePlaces({ range: { ...range, low: "" }, doubted: [{ value: "3", rows: 1 }] })).toBeNull();
  expect(
    valuePlaces({ range: { low: "3", high: "3", median: "3" }, doubted: [{ value: "3", rows: 1 }] }),
  ).toBeNull();
});
