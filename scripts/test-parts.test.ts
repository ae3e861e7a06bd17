import { expect, test } from "vitest";
import { partsOf } from "./test-parts.ts";

const journeys = ["jobs", "keys"];
const none = { lint: false, types: false, unit: null, e2e: null };

test("without arguments, everything runs", () => {
  expect(partsOf([], journeys)).toEqual({ lint: true, types: true, unit: [], e2e: [] });
});

test.each([
  [["lint"], { ...none, lint: true }],
  [["types", "unit"], { ...none, types: true, unit: [] }],
  [
    ["server/jobs", "components/ui/days.test.ts", "bench/findings"],
    { ...none, unit: ["server/jobs", "components/ui/days.test.ts", "bench/findings"] },
  ],
  [["keys"], { ...none, e2e: ["e2e/keys.spec.ts"] }],
  [["e2e/jobs.spec.ts", "keys.spec.ts"], { ...none, e2e: ["e2e/jobs.spec.ts", "e2e/keys.spec.ts"] }],
  // A whole part includes anything else named from it.
  [["e2e", "keys"], { ...none, e2e: [] }],
  [["server", "unit"], { ...none, unit: [] }],
])("%j", (named, parts) => {
  expect(partsOf(named, journeys)).toEqual(parts);
});

test.each(["key", "servers", "e2e/nothing.spec.ts"])("%s is no part, and what is one is said", (name) => {
  expect(() => partsOf([name], journeys)).toThrow(`There is no part ${name}: name lint, types, unit, e2e`);
});
