import { expect, test } from "vitest";
import { evidenceGates } from "./evidence-gates.ts";

test("valid SQL passed every gate", () => {
  const gates = evidenceGates({ valid: true, issues: [] });
  expect(gates.map(({ gate }) => gate)).toEqual(["limits", "parameters", "read-only", "engine", "run"]);
  expect(gates.every(({ error, isReached }) => error === null && isReached)).toBe(true);
});

test("rejected SQL passed the gates before and did not reach the ones after", () => {
  const gates = evidenceGates({
    valid: false,
    issues: [{ gate: "read-only", error: "Only SELECT is allowed" }],
  });
  expect(gates.map(({ isReached }) => isReached)).toEqual([true, true, true, false, false]);
  expect(gates[2]).toMatchObject({ gate: "read-only", error: "Only SELECT is allowed" });
});

test("several errors from one gate are shown together", () => {
  const [limits] = evidenceGates({
    valid: false,
    issues: [
      { gate: "limits", error: "One." },
      { gate: "limits", error: "Two." },
    ],
  });
  expect(limits?.error).toBe("One. Two.");
});

test("invalid SQL without a known reason reached no gate", () => {
  expect(evidenceGates({ valid: false, issues: [] }).some(({ isReached }) => isReached)).toBe(false);
});
