import { expect, test } from "vitest";
import { type Attempt, combined, filesToRepeat, type Outcome, playwrightAttempt } from "./test-attempts.ts";

const outcome = (file: string, title: string, state: Outcome["state"] = "passed"): Outcome => ({
  file,
  title,
  state,
});
const attempt = (outcomes: Outcome[], errors: string[] = []): Attempt => ({ outcomes, errors, remarks: [] });

test("a file with failed tests is run a second time, once", () => {
  const outcomes = [outcome("a", "1"), outcome("b", "1", "failed"), outcome("b", "2", "failed")];
  expect(filesToRepeat(attempt(outcomes))).toEqual(["b"]);
  expect(filesToRepeat(attempt([outcome("a", "1"), outcome("a", "2", "skipped")]))).toEqual([]);
});

test("when many files fail, nothing is run a second time; one of which all tests failed is", () => {
  const whole = Array.from({ length: 30 }, (_, number) => outcome("a", `${number}`, "failed"));
  expect(filesToRepeat(attempt(whole))).toEqual(["a"]);
  const failed = (many: number) =>
    attempt(Array.from({ length: many }, (_, number) => outcome(`file ${number}`, "1", "failed")));
  expect(filesToRepeat(failed(10))).toHaveLength(10);
  expect(filesToRepeat(failed(11))).toEqual([]);
});

test("a test that passes at the second attempt counts as passed, once, and is named", () => {
  const first = attempt([outcome("a", "1"), outcome("b", "1", "failed"), outcome("b", "2", "skipped")]);
  const both = combined(first, attempt([outcome("b", "1"), outcome("b", "2")]));
  expect(both.outcomes).toEqual([outcome("a", "1"), outcome("b", "1"), outcome("b", "2")]);
  expect(both.late).toEqual([outcome("b", "1", "failed")]);
});

test("a file that could not be loaded at first is named", () => {
  const unloaded = outcome("b", "the file itself", "failed");
  const both = combined(attempt([outcome("a", "1"), unloaded]), attempt([outcome("b", "1")]));
  expect(both.outcomes).toEqual([outcome("a", "1"), outcome("b", "1")]);
  expect(both.late).toEqual([unloaded]);
});

test("a test that fails twice, or only the second time, counts as failed", () => {
  const first = attempt([outcome("b", "1", "failed"), outcome("b", "2")]);
  const both = combined(first, attempt([outcome("b", "1", "failed"), outcome("b", "2", "failed")]));
  expect(both.outcomes.map(({ state }) => state)).toEqual(["failed", "failed"]);
  expect(both.late).toEqual([]);
});

test("what failed outside of any test stays failed", () => {
  const first = attempt([outcome("b", "1", "failed")], ["A process ended"]);
  expect(combined(first, attempt([outcome("b", "1")])).errors).toEqual(["A process ended"]);
});

test("Playwright's report has the tests of groups, and those that did not run", () => {
  const spec = (title: string, status: string) => ({ title, file: "keys.spec.ts", tests: [{ status }] });
  const report = {
    suites: [
      {
        title: "keys.spec.ts",
        specs: [spec("one", "expected")],
        suites: [{ title: "a group", specs: [spec("two", "unexpected"), spec("three", "skipped")] }],
      },
    ],
    errors: [{ message: "The service ended with 1" }],
  };
  expect(playwrightAttempt(report, "e2e")).toEqual({
    outcomes: [
      outcome("e2e/keys.spec.ts", "one"),
      outcome("e2e/keys.spec.ts", "two", "failed"),
      outcome("e2e/keys.spec.ts", "three", "skipped"),
    ],
    errors: ["The service ended with 1"],
    remarks: [],
  });
});
