import { expect, test } from "vitest";
import { barWords, histogramWords } from "./histogram-words.ts";

const numbers = (...bars: [number, number, number][]) => ({
  of: "number" as const,
  bars: bars.map(([from, to, rows]) => ({ from, to, rows })),
  ...{ below: 0, above: 0 },
});

test("bars of single integers are named by them, others by their range", () => {
  const stars = numbers([1, 1, 1200], [2, 2, 0], [3, 3, 1]);
  expect(barWords(stars.bars[0], stars)).toBe("1: 1,200 rows");
  expect(histogramWords("stars", stars)).toBe("Rows by stars. 1: 1,200 rows; 3: 1 row.");
  const prices = numbers([0.5, 0.75, 2], [0.75, 1, 3]);
  expect(barWords(prices.bars[1], prices)).toBe("0.75 to 1: 3 rows");
  expect(barWords(prices.bars[0], prices, "from")).toBe("0.5");
});

test("moments are days, or times where bars are shorter than a day", () => {
  const at = Date.UTC(2024, 4, 1, 6);
  const hour = 3_600_000;
  const moments = (width: number) => ({
    of: "moment" as const,
    bars: [0, 1].map((index) => ({ from: at + index * width, to: at + (index + 1) * width, rows: 1 })),
    ...{ below: 2, above: 0 },
  });
  expect(barWords(moments(48 * hour).bars[0], moments(48 * hour), "from")).toBe("2024-05-01");
  expect(histogramWords("at", moments(hour))).toBe(
    "Rows by at. 2024-05-01 06:00 to 2024-05-01 07:00: 1 row; 2024-05-01 07:00 to 2024-05-01 08:00: 1 row. 2 rows far below.",
  );
});
