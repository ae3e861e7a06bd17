import sharp from "sharp";
import { expect, test } from "vitest";
import type { NotificationChart } from "../content.ts";
import { chartPicture, chartWords } from "./chart-picture.ts";
import { shortFigure } from "./figures.ts";

/** Reads a pixel as another program decodes it. */
async function decoded(chart: NotificationChart) {
  const { data, info } = await sharp(chartPicture(chart)).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([1120, 300, 3]);
  return (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
}

const white = [255, 255, 255];
const blue = [53, 103, 201];
const red = [214, 69, 69];
const amber = [185, 122, 0];
const pale = [226, 236, 250];

const scores: NotificationChart = {
  ...{ name: "Score of the last 3 evaluations", values: [100, 100, 50], from: 0, to: 100 },
  limit: { is: "AtLeast", value: 80 },
};

test("the numbers are a line from the left to the last, which is marked", async () => {
  // The scale is from y = 264 (0) to y = 36 (100), the runs at x = 24, 497, and 970.
  const at = await decoded(scores);
  expect(at(200, 36)).toEqual(blue);
  expect(at(970, 150)).toEqual(red);
  expect(at(200, 150)).toEqual(white);
  // The threshold, dashed: 80 is at y = 81.6.
  expect(at(28, 81)).toEqual(amber);
  expect(at(38, 81)).toEqual(white);
});

test("what is as expected is not red; what is usual is a band", async () => {
  const rows = { name: "Rows of the last 2 runs", values: [10, 10], usual: { low: 5, high: 10 } };
  const at = await decoded(rows);
  expect(at(970, 36)).toEqual(blue);
  expect(at(500, 100)).toEqual(pale);
  expect(at(500, 200)).toEqual(white);
  expect((await decoded({ ...rows, values: [10, 4] }))(970, 173)).toEqual(red);
  const atMost = { name: "Rows", values: [1, 3], limit: { is: "AtMost" as const, value: 2 } };
  expect((await decoded(atMost))(970, 36)).toEqual(red);
});

test("a run without a number is a gap, also the last one", async () => {
  const at = await decoded({ ...scores, values: [100, null, 100, 100, null] });
  // At x = 24, 260.5, 497, 733.5, and 970.
  expect(at(24, 36)).toEqual(blue);
  expect(at(260, 36)).toEqual(white);
  expect(at(600, 36)).toEqual(blue);
  expect(at(970, 36)).toEqual(white);
});

test("numbers that are all the same, or none, can be drawn", async () => {
  expect((await decoded({ name: "Rows", values: [0, 0] }))(500, 264)).toEqual(blue);
  expect((await decoded({ name: "Rows", values: [null, null] }))(500, 150)).toEqual(white);
});

test("the description has the same in words", () => {
  expect(chartWords(scores)).toBe(
    "Score of the last 3 evaluations: 50 to 100, now 50. At least 80 is expected.",
  );
  expect(chartWords({ name: "Rows", values: [1, 20_000, null], usual: { low: 0, high: 4 } })).toBe(
    "Rows: 1 to 20,000, none at last. Usual: 0 to 4.",
  );
});

test("figures are short", () => {
  expect([0, 98.25, 64.294, 9999, 12_500, 3_040_000, -12].map(shortFigure)).toEqual([
    ...["0", "98.25", "64.29", "9999", "12.5k", "3M", "-12"],
  ]);
});
