import { expect, test } from "vitest";
import { sorted } from "./sorted.ts";

const rows = [
  { name: "table 10", score: 50 },
  { name: "Table 9", score: null },
  { name: "air", score: 97.5 },
];
const names = (list: { name: string }[]) => list.map((row) => row.name);

test("text sorts naturally: case is ignored, 9 comes before 10", () => {
  expect(names(sorted(rows, (row) => row.name, "asc"))).toEqual(["air", "Table 9", "table 10"]);
  expect(names(sorted(rows, (row) => row.name, "desc"))).toEqual(["table 10", "Table 9", "air"]);
});

test("missing values come last in both directions", () => {
  expect(names(sorted(rows, (row) => row.score, "asc"))).toEqual(["table 10", "air", "Table 9"]);
  expect(names(sorted(rows, (row) => row.score, "desc"))).toEqual(["air", "table 10", "Table 9"]);
});
