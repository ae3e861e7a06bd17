import { expect, test } from "vitest";
import { emptyContract, emptyRule } from "./contract-form.ts";
import { formOfSuggestion, isAmong, type Suggestion } from "./suggested-rules.ts";
import { contractDraftOf, enabledPlaces, problemsOfTrial, trialMark } from "./trial.ts";

const range = { ...emptyRule("Range"), configuration: { column: "amount", min: "0", max: "" } };
const form = emptyContract({ dataSourceId: 3, tableName: "orders", rules: [range, emptyRule("NullRate")] });

test("a rule can be tried while the contract has no name and another rule is not complete", () => {
  expect(problemsOfTrial(form, 0)).toEqual([]);
  expect(problemsOfTrial(form, 1).map(({ path }) => path)).toContain("rules.1.configuration.column");
  expect(problemsOfTrial(form).length).toBeGreaterThan(0);
});

test("without a table there is nothing to try a rule on", () => {
  expect(problemsOfTrial({ ...form, tableName: "" }, 0).map(({ path }) => path)).toEqual(["tableName"]);
});

test("a draft is tried without what does not change its score", () => {
  expect(Object.keys(contractDraftOf(form)).toSorted()).toEqual([
    "dataSourceId",
    "rules",
    "samples",
    "tableName",
  ]);
});

test("a trial is of the rule's check and target, not of its name or weight", () => {
  const mark = trialMark(form, range);
  expect(trialMark({ ...form, tableName: "returns" }, range)).not.toBe(mark);
  expect(trialMark(form, { ...range, configuration: { ...range.configuration, max: "9" } })).not.toBe(mark);
  expect(trialMark(form, { ...range, ...{ name: "Other", weight: "2" } })).toBe(mark);
});

test("results come for the enabled rules, in their order", () => {
  expect(enabledPlaces([{ enabled: true }, { enabled: false }, {}])).toEqual([0, 2]);
});

test("a suggestion that a rule of the contract already checks is not offered again", () => {
  const suggestion = (min: string): Suggestion => ({
    rule: {
      name: "amount is not negative",
      type: "Range",
      column: "amount",
      severity: "High",
      weight: 1,
      enabled: true,
      configuration: { column: "amount", min },
    },
    evidence: "from 0 to 900",
    passes: true,
  });
  expect(isAmong(suggestion("0"), [range])).toBe(true);
  expect(isAmong(suggestion("1"), [range])).toBe(false);
  expect(formOfSuggestion(suggestion("1"))).toMatchObject({
    weight: "1",
    configuration: { min: "1", max: "" },
  });
  expect(formOfSuggestion(suggestion("1"))).not.toHaveProperty("key");
});
