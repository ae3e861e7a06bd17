import { expect, test } from "vitest";
import { fieldChanges, partChanges } from "./field-changes.ts";

test("properties that differ, looked at as a whole", () => {
  const before = { name: "A", condition: { kind: "RowsFound", threshold: null }, recipientIds: [1, 2] };
  expect(fieldChanges(before, structuredClone(before))).toEqual([]);
  const after = { ...before, name: "B", condition: { kind: "RowCountAbove", threshold: 3 } };
  expect(fieldChanges(before, after)).toEqual([
    { path: "name", change: "Changed", name: null },
    { path: "condition", change: "Changed", name: null },
  ]);
});

const a = { key: "a", name: "No nulls", weight: 1 };
const b = { key: "b", name: "Unique", weight: 1 };
const c = { key: "c", name: "Fresh", weight: 1 };

test("parts that were added, changed and removed, by their keys", () => {
  expect(partChanges("rules", [a, b], [{ ...a, weight: 2 }, c])).toEqual([
    { path: "rules.a", change: "Changed", name: "No nulls" },
    { path: "rules.c", change: "Added", name: "Fresh" },
    { path: "rules.b", change: "Removed", name: "Unique" },
  ]);
});

test("parts in another order are a change of the list, unless a part has changed too", () => {
  expect(partChanges("rules", [a, b], [a, b])).toEqual([]);
  expect(partChanges("rules", [a, b], [b, a])).toEqual([{ path: "rules", change: "Changed", name: null }]);
  expect(partChanges("rules", [a, b], [b])).toEqual([
    { path: "rules.a", change: "Removed", name: "No nulls" },
  ]);
});
