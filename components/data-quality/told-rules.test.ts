import { expect, test } from "vitest";
import { emptyRule } from "./contract-form.ts";
import { toldOf, toldRules } from "./told-rules.ts";

const nulls = { ...emptyRule("NullRate"), name: "No email is missing" };
nulls.configuration = { ...nulls.configuration, column: "email", maxNullPercent: 0 };
const volume = emptyRule("Volume");
const told = toldRules([nulls, volume], ["No email is NULL", "The table has … rows"]);

test("a rule as it was has the sentence that came with it, wherever it is and whatever it is called", () => {
  expect(toldOf(told, structuredClone(nulls))).toBe("No email is NULL");
  expect(toldOf(told, { ...nulls, name: "Another name" })).toBe("No email is NULL");
  expect(toldOf(told, volume)).toBe("The table has … rows");
});

test("a rule that says something else has none", () => {
  const changed = [
    { ...nulls, configuration: { ...nulls.configuration, column: "phone" } },
    { ...nulls, severity: "High" as const },
    { ...nulls, weight: "2" },
    { ...nulls, enabled: false },
    { ...nulls, type: "Uniqueness" as const },
  ];
  expect(changed.map((rule) => toldOf(told, rule))).toEqual([null, null, null, null, null]);
});
