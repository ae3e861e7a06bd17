import { expect, test } from "vitest";
import { alertContent } from "./alert.ts";
import { Decimal } from "./decimal.ts";

test("it contains the score, the threshold, the table, the counts, and why each rule failed", () => {
  const content = alertContent({
    contract: { id: 7, name: "Orders: daily", failureThreshold: 80, timezone: "UTC" },
    table: { schemaName: "shop", tableName: "orders" },
    overallScore: 64.29,
    passedCount: 3,
    ...{ news: "Opened", open: null, newlyFailing: [], recentScores: [], outage: null, freeTaskId: 3 },
    failed: [
      {
        key: "fresh",
        name: "Fresh",
        score: new Decimal("33.3333333"),
        expectedValue: "at most 5 min old",
        actualValue: "90 min old",
        message: "The newest value is old",
      },
      {
        key: "broken",
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
    actions: [
      { label: "Silence 1 h", path: "/act/silence-contract/7?span=hour" },
      { label: "Silence until tomorrow", path: "/act/silence-contract/7?span=tomorrow" },
      { label: "Assign to me", path: "/act/take-task/3" },
    ],
  });
});

const alert = {
  contract: { id: 7, name: "Orders", failureThreshold: 80, timezone: "Europe/Berlin" },
  table: { schemaName: "shop", tableName: "orders" },
  overallScore: 40,
  passedCount: 1,
  failed: [failed("a", "Fresh"), failed("b", "Complete")],
  news: "Opened" as const,
  open: { openedAt: new Date("2026-03-01T06:00:07Z"), lastToldScore: 64.29, toldNotEvaluated: false },
  newlyFailing: [],
  recentScores: [],
  freeTaskId: null,
  outage: null,
};

function failed(key: string, name: string) {
  return { key, name, score: new Decimal(0), expectedValue: null, actualValue: null, message: "No" };
}

test("a repeated alert says what has changed", () => {
  expect(alertContent({ ...alert, news: "Changed", newlyFailing: ["b"] }).summary).toBe(
    "shop.orders scored 40, below the threshold of 80: 2 rules failed. The last alert reported 64.29. Newly failing: Complete.",
  );
  expect(alertContent({ ...alert, news: "Reminder" }).summary).toBe(
    "shop.orders scored 40, below the threshold of 80: 2 rules failed. The alert has been open since 2026-03-01 06:00 UTC.",
  );
  expect(alertContent({ ...alert, news: "Reminder" }).moments).toEqual([
    { words: "2026-03-01 06:00 UTC", at: "2026-03-01T06:00:07.000Z", zone: "Europe/Berlin" },
  ]);
  expect(alertContent({ ...alert, news: "Recovered", overallScore: 91.5, failed: [] })).toMatchObject({
    title: "[Data Quality] Orders",
    tone: "Good",
    summary:
      "shop.orders recovered: it scored 91.5 (threshold 80). The alert had been open since 2026-03-01 06:00 UTC.",
  });
});

test("a connection failure is reported as such, with everything else in an alert", () => {
  const outage = {
    reason: "Connection refused: nothing is listening on this host and port",
    lastMeasured: { score: 96.2, evaluatedAt: new Date("2026-02-28T06:00:09Z") },
  };
  const content = alertContent({ ...alert, overallScore: 0, passedCount: 0, open: null, outage });
  expect(content).toMatchObject({
    title: "[Data Quality] Orders",
    summary:
      "shop.orders could not be evaluated: Connection refused: nothing is listening on this host and port. The last measured score is 96.2, from 2026-02-28 06:00 UTC.",
    facts: [
      { label: "Overall score", value: "0 (not measured)" },
      { label: "Threshold", value: "80" },
      { label: "Table", value: "shop.orders" },
      { label: "Rules passed", value: "0" },
      { label: "Rules failed", value: "2 (not measured)" },
    ],
    groups: [{ title: "Fresh" }, { title: "Complete" }],
  });
  expect(
    alertContent({ ...alert, news: "Changed", open: { ...alert.open, toldNotEvaluated: true } }).summary,
  ).toBe(
    "shop.orders scored 40, below the threshold of 80: 2 rules failed. The data source can be reached again.",
  );
});

test("a right-to-left name is isolated in a sentence, and unchanged in the title", () => {
  const { title, summary } = alertContent({
    ...alert,
    contract: { ...alert.contract, name: "הזמנות" },
    table: { schemaName: "shop", tableName: "הזמנות" },
  });
  expect(title).toBe("[Data Quality] הזמנות");
  expect(summary).toMatch(/^\u2068shop\.הזמנות\u2069 scored 40, below/);
});

test("it shows the scores of the evaluations before as bars, with gaps where nothing was measured", () => {
  const { facts } = alertContent({ ...alert, recentScores: [100, null, 50] });
  expect(facts.at(-1)).toEqual({ label: "The last 3 evaluations", value: "█·▅  50 to 100" });
});
