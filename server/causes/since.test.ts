import { expect, test } from "vitest";
import type { ColumnFacts } from "../profile/observed-column.ts";
import { observe } from "../profile/observed-table.ts";
import { countSince } from "./since.ts";

const column = (name: string, kind: ColumnFacts["kind"]): ColumnFacts => ({
  ...{ name, kind, type: kind, isNullable: true, isPrimaryKey: false },
});
const target = {
  schemaName: "public",
  tableName: "orders",
  columns: [column("id", "integer"), column("at", "time")],
};
const hour = 3_600_000;
const now = Date.UTC(2026, 10, 30);
/** Ten rows an hour for ten days. */
const rows = Array.from({ length: 2400 }, (_, id) => [
  id,
  new Date(now - (2400 - id) * 0.1 * hour).toISOString(),
]);
const ago = (hours: number) => new Date(now - hours * hour);

function since(fails: (hoursAgo: number, id: number) => boolean, moments: Date[], more: object = {}) {
  const failing = rows.filter(([id]) => fails((2400 - Number(id)) * 0.1, Number(id)));
  return countSince({ all: observe(target, rows), failing: observe(target, failing) }, moments, {
    about: [],
    now,
    ...more,
  });
}

test("the moment from which rows fail fits, and others before and after it do not", () => {
  const found = since((hoursAgo) => hoursAgo <= 20, [ago(20.05), ago(30), ago(10)]);
  expect(found?.map((each) => each?.counts)).toEqual([
    { failing: 200, rows: 200, allFailing: 200, allRows: 2400 },
    { failing: 200, rows: 300, allFailing: 200, allRows: 2400 },
    { failing: 100, rows: 100, allFailing: 200, allRows: 2400 },
  ]);
  expect(found?.map((each) => Math.round((each?.fit ?? 0) * 1000) / 1000)).toEqual([1, 0, 0]);
});

test("a moment fits as long as no rows came in between", () => {
  const failing = (hoursAgo: number) => hoursAgo <= 20;
  const quiet = rows.filter(([id]) => {
    const hoursAgo = (2400 - Number(id)) * 0.1;
    return hoursAgo <= 20 || hoursAgo > 30;
  });
  const bad = quiet.filter(([id]) => failing((2400 - Number(id)) * 0.1));
  const found = countSince({ all: observe(target, quiet), failing: observe(target, bad) }, [ago(29)], {
    about: [],
    now,
  });
  expect(found?.[0]?.fit).toBe(1);
});

test("rows that fail all the time say that it was not a moment", () => {
  expect(since((_, id) => id % 7 === 0, [ago(20)])).toEqual([null]);
});

test("columns that a failure is about, and those with days to come, do not say when rows came", () => {
  expect(since((hoursAgo) => hoursAgo <= 20, [ago(20)], { about: ["at"] })).toBeNull();
  expect(since((hoursAgo) => hoursAgo <= 20, [ago(20)], { now: now - 48 * hour })).toBeNull();
  expect(since(() => false, [ago(20)])).toBeNull();
});
