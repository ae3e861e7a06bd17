import { expect, test } from "vitest";
import { daysFrom, windowBefore } from "./window.ts";

const at = (iso: string) => new Date(iso);

test("in the morning, executions since the previous midnight are subtracted from the counters", () => {
  expect(windowBefore(at("2026-05-31T09:00:00.500Z"), 30)).toEqual({
    from: at("2026-05-01T09:00:00.500Z"),
    countedTo: "2026-04-30",
    edge: { from: at("2026-05-01T00:00:00Z"), to: at("2026-05-01T09:00:00.500Z") },
    isEdgeInside: false,
  });
});

test("in the evening, executions until the next midnight are added to them", () => {
  expect(windowBefore(at("2026-05-31T21:00:00Z"), 1)).toEqual({
    from: at("2026-05-30T21:00:00Z"),
    countedTo: "2026-05-30",
    edge: { from: at("2026-05-30T21:00:00Z"), to: at("2026-05-31T00:00:00Z") },
    isEdgeInside: true,
  });
});

test("at midnight there is nothing to adjust", () => {
  const { edge, countedTo } = windowBefore(at("2026-05-31T00:00:00Z"), 7);
  expect([edge.from, edge.to, countedTo]).toEqual([
    at("2026-05-24T00:00:00Z"),
    at("2026-05-24T00:00:00Z"),
    "2026-05-23",
  ]);
});

test("a one-day window touches two days, unless it begins at midnight", () => {
  expect(daysFrom(at("2026-02-27T12:00:00Z"), at("2026-02-28T12:00:00Z"))).toEqual([
    "2026-02-27",
    "2026-02-28",
  ]);
  expect(daysFrom(at("2024-02-28T23:59:59.999Z"), at("2024-03-01T00:00:00Z"))).toEqual([
    "2024-02-28",
    "2024-02-29",
    "2024-03-01",
  ]);
});
