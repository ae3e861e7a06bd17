import { expect, test } from "vitest";
import { anomalyWords, barsPath, dayName } from "./anomaly-days.ts";

const day = (date: string, count: number) => ({ date, count });

test("lists the days with anomalies, latest first", () => {
  expect(anomalyWords([day("2025-11-09", 11), day("2025-11-10", 0), day("2025-11-12", 3)])).toBe(
    "14 anomalies: 3 on 12 Nov, 11 on 9 Nov",
  );
  expect(anomalyWords([day("2025-11-09", 1)])).toBe("1 anomaly: 1 on 9 Nov");
  expect(anomalyWords([day("2025-11-09", 0)])).toBe("No anomalies");
  expect(anomalyWords([])).toBe("No anomalies");
});

test("lists at most the latest ten days", () => {
  const days = Array.from({ length: 12 }, (_, index) =>
    day(`2025-11-${String(index + 1).padStart(2, "0")}`, 2),
  );
  expect(anomalyWords(days)).toMatch(
    /^24 anomalies: 2 on 12 Nov, .*2 on 3 Nov, the others on 2 earlier days$/,
  );
});

test("days are UTC, whatever the browser's time zone", () => {
  expect(dayName("2025-12-31")).toBe("31 Dec");
});

test("each day with anomalies has a bar, proportional to the largest and never too low to see", () => {
  expect(barsPath([day("2025-11-09", 100), day("2025-11-10", 0), day("2025-11-11", 1)], 30, 20)).toBe(
    "M1.00 20v-20.00h8.00V20zM21.00 20v-2.00h8.00V20z",
  );
  expect(barsPath([day("2025-11-09", 0)], 30, 20)).toBe("");
});
