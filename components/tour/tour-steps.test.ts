import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProgress, tourSteps } from "./tour-steps.ts";

test("each step leads to what it is about, or to the list if that is gone", () => {
  expect(tourSteps.map(({ path }) => path({ contractId: 3, planId: 7 }))).toEqual([
    ...["/findings", "/control-tower", "/data-quality/contracts/3", "/data-quality/contracts/3/edit"],
    ...["/connect", "/ai-actors/plans/7"],
  ]);
  expect(tourSteps.map(({ path }) => path({ contractId: null, planId: null }))).toEqual([
    ...["/findings", "/control-tower", "/data-quality/contracts", "/data-quality/contracts", "/connect"],
    "/ai-actors",
  ]);
});

test("progress is a step, the end, or nothing", () => {
  expect(["1", "6", "over", undefined, "", "0", "7", "1.5", "x"].map(readProgress)).toEqual([
    ...[1, 6, "over", null, null, null, null, null, null],
  ]);
});

test("its figures are those of the README, which describes the same demo", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8").replaceAll("\n", " ");
  for (const said of [
    ...["cities called", "movies from the 2040s", "reports that were entered twice"],
    ...["en subscriptions with four days of history", "One is Critical"],
    ...["^[A-Z0-9]{3,4}$", "from 53.83 to 76.90", "Which tables are in bad shape, and why?"],
  ]) {
    expect(readme).toContain(said);
    expect(tourSteps.map(({ text }) => text).join(" ")).toContain(said);
  }
});
