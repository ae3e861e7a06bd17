import { expect, test } from "vitest";
import { isRare, shareOf } from "./rare-values.ts";

const rareOf = (...counts: number[]) => {
  const all = counts.map((rows, place) => ({ value: String(place), rows }));
  return all.filter((each) => isRare(each, all)).map(({ rows }) => rows);
};

test.each([
  [[900, 99, 1], [1]],
  // 2% of all rows, and no more.
  [[980, 20], [20]],
  [[979, 21], []],
  // Of fifty values, each has 2%: none is rare among equals.
  [Array.from({ length: 50 }, () => 20), []],
  [[5], []],
])("of %j, %j are rare", (counts, expected) => {
  expect(rareOf(...counts)).toEqual(expected);
});

test("a share that rounds to nothing says so", () => {
  expect([shareOf(206, 20_600), shareOf(1, 1_000_000)]).toEqual(["1.0%", "under 0.1%"]);
});
