import { expect, test } from "vitest";
import type { ColumnFacts } from "../profile/observed-column.ts";
import { observe } from "../profile/observed-table.ts";
import { shiftInWords, shiftsOf } from "./shifted-rows.ts";

const facts = (name: string, kind: ColumnFacts["kind"]): ColumnFacts => ({
  ...{ name, kind, type: kind, isNullable: true, isPrimaryKey: false },
});
const columns = [facts("id", "integer"), facts("at", "time"), facts("source", "text"), facts("size", "text")];
const day = 86_400_000;
const monday = Date.UTC(2026, 10, 30);

/** Each day 240 orders, ten an hour, a third of them from `shop`; `keeps` says which came on the last day. */
function orders(days: number, keeps: (hour: number, source: string) => number) {
  const rows: [number, string, string, string][] = [];
  for (let back = days; back >= 0; back--)
    for (let hour = 0; hour < 24; hour++)
      for (let n = 0; n < 10; n++) {
        const source = n % 3 === 0 ? "shop" : "web";
        const at = new Date(monday - back * day + hour * 3_600_000 + n * 60_000).toISOString();
        for (let times = 0; times < (back === 0 ? keeps(hour, source) : 1); times++)
          rows.push([rows.length, at, source, n % 2 ? "large" : "small"]);
      }
  return observe({ schemaName: "public", tableName: "orders", columns }, rows);
}

const lastDay = { from: new Date(monday), until: new Date(monday + day) };
const said = (days: number, keeps: (hour: number, source: string) => number, mayShow = () => true) =>
  shiftsOf(orders(days, keeps), "at", lastDay, mayShow)?.shifts.map(shiftInWords);

test("rows of one value that did not come are named, with what usually comes", () => {
  // Of ten an hour, numbers 0, 3, 6 and 9 are from the shop: 96 a day.
  expect(said(30, (_, source) => (source === "shop" ? 0 : 1))).toEqual([
    "With source = shop, 0 rows came; usually 96 do.",
  ]);
});

test("a load that is cut short is named by the time from which rows are missing", () => {
  expect(said(30, (hour) => (hour < 15 ? 1 : 0))).toEqual([
    "With at from 2026-11-30 15:00 to 2026-11-30 23:09, 0 rows came; usually 90 do.",
  ]);
});

test("rows that came twice are named", () => {
  expect(said(30, (_, source) => (source === "shop" ? 2 : 1))).toEqual([
    "With source = shop, 192 rows came; usually 96 do.",
  ]);
});

test("of less than two weeks, the days before are compared; of none, nothing is said", () => {
  expect(said(5, (_, source) => (source === "shop" ? 0 : 1))).toEqual([
    "With source = shop, 0 rows came; usually 96 do.",
  ]);
  expect(said(0, () => 1)).toBeUndefined();
});

test("nothing is said if as many came as usual, or of all kinds alike, or of a value that must not be shown", () => {
  expect(said(30, () => 1)).toEqual([]);
  expect(said(30, (hour) => (hour % 2 === 0 ? 1 : 0))?.filter((each) => each.includes("source"))).toEqual([]);
  expect(
    said(
      30,
      (_, source) => (source === "shop" ? 0 : 1),
      () => false,
    ),
  ).toEqual([]);
});

test("a pause of weeks, and a table without the column, leave nothing to compare with", () => {
  const table = observe({ schemaName: "public", tableName: "orders", columns }, [
    [1, new Date(monday - 60 * day).toISOString(), "web", "small"],
    [2, new Date(monday + 1000).toISOString(), "web", "small"],
  ]);
  expect(shiftsOf(table, "at", lastDay, () => true)).toMatchObject({ shifts: [], came: 1, usual: 0 });
  expect(shiftsOf(table, "none", lastDay, () => true)).toBeNull();
});
