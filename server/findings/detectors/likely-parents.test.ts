import { expect, test } from "vitest";
import { tableOf } from "../corpus.fixture.ts";
import { LikelyParents } from "./likely-parents.ts";

const letters = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `v${from + index}`);
const keysOf = (...tables: ReturnType<typeof tableOf>[]) =>
  tables.flatMap((table) => table.columns.map((column) => ({ table, column })));

test("a column's parents are those that it is named after, or that have one of its first values", () => {
  const [first, second, third, named] = [
    ...keysOf(
      tableOf("first", { a: ["text", letters(0, 50)] }),
      tableOf("second", { b: ["text", letters(30, 50)] }),
    ),
    ...keysOf(
      tableOf("third", { c: ["text", letters(90, 9)] }),
      tableOf("customers", { id: ["text", letters(500, 9)] }),
    ),
  ];
  const [child, late] = keysOf(
    tableOf("child", {
      customer_id: ["text", [...letters(10, 19), "v35"]],
      late: ["text", [...letters(200, 20), "v35"]],
    }),
  );
  if (!first || !second || !third || !named || !child || !late) throw new Error("Each table has a column");
  const keys = [third, second, first, named];
  const columns = [...keys, child, late].map(({ column }) => column);
  const all = new LikelyParents(keys, { columns, isFoundByValues: () => true });
  expect(all.of(child.table, child.column)).toEqual([second, first, named]);
  // The last value is not one of the first twenty.
  expect(all.of(late.table, late.column)).toEqual([]);
  const byName = new LikelyParents(keys, { columns, isFoundByValues: (key) => key === first });
  expect(byName.of(child.table, child.column)).toEqual([first, named]);
});
