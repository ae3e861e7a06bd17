import { expect, test } from "vitest";
import { rowsAgainst } from "../condition.ts";
import { aTable } from "../table.fixture.ts";
import { toldReasons } from "./told.ts";

const towns = ["Bremen", "Kiel", "Ulm", "Mainz", "Trier", "Essen"];

test("a value and an empty cell that most rows with the same code contradict", () => {
  const rows = Array.from({ length: 60 }, (_, index) => {
    const place = index % 6;
    const town = index === 7 ? "Essen" : index === 8 ? null : (towns[place] ?? "");
    return [`z${place}`, town];
  });
  const table = aTable(["zip", "town"], rows);
  const reasons = toldReasons(table).filter(({ column }) => column === "town");
  expect(reasons.map(({ key, rows: found }) => [key, [...found]])).toEqual([
    ["Told clear town by zip", [7]],
    ["Told empty town by zip", [8]],
  ]);
  for (const { condition, rows: found } of reasons)
    expect(condition && rowsAgainst(condition, table)).toEqual(found);
});

test("several sources: what they tell of one thing decides, ties too, and neither is doubted itself", () => {
  const sources = ["a", "b", "c", "d"];
  const table = aTable(
    ["source", "thing", "time"],
    Array.from({ length: 30 }, (_, thing) =>
      sources.map((source, place) => {
        const hour = thing === 3 && place < 2 ? 99 : thing === 5 && place === 0 ? 98 : thing;
        return [source, `t${thing}`, `${hour}:00`];
      }),
    ).flat(),
  );
  const reasons = toldReasons(table);
  expect(reasons.map(({ key, rows }) => [key, [...rows]])).toEqual([
    ["Told tied time by thing", [12, 13, 14, 15]],
    ["Told clear time by thing", [20]],
  ]);
});

test("columns that go their own ways decide nothing, and neither do few rows", () => {
  const table = aTable(
    ["one", "other"],
    Array.from({ length: 200 }, (_, index) => [`a${index % 7}`, `b${(index * 31) % 11}`]),
  );
  expect(toldReasons(table)).toEqual([]);
  expect(
    toldReasons(
      aTable(
        ["one", "other"],
        [
          ["x", "y"],
          ["x", "z"],
        ],
      ),
    ),
  ).toEqual([]);
  expect(toldReasons(aTable(["one"], []))).toEqual([]);
});
