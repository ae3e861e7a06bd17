import { expect, test } from "vitest";
import { processorTimeOf } from "../../test/processor-time.ts";
import { columnChanges } from "./column-changes.ts";
import type { TableColumn } from "./table-columns.ts";

const named = (names: string): TableColumn[] =>
  names.split(" ").map((name) => ({ name, type: "integer", nullable: true }));
const moved = (before: string, after: string) =>
  columnChanges(named(before), named(after)).map(({ kind, name, approved, present }) => [
    ...[kind, name, approved?.position, present?.position],
  ]);

test("the fewest columns that must have moved are reported", () => {
  expect(moved("a b c d", "a b c d")).toEqual([]);
  // d went to the front; the others only made room.
  expect(moved("a b c d", "d a b c")).toEqual([["Order", "d", 4, 1]]);
  expect(moved("a b c d", "b c d a")).toEqual([["Order", "a", 1, 4]]);
  // All but one of a reversed row.
  expect(moved("a b c", "c b a").map(([kind]) => kind)).toEqual(["Order", "Order"]);
});

test("columns that came or went do not move the others", () => {
  expect(moved("a b c", "x a c")).toEqual([
    ["Removed", "b", 2, undefined],
    ["Added", "x", undefined, 1],
  ]);
});

test("a column can change in several ways, and names are compared exactly", () => {
  const changes = columnChanges(
    [
      { name: "id", type: "integer", nullable: false },
      { name: "Note", type: "text", nullable: true },
    ],
    [
      { name: "note", type: "text", nullable: true },
      { name: "id", type: "bigint", nullable: true },
    ],
  );
  expect(changes.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "Removed Note",
    "Type id",
    "Nullability id",
    "Added note",
  ]);
});

test("2,000 reversed columns take no time", async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `c${index}`);
  const time = await processorTimeOf(() => {
    expect(moved(names.join(" "), names.toReversed().join(" "))).toHaveLength(1999);
  });
  expect(time).toBeLessThan(1000);
});
