import { expect, test } from "vitest";
import { type Cell, databaseOf, randomOf, saidBy, tableOf } from "./corpus.fixture.ts";
import { formats } from "./detectors/format.ts";
import { types } from "./detectors/type.ts";
import { durationsLike } from "./durations.ts";

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  [
    "minutes among seconds",
    ["58.790", "9.120"],
    ["1:02.345", "1:00:02.345"],
    ["1:2.345", "1:62.345", "1:02.3", "58"],
  ],
  [
    "seconds among minutes",
    ["1:50.800", "1:49.120"],
    ["58.790", "2:00:01.150"],
    ["4:00:1.150", "fast", "1:50"],
  ],
  ["what has a sign, where all have", ["+0.345", "+12.900"], ["+1:02.345"], ["1:02.345", "+1:02.34"]],
  ["hours among minutes", ["12:30", "59:59"], ["1:02:45"], ["45", "12:30.5"]],
  ["whole numbers, which are no durations", ["12", "58"], [], ["1:02", "58", "102"]],
  ["words", ["red", "green"], [], ["1:02.345"]],
])("%s", (_, usual, alike, others) => {
  const isAlike = durationsLike(usual);
  expect(alike.filter((text) => !isAlike(text))).toEqual([]);
  expect(others.filter(isAlike)).toEqual([]);
});

const seconds = (of: number) => (of % 60).toFixed(3).padStart(6, "0");
const clock = (of: number) => (of < 60 ? of.toFixed(3) : `${Math.floor(of / 60)}:${seconds(of)}`);

test.each([1, 2, 3])(
  "the times of a race are of one kind, and what is none among them is found (seed %i)",
  (seed) => {
    const random = randomOf(seed);
    const of = (cell: (row: number) => Cell) => Array.from({ length: 2000 }, (_, row) => cell(row));
    const gaps = of((row) => `+${clock(row % 70 === 0 ? random.whole(61, 200) : random.next() * 55)}`);
    const laps = of((row) => clock(row % 70 === 0 ? 50 + random.next() * 9 : 62 + random.next() * 55));
    const doubted = () =>
      [types, formats].flatMap((detect) =>
        saidBy(detect, databaseOf(tableOf("results", { gap: ["text", gaps], lap: ["text", laps] }))).map(
          ({ columns: [column], rows }) => `${column} ${rows.join()}`,
        ),
      );
    expect(doubted()).toEqual([]);
    gaps[7] = "first";
    laps[9] = "1:2.345";
    // Of the word, both say what they see.
    expect(new Set(doubted())).toEqual(new Set(["gap 7", "lap 9"]));
  },
);
