import { expect, test } from "vitest";
import { failingWords, leavingOut, leftOutOf, type Suggestion, withoutValues } from "./suggested-rules.ts";

const list: Suggestion = {
  rule: {
    ...{ name: "size is one of 3 values", type: "AllowedValues", column: "size", severity: "Medium" },
    ...{ weight: 1, enabled: true },
    configuration: { column: "size", values: ["small", "large", "Large"] },
  },
  evidence: "3 values in 1,188 rows",
  values: [
    { value: "small", rows: 700, isRare: false },
    { value: "large", rows: 480, isRare: false },
    { value: "Large", rows: 8, isRare: true },
  ],
  passes: true,
  finding: null,
};

test("a list without a value fails for that value's rows", () => {
  const chosen = withoutValues(list, leavingOut({}, list, "Large", true));
  expect(chosen.rule).toMatchObject({
    name: "size is one of 2 values",
    configuration: { column: "size", values: ["small", "large"] },
  });
  expect(failingWords(chosen)).toBe("Fails: 8 rows");
});

test("nothing left out is the suggestion itself, which passes", () => {
  expect(withoutValues(list, {})).toBe(list);
  expect(failingWords(list)).toBeNull();
});

test("a value is left out and taken back", () => {
  const without = leavingOut({}, list, "Large", true);
  expect(leftOutOf(list, without)).toEqual(["Large"]);
  expect(leftOutOf(list, leavingOut(without, list, "Large", false))).toEqual([]);
});

test("a value in doubt is left out at first, and can be taken in", () => {
  const configuration = { column: "size", values: ["small", "large"] };
  const doubting: Suggestion = { ...list, rule: { ...list.rule, configuration }, passes: false };
  expect(leftOutOf(doubting, {})).toEqual(["Large"]);
  expect(failingWords(withoutValues(doubting, {}))).toBe("Fails: 8 rows");
  const whole = withoutValues(doubting, leavingOut({}, doubting, "Large", false));
  expect(whole.rule.configuration).toEqual({ column: "size", values: ["small", "large", "Large"] });
  expect(failingWords(whole)).toBeNull();
});
