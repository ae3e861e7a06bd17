import { expect, test } from "vitest";
import { phaseSteps } from "./phase-steps.ts";

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const states = (course: Parameters<typeof phaseSteps>[0]) => phaseSteps(course).map(({ state }) => state);

test("what lies behind is done, what it is at is current, the rest is ahead", () => {
  expect(states({ kind: "ThinkCycle", phase: "Planning" })).toEqual([
    ...["done", "current", "ahead", "ahead", "ahead"],
  ]);
  expect(states({ kind: "ThinkCycle", phase: "Analyzing" })[0]).toBe("current");
});

test("all of it is done at the end", () => {
  expect(new Set(states({ kind: "ThinkCycle", phase: "Completed" }))).toEqual(new Set(["done"]));
});

test("the run of a plan begins where its actions are applied", () => {
  expect(phaseSteps({ kind: "PlanRun", phase: "Executing" }).map(({ phase }) => phase)).toEqual([
    ...["Executing", "Notifying", "Completed"],
  ]);
});

test("a failure stands where it came about, with the time at which each phase began", () => {
  const steps = phaseSteps({
    ...{ kind: "ThinkCycle", phase: "Failed" },
    phaseTimes: [
      { phase: "Analyzing", at: at(1) },
      { phase: "Planning", at: at(2) },
      { phase: "Failed", at: at(3) },
    ],
  });
  expect(steps.map(({ state }) => state)).toEqual(["done", "failed", "ahead", "ahead", "ahead"]);
  expect(steps.map((step) => step.at)).toEqual([at(1), at(2), null, null, null]);
});
