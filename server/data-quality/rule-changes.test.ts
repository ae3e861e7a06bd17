import { expect, test } from "vitest";
import { ruleChangesBetween, type Scored } from "./rule-changes.ts";

const scored = (key: string, score: number, more: Partial<Scored> = {}): Scored => ({
  key,
  name: key,
  type: "Volume",
  position: 0,
  score,
  passed: score === 100,
  measured: null,
  ...more,
});

test("rules are matched by key, and the most important come first", () => {
  const before = [
    scored("same", 100),
    scored("falls", 100, { position: 1 }),
    scored("rises", 0),
    scored("worse", 50.1),
    scored("better", 50),
    scored("gone", 0, { position: 7 }),
    // A change between passing and failing matters more than the score.
    scored("softer", 40, { passed: true }),
  ];
  const after = [
    scored("same", 100, { name: "Renamed" }),
    scored("falls", 0, { position: 3 }),
    scored("rises", 100),
    scored("worse", 50),
    scored("better", 50.3),
    scored("new", 100),
    scored("softer", 60, { passed: false }),
  ];
  const changes = ruleChangesBetween(before, after);
  expect(changes.map(({ key, change, scoreDelta }) => [key, change, scoreDelta])).toEqual([
    ["softer", "NewlyFailing", 20],
    ["falls", "NewlyFailing", -100],
    ["rises", "Recovered", 100],
    // 50 − 50.1 is −0.10000000000000142 in floating point.
    ["worse", "Worse", -0.1],
    ["better", "Better", 0.3],
    ["new", "Added", null],
    ["gone", "Removed", null],
    ["same", "Unchanged", 0],
  ]);
  expect(changes.at(-1)).toMatchObject({ name: "Renamed", before: { score: 100 }, after: { score: 100 } });
  expect(changes.find(({ key }) => key === "new")).toMatchObject({ before: null, after: { passed: true } });
});

test("compared with nothing, everything is new", () => {
  expect(ruleChangesBetween([], [scored("a", 1)])).toMatchObject([{ change: "Added" }]);
  expect(ruleChangesBetween([], [])).toEqual([]);
});
