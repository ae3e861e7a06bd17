import { expect, test } from "vitest";
import { databaseOf, tableOf } from "./corpus.fixture.ts";
import { explainedBy } from "./explained.ts";

const numbers = Array.from({ length: 200 }, (_, row) => row + 1);
const every = (rows: number) => (row: number) => row % rows === 0;
const doubted = Int32Array.from(numbers.map((number) => number - 1).filter(every(20)));
const tableWith = (name: string, cells: readonly (number | null)[]) =>
  databaseOf(tableOf("batches", { batch_id: ["integer", numbers], [name]: ["integer", cells] })).tables[0];

/** Ten others were blended into the ten doubted ones. */
const into = numbers.map((_, row) => (row % 20 === 5 ? row - 4 : null));

test("rows that others of the table point to are of a kind, and it is told by which column", () => {
  const table = tableWith("blended_into", into);
  expect(table && explainedBy(table, doubted, [])).toEqual({ share: 1, column: "blended_into", value: null });
  expect(table && explainedBy(table, doubted, ["blended_into"])).toBeNull();
});

test("numbers that only happen to be among the keys do not point there", () => {
  const table = tableWith("pieces", into);
  expect(table && explainedBy(table, doubted, [])).toBeNull();
});

test("a name in place of a key explains that there is none", () => {
  const posts = databaseOf(
    tableOf("posts", {
      owner_id: ["integer", numbers.map((number, row) => (row % 20 === 0 ? null : number))],
      owner_name: ["text", numbers.map((number, row) => (row % 20 === 0 ? `user${number}` : null))],
    }),
  ).tables[0];
  expect(posts && explainedBy(posts, doubted, ["owner_id"])).toEqual({
    share: 1,
    column: "owner_name",
    value: null,
  });
});
