import { expect, test } from "vitest";
import { occasionWords, planTitle } from "./plan-words.ts";

const note = "Only the orders";

test.each([
  ["InitialSetup", null, "Initial setup"],
  // Sent back, with what should change.
  ["InitialSetup", note, "Initial setup"],
  ["SubscriptionExecution", null, "Plan after a think cycle"],
  ["UserInstruction", note, "Plan from an instruction"],
  ["UserInstruction", null, "Proposed by an assistant"],
] as const)("the title of a plan by %s with the note %s", (trigger, userInstruction, title) => {
  expect(planTitle({ trigger, userInstruction })).toBe(title);
});

test.each([
  ["ThinkCycle", "UserInstruction", null, "Proposed by an assistant of Ada"],
  ["ThinkCycle", "UserInstruction", note, "Told what to change by Ada"],
  ["ThinkCycle", "SubscriptionExecution", null, "Asked to think by Ada"],
  ["ThinkCycle", "SubscriptionExecution", note, "Plan sent back by Ada"],
  ["ThinkCycle", "InitialSetup", null, "Initial setup, begun by Ada"],
  ["PlanRun", "UserInstruction", null, "Plan approved by Ada"],
] as const)("a %s by %s with the note %s", (kind, trigger, userInstruction, words) => {
  const requestedBy = { id: 1, name: "Ada" };
  expect(occasionWords({ kind, trigger, userInstruction, requestedBy })).toBe(words);
});
