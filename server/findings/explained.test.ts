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

test("numbers below zero explain, though each is another one", () => {
  const energy = numbers.map((number, row) => (row % 20 === 0 ? -number * 3 : number * 7));
  const table = tableWith("energy", energy);
  expect(table && explainedBy(table, doubted, [])).toEqual({ share: 1, column: "energy", value: null });
  const hardly = tableWith("energy", energy.with(0, 1).with(20, 1).with(40, 1));
  // Seven of the ten, and nothing else is below zero: 2 · 7 / (10 + 7).
  expect(hardly && explainedBy(hardly, doubted, [])?.share).toBeCloseTo(14 / 17, 10);
});

test("two rows are explained by a value that they alone have, if it is one of a few", () => {
  const two = Int32Array.from([20, 140]);
  const table = (countryOf: (row: number) => string) =>
    databaseOf(
      tableOf("clients", {
        id: ["integer", numbers],
        country: ["text", numbers.map((_, row) => countryOf(row))],
      }),
    ).tables[0];
  const usual = (row: number) => ["PT", "ES", "FR"][row % 3] ?? "";
  const isAngolan = (row: number) => row === 20 || row === 140;
  const explained = (clients: ReturnType<typeof table>, rows = two) =>
    clients ? explainedBy(clients, rows, []) : undefined;
  expect(explained(table((row) => (isAngolan(row) ? "AO" : usual(row))))).toEqual({
    share: 1,
    column: "country",
    value: "AO",
  });
  // A third row has it, too; one row has something of its own anyhow; and of many values some are there twice.
  expect(explained(table((row) => (isAngolan(row) || row === 7 ? "AO" : usual(row))))).toBeNull();
  expect(
    explained(
      table((row) => (isAngolan(row) ? "AO" : usual(row))),
      two.subarray(0, 1),
    ),
  ).toBeNull();
  expect(explained(table((row) => (isAngolan(row) ? "AO" : `town ${row >> 1}`)))).toBeNull();
});
