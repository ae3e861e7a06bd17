import { expect, test } from "vitest";
import { budgetHint, budgetOf, budgetValue, isValidBudget } from "./budget.ts";

test("a budget of bytes is typed in GB, and one of seconds as it is", () => {
  expect(budgetOf("2.5", "bytes")).toBe(2_500_000_000);
  expect(budgetValue(2_500_000_000, "bytes")).toBe("2.5");
  expect(budgetOf(" 600 ", "seconds")).toBe(600);
  expect(budgetValue(600, "seconds")).toBe("600");
});

test("an empty field is no budget", () => {
  expect(budgetOf("  ", "credits")).toBeNull();
  expect([budgetValue(null, "bytes"), budgetValue(undefined, "seconds")]).toEqual(["", ""]);
  expect(isValidBudget("")).toBe(true);
});

test.each(["0", "-1", "many", "Infinity", "1,5"])("%s is no budget", (text) => {
  expect(isValidBudget(text)).toBe("must be a number, more than 0");
});

test("the hint says in words what was typed", () => {
  expect(budgetHint("0.5", "bytes")).toMatch(/^500 MB billed\. When it is spent/);
  expect(budgetHint("", "bytes")).toMatch(/^No limit\./);
});
