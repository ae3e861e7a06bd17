import { expect, test } from "vitest";
import { phaseSteps } from "./phase-steps.ts";

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const states = (course: Parameters<typeof phaseSteps>[0]) => phaseSteps(course).map(({ state }) => state);

test("past phases are done, the current one is current, the rest are ahead", () => {
  expect(states({ kind: "ThinkCycle", phase: "Planning" })).toEqual([
    ...["done", "current", "ahead", "ahead", "ahead"],
  ]);
  expect(states({ kind: "ThinkCycle", phase: "Analyzing" })[0]).toBe("current");
});

test("every phase is done at the end", () => {
  expect(new Set(states({ kind: "ThinkCycle", phase: "Completed" }))).toEqual(new Set(["done"]));
});

test("a plan run starts at the phase that applies actions", () => {
  expect(phaseSteps({ kind: "PlanRun", phase: "Executing" }).map(({ phase }) => phase)).toEqual([
    ...["Executing", "Notifying", "Completed"],
  ]);
});

test("a failure is marked on the phase where it happened, with each phase's start time", () => {
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
