import { expect, test } from "vitest";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { databaseOf, dayAfter, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { detectors } from "./detectors.ts";

/** Orders with a little of everything wrong, so that many detectors have something to say. */
function orders(seed: number): ObservedTable {
  const random = randomOf(seed);
  const rows = Array.from({ length: 400 }, (_, row) => {
    const ordered = Math.floor(row / 2);
    const shipped = random.chance(0.7);
    return {
      id: row === 399 ? 7 : row + 1,
      customer_id: row === 31 ? 977 : random.whole(1, 40),
      status: row === 5 ? "Shiped" : shipped ? "shipped" : "open",
      ordered: dayAfter("2024-01-01", ordered),
      shipped: shipped ? dayAfter("2024-01-01", ordered + (row === 50 ? -9 : random.whole(0, 6))) : null,
      email: row === 12 ? null : row === 13 ? " " : `person${row}@example.com`,
      price: row === 77 ? "99000.00" : (5 + random.next() * 40).toFixed(2),
    };
  });
  const of = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  return tableOf("orders", {
    id: ["integer", of("id")],
    customer_id: ["integer", of("customer_id")],
    status: ["text", of("status")],
    ordered: ["date", of("ordered")],
    shipped: ["date", of("shipped")],
    email: ["text", of("email")],
    price: ["decimal", of("price")],
  });
}

const customers = tableOf("customers", {
  id: ["integer", Array.from({ length: 40 }, (_, row) => row + 1)],
  name: ["text", Array.from({ length: 40 }, (_, row) => `Customer ${row + 1}`)],
});

test.each([1, 2, 3])("every condition selects exactly the rows that are shown (seed %i)", (seed) => {
  const database = databaseOf(orders(seed), customers);
  // `saidBy` asserts it of each candidate.
  const said = detectors.flatMap((detect) => saidBy(detect, database));
  expect(said.length).toBeGreaterThan(0);
  for (const { columns, table, statement, outOf } of said) {
    expect(statement.trim()).not.toBe("");
    expect(outOf).toBeGreaterThan(0);
    expect(table.columns.map(({ name }) => name)).toEqual(expect.arrayContaining([...columns]));
  }
});

test.each([0, 1, 2])("a table of %i rows has nothing wrong", (rows) => {
  const cells = <T>(cell: T): T[] => Array.from({ length: rows }, () => cell);
  const table = tableOf("tiny", {
    id: ["integer", cells(1)],
    at: ["time", cells("2024-01-01 00:00:00")],
    price: ["decimal", cells("1.50")],
    note: ["text", cells(null)],
  });
  expect(detectors.flatMap((detect) => saidBy(detect, databaseOf(table)))).toEqual([]);
});
