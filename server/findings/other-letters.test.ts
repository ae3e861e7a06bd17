import { expect, test } from "vitest";
import { otherLettersIn } from "./other-letters.ts";
import { aColumn } from "./table.fixture.ts";

const doubtedIn = (values: readonly (string | null)[]) => {
  const [column] = aColumn("value text", values).columns;
  return column
    ? otherLettersIn(column).map(({ against, usualRows }) => [
        against.map((index) => column.values[index]),
        usualRows,
      ])
    : [];
};
const repeated = (values: readonly string[], times: number) =>
  Array.from({ length: times }, () => values).flat();

test("half-width katakana among those of the full width, and not where it is usual", () => {
  const names = repeated(["サトウ ケンイチ", "スズキ アイ", "タナカ ヨウコ"], 20);
  expect(doubtedIn([...names, "ﾀｶﾊｼ ﾏｺﾄ"])).toEqual([[["ﾀｶﾊｼ ﾏｺﾄ"], 60]]);
  // Four of 64 are more than one in twenty.
  expect(doubtedIn([...names, "ﾀｶﾊｼ", "ｲﾄｳ", "ｶﾄｳ", "ﾓﾘ"])).toEqual([]);
  expect(doubtedIn(names)).toEqual([]);
});

test("wide digits and letters among plain ones, but not in a sentence", () => {
  const codes = Array.from({ length: 40 }, (_, nth) => `A-${100 + nth}`);
  expect(doubtedIn([...codes, "Ａ－１４１"])).toEqual([[["Ａ－１４１"], 40]]);
  expect(doubtedIn([...codes, "Ｔシャツ 白"])).toEqual([]);
});

test("a category of another script among a handful that each have many rows", () => {
  const sexes = repeated(["M", "F"], 200);
  expect(doubtedIn([...sexes, "男", "男"])).toEqual([[["男"], 400]]);
  // With 400 rows, five are more than one in a hundred: that is how some say it.
  expect(doubtedIn([...sexes, ...repeated(["男"], 5)])).toEqual([]);
  // Names of many people are in many scripts.
  const names = Array.from({ length: 400 }, (_, nth) => `Anna ${"abcdefghijklmnopqrst"[nth % 20]}`);
  expect(doubtedIn([...names, "Анна"])).toEqual([]);
  // Signs and digits are no script.
  expect(doubtedIn([...sexes, "?", "3"])).toEqual([]);
});
