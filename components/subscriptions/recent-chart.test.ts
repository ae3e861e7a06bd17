import { expect, test } from "vitest";
import { recentWords } from "./recent-chart.tsx";

test("the last runs in words", () => {
  const words = (values: (number | null)[], anomalies: boolean[] = [], metric = "RowCount" as const) =>
    recentWords({ metric, values, anomalies });
  expect(words([3, 50, null, 22], [false, true, false, false])).toBe(
    "Rows in the last 4 runs: 3 to 50, last 22, 1 anomaly",
  );
  expect(words([0, 0])).toBe("Rows in the last 2 runs: always 0, last 0");
  expect(words([1234, null])).toBe("Rows in the last 2 runs: always 1,234, none in the last one");
  expect(recentWords({ metric: "FirstNumericColumn", values: [8.25], anomalies: [false] })).toBe(
    "Values in the last 1 run: always 8.25, last 8.25",
  );
});
