import { expect, test } from "vitest";
import { isLasting } from "./is-lasting.ts";

const noon = Date.parse("2026-03-01T12:00:00Z");

test.each([
  ["until later", "2026-03-01T12:00:01Z", null, true],
  ["until this moment", "2026-03-01T12:00:00Z", null, false],
  ["until earlier", "2026-02-28T12:00:00Z", null, false],
  ["until later, but ended by a person", "2026-04-01T00:00:00Z", "2026-03-01T11:00:00Z", false],
])("a failure known %s", (_, until, endedAt, lasts) => {
  expect(isLasting({ until, endedAt }, noon)).toBe(lasts);
});
