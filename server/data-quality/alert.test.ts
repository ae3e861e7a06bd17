import { expect, test } from "vitest";
import { alertContent, isAlertDue } from "./alert.ts";
import { Decimal } from "./score.ts";

const terms = { alertOnFailure: true, failureThreshold: 80 };
const scored = (overallScore: number) => ({ trigger: "Scheduled" as const, overallScore });

test("an alert is due strictly below the threshold", () => {
  expect(isAlertDue(scored(79.99), terms)).toBe(true);
  expect(isAlertDue(scored(80), terms)).toBe(false);
  expect(isAlertDue(scored(80.01), terms)).toBe(false);
  // 0.1 + 0.2 is more than 0.3 for floats, and thresholds may have more places than scores.
  expect(isAlertDue(scored(0.3), { ...terms, failureThreshold: 0.3 })).toBe(false);
  expect(isAlertDue(scored(80), { ...terms, failureThreshold: 80.005 })).toBe(true);
  expect(isAlertDue(scored(0), { ...terms, failureThreshold: 0 })).toBe(false);
});

test("one condition that does not hold is enough for silence", () => {
  expect(isAlertDue({ trigger: "Manual", overallScore: 0 }, terms)).toBe(false);
  expect(isAlertDue(scored(0), { ...terms, alertOnFailure: false })).toBe(false);
});

test("it says the score, the threshold, the table, the counts, and why each rule failed", () => {
  const content = alertContent({
    contract: { id: 7, name: "Orders: daily", failureThreshold: 80 },
    table: { schemaName: "shop", tableName: "orders" },
    overallScore: 64.29,
    passedCount: 3,
    failed: [
      {
        name: "Fresh",
        score: new Decimal("33.3333333"),
        expectedValue: "at most 5 min old",
        actualValue: "90 min old",
        message: "The newest value is old",
      },
      {
        name: "Broken",
        score: new Decimal(0),
        expectedValue: null,
        actualValue: null,
        message: "Execution failed: no",
      },
    ],
  });
  expect(content).toEqual({
    title: "[Data Quality] Orders: daily",
    tone: "Critical",
    summary: "shop.orders scored 64.29, below the threshold of 80: 2 rules failed.",
    facts: [
      { label: "Overall score", value: "64.29" },
      { label: "Threshold", value: "80" },
      { label: "Table", value: "shop.orders" },
      { label: "Rules passed", value: "3" },
      { label: "Rules failed", value: "2" },
    ],
    groups: [
      {
        title: "Fresh",
        facts: [
          { label: "Score", value: "33.33" },
          { label: "Expected", value: "at most 5 min old" },
          { label: "Actual", value: "90 min old" },
          { label: "Message", value: "The newest value is old" },
        ],
      },
      {
        title: "Broken",
        facts: [
          { label: "Score", value: "0" },
          { label: "Message", value: "Execution failed: no" },
        ],
      },
    ],
    link: { label: "Open the contract", path: "/data-quality/contracts/7" },
  });
});
