import { expect, test } from "vitest";
import { emptyRule } from "./contract-form.ts";
import { emptyContract } from "./new-values.ts";
import { formOfSuggestion, isAlreadyChecked, type Suggestion } from "./suggested-rules.ts";
import { contractDraftOf, enabledPlaces, problemsOfTrial, trialKey } from "./trial.ts";

const range = { ...emptyRule("Range"), configuration: { column: "amount", min: "0", max: "" } };
const form = emptyContract({ dataSourceId: 3, tableName: "orders", rules: [range, emptyRule("NullRate")] });

test("a rule can be tried while the contract has no name and another rule is incomplete", () => {
  expect(problemsOfTrial(form, 0)).toEqual([]);
  expect(problemsOfTrial(form, 1).map(({ path }) => path)).toContain("rules.1.configuration.column");
  expect(problemsOfTrial(form).length).toBeGreaterThan(0);
});

test("a trial needs a table", () => {
  expect(problemsOfTrial({ ...form, tableName: "" }, 0).map(({ path }) => path)).toEqual(["tableName"]);
});

test("a draft leaves out what doesn't affect the score", () => {
  expect(Object.keys(contractDraftOf(form)).toSorted()).toEqual([
    "dataSourceId",
    "rules",
    "samples",
    "tableName",
  ]);
});

test("a trial depends on the rule's check and target, not on its name or weight", () => {
  const mark = trialKey(form, range);
  expect(trialKey({ ...form, tableName: "returns" }, range)).not.toBe(mark);
  expect(trialKey(form, { ...range, configuration: { ...range.configuration, max: "9" } })).not.toBe(mark);
  expect(trialKey(form, { ...range, ...{ name: "Other", weight: "2" } })).toBe(mark);
});

test("results come in the order of the enabled rules", () => {
  expect(enabledPlaces([{ enabled: true }, { enabled: false }, {}])).toEqual([0, 2]);
});

test("a suggestion the contract already covers is not offered again", () => {
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
    values: null,
    finding: null,
    passes: true,
  });
  expect(isAlreadyChecked(suggestion("0"), [range])).toBe(true);
  expect(isAlreadyChecked(suggestion("1"), [range])).toBe(false);
  expect(formOfSuggestion(suggestion("1"))).toMatchObject({
    weight: "1",
    configuration: { min: "1", max: null },
  });
  expect(formOfSuggestion(suggestion("1"))).not.toHaveProperty("key");
});
