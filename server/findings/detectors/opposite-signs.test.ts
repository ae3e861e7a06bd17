import { expect, test } from "vitest";
import { databaseOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { confidenceOf, shownFrom } from "../judge.ts";
import { oppositeSignsIn } from "./opposite-signs.ts";

/** 1,000 invoices, of which every 25th is canceled: 40 are below zero in all amounts. Row 100 is one of them. */
function invoices(flipped: readonly number[], of: "net" | "tax" | "paid" = "paid") {
  const rows = Array.from({ length: 1000 }, (_, row) => {
    const sign = row % 25 === 0 ? -1 : 1;
    const net = sign * (50 + ((row * 37) % 900));
    const amounts = { net, tax: net * 0.2, paid: net * 1.2 };
    if (flipped.includes(row)) amounts[of] *= -1;
    return amounts;
  });
  const column = (name: "net" | "tax" | "paid") =>
    ["decimal", rows.map((each) => each[name].toFixed(2))] as const;
  const table = tableOf("invoices", {
    id: ["integer", rows.map((_, row) => row + 1)],
    net: column("net"),
    tax: column("tax"),
    paid: column("paid"),
  });
  return saidBy((each) => oppositeSignsIn(each), databaseOf(table));
}

test("one amount has another sign than the others of its row, which has them alike elsewhere", () => {
  // Row 3 is no cancellation, and row 100 is.
  const said = invoices([3, 100]);
  expect(said.map(({ columns, rows, statement }) => [columns, [...rows], statement])).toEqual([
    [
      ["paid"],
      [3, 100],
      "2 of 1,000 rows of invoices have a paid of another sign than net and tax; in all others they have the same.",
    ],
  ]);
  expect(said.every((each) => confidenceOf(each) >= shownFrom)).toBe(true);
  expect(invoices([3, 100], "tax").map(({ columns }) => columns)).toEqual([["tax"]]);
});

test("nothing is said where all amounts agree, or where many do not", () => {
  expect(invoices([])).toEqual([]);
  // Ten of 1,000 rows are no slip.
  expect(invoices([3, 4, 6, 7, 8, 9, 11, 12, 13, 14])).toEqual([]);
});
