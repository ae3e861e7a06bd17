import { expect, test } from "vitest";
import { conditionWords, detectionWords, parameterWords } from "./condition-words.ts";

test.each([
  [{ kind: "Always", threshold: null }, "After every run"],
  [{ kind: "RowsFound", threshold: null }, "When rows are found"],
  [{ kind: "RowCountAbove", threshold: 1 }, "Above 1 row"],
  [{ kind: "RowCountAbove", threshold: 0 }, "Above 0 rows"],
  [{ kind: "RowCountBelow", threshold: 12_000 }, "Below 12,000 rows"],
] as const)("%o is said as %s", (condition, words) => {
  expect(conditionWords(condition)).toBe(words);
});

test("anomaly detection names its metric, its limit, and the unit", () => {
  const detection = { enabled: true, method: "Iqr", metric: "RowCount", sensitivity: 1.5 } as const;
  expect(detectionWords(detection)).toBe(
    "Number of rows, beyond 1.5 interquartile ranges from the quartiles",
  );
  expect(detectionWords({ ...detection, method: "PercentageChange", sensitivity: 50 })).toBe(
    "Number of rows, beyond 50\u00a0% from the median",
  );
});

test("text is distinguishable from a number that looks the same", () => {
  expect([parameterWords("5"), parameterWords(5), parameterWords(true), parameterWords(null)]).toEqual([
    "“5”",
    "5",
    "true",
    "null",
  ]);
});
