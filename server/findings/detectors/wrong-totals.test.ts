import { describe, expect, test } from "vitest";
import type { Detector } from "../candidate.ts";
import { databaseOf, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { wrongTotalsIn } from "./wrong-totals.ts";

const detect: Detector = (table) => wrongTotalsIn(table);
const say = (table: ReturnType<typeof tableOf>) =>
  saidBy(detect, databaseOf(table)).map(({ columns, rows, statement }) => ({
    columns,
    rows: [...rows],
    statement,
  }));
const seeds = [1, 2, 3, 4, 5];
const list = <T>(length: number, cell: (row: number) => T): T[] =>
  Array.from({ length }, (_, row) => cell(row));
const money = (cents: number) => (cents / 100).toFixed(2);

describe("what is wrong is found", () => {
  test.each(seeds)("a product, with names in any language (seed %i)", (seed) => {
    const random = randomOf(seed);
    const count = list(400, () => random.whole(1, 9));
    const price = list(400, () => random.whole(99, 20_000));
    const table = tableOf("posten", {
      menge: ["integer", count],
      preis: ["decimal", price.map(money)],
      gewicht: ["decimal", list(400, () => money(random.whole(1, 900)))],
      betrag: ["decimal", price.map((p, row) => money(p * (count[row] ?? 0) + (row === 17 ? 450 : 0)))],
    });
    expect(say(table)).toEqual([
      {
        columns: ["betrag"],
        rows: [17],
        statement: "1 of 400 rows of posten has a betrag that is not menge × preis; in all others it is.",
      },
    ]);
  });

  test.each(seeds)("a product of three, and a balance of which one side is always 0 (seed %i)", (seed) => {
    const random = randomOf(seed);
    const [length, width, height] = [0, 1, 2].map(() => list(600, () => random.whole(10, 120)));
    const amount = list(600, () => random.whole(100, 90_000) * (random.chance(0.5) ? 1 : -1));
    const at = (cells: number[] | undefined, row: number) => cells?.[row] ?? 0;
    const boxes = tableOf("boxes", {
      length: ["integer", length ?? []],
      width: ["integer", width ?? []],
      height: ["integer", height ?? []],
      volume: [
        "integer",
        list(600, (row) => at(length, row) * at(width, row) * at(height, row) * (row === 31 ? 10 : 1)),
      ],
    });
    const postings = tableOf("postings", {
      debit: ["decimal", amount.map((cents, row) => money(Math.max(0, cents) + (row === 9 ? 100 : 0)))],
      credit: ["decimal", amount.map((cents) => money(Math.max(0, -cents)))],
      amount: ["decimal", amount.map(money)],
    });
    expect(say(boxes).map(({ columns, rows }) => [columns, rows])).toEqual([[["volume"], [31]]]);
    expect(say(postings).map(({ rows }) => rows)).toEqual([[9]]);
  });

  test.each(seeds)("a total of which one part has two values (seed %i)", (seed) => {
    const random = randomOf(seed);
    const parts = list(700, () => [
      random.whole(500, 20_000),
      random.chance(0.1) ? random.whole(50, 400) : 0,
      random.chance(0.4) ? 0 : 490,
      random.whole(90, 3000),
    ]);
    const table = tableOf("orders", {
      subtotal: ["decimal", parts.map(([subtotal = 0]) => money(subtotal))],
      discount: ["decimal", parts.map(([, discount = 0]) => money(discount))],
      shipping: ["decimal", parts.map(([, , shipping = 0]) => money(shipping))],
      tax: ["decimal", parts.map(([, , , tax = 0]) => money(tax))],
      total: [
        "decimal",
        parts.map(([a = 0, b = 0, c = 0, d = 0], row) => money(a - b + c + d + (row === 44 ? 900 : 0))),
      ],
    });
    expect(say(table).map(({ rows }) => rows)).toEqual([[44]]);
  });

  test.each(seeds)("a product less a share, where most rows have none (seed %i)", (seed) => {
    const random = randomOf(seed);
    const rows = list(900, () => ({
      quantity: random.whole(1, 60),
      price: random.whole(200, 9000),
      discount: random.chance(0.7) ? 0 : random.pick([0.05, 0.1, 0.15, 0.2]),
    }));
    const table = tableOf("lines", {
      quantity: ["integer", rows.map(({ quantity }) => quantity)],
      price: ["decimal", rows.map(({ price }) => money(price))],
      discount: ["float", rows.map(({ discount }) => discount)],
      amount: [
        "decimal",
        rows.map((r, row) =>
          money(Math.round(r.quantity * r.price * (1 - r.discount)) * (row === 5 || row === 800 ? 10 : 1)),
        ),
      ],
    });
    const [found, ...others] = say(table);
    expect(others).toEqual([]);
    expect(found?.rows).toEqual([5, 800]);
    expect(found?.statement).toContain("quantity × price × (1 − discount)");
  });

  test.each(seeds)("a sum of five, of which one is taken away and one is seldom there (seed %i)", (seed) => {
    const random = randomOf(seed);
    const part = () => list(700, () => random.whole(100, 90_000));
    const [goods, freight, tax, fee] = [part(), part(), part(), part()];
    const rebate = list(700, () => (random.chance(0.5) ? 0 : random.whole(10, 99)));
    const at = (cells: number[], row: number) => cells[row] ?? 0;
    const table = tableOf("bills", {
      goods: ["decimal", goods.map(money)],
      freight: ["decimal", freight.map(money)],
      tax: ["decimal", tax.map(money)],
      fee: ["decimal", fee.map(money)],
      rebate: ["decimal", rebate.map(money)],
      floor: ["integer", list(700, () => random.whole(0, 30))],
      due: [
        "decimal",
        goods.map((cents, row) =>
          money(
            cents +
              at(freight, row) +
              at(tax, row) +
              at(fee, row) -
              at(rebate, row) +
              (row % 200 === 3 ? 1 : 0),
          ),
        ),
      ],
    });
    const [found, ...others] = say(table);
    expect(others).toEqual([]);
    expect(found?.rows).toEqual([3, 203, 403, 603]);
    expect(found?.columns).toEqual(["due"]);
    expect(found?.statement).toContain("goods + freight + tax + fee − rebate");
  });

  test.each(seeds)(
    "where a sum is wrong in what is itself made of others, that one is doubted (seed %i)",
    (seed) => {
      const random = randomOf(seed);
      const count = list(500, () => random.whole(2, 9));
      const price = list(500, () => random.whole(99, 20_000));
      const tax = list(500, () => random.whole(10, 4000));
      const net = price.map((p, row) => p * (count[row] ?? 0));
      const table = tableOf("invoices", {
        count: ["integer", count],
        price: ["decimal", price.map(money)],
        net: ["decimal", net.map((cents, row) => money(row === 44 ? cents + 5000 : cents))],
        tax: ["decimal", tax.map(money)],
        gross: ["decimal", net.map((cents, row) => money(cents + (tax[row] ?? 0)))],
      });
      const said = say(table);
      expect(said.map(({ columns, rows }) => ({ columns, rows }))).toEqual([
        { columns: ["net"], rows: [44] },
      ]);
    },
  );
});

describe("what is well is left alone", () => {
  test.each(seeds)("numbers that have nothing to do with each other (seed %i)", (seed) => {
    const random = randomOf(seed);
    let walk = 500;
    const table = tableOf("mixed", {
      ones: ["integer", list(1500, () => (random.chance(0.97) ? 1 : 2))],
      zeros: ["integer", list(1500, () => (random.chance(0.97) ? 0 : 1))],
      small: ["integer", list(1500, () => random.whole(0, 2))],
      smaller: ["integer", list(1500, () => random.whole(0, 1) + random.whole(0, 2))],
      price: ["decimal", list(1500, () => Math.exp(3 + random.normal()).toFixed(2))],
      weight: ["decimal", list(1500, () => Math.exp(1 + random.normal()).toFixed(2))],
      balance: [
        "decimal",
        list(1500, () => {
          walk += random.normal();
          return walk.toFixed(2);
        }),
      ],
      rating: ["integer", list(1500, () => random.whole(3, 5))],
    });
    expect(say(table)).toEqual([]);
  });

  test.each(seeds)("sums that are rounded, and fees that few rows have (seed %i)", (seed) => {
    const random = randomOf(seed);
    const net = list(1200, () => random.whole(100, 90_000));
    const rate = list(1200, () => random.pick([7, 19]));
    const fee = list(1200, () => (random.chance(0.03) ? random.whole(100, 900) : 0));
    const table = tableOf("invoices", {
      net: ["decimal", net.map(money)],
      rate: ["integer", rate],
      fee: ["decimal", fee.map(money)],
      gross: [
        "decimal",
        net.map((cents, row) => money(Math.round(cents * (1 + (rate[row] ?? 0) / 100)) + (fee[row] ?? 0))),
      ],
      twin: ["decimal", net.map((cents, row) => money(cents + (fee[row] ?? 0)))],
    });
    expect(say(table)).toEqual([]);
  });

  test.each(seeds)("a discount that rounding hides (seed %i)", (seed) => {
    const random = randomOf(seed);
    const visits = list(600, () => random.whole(0, 9));
    const table = tableOf("patients", {
      visits: ["integer", visits.map((count, row) => (row === 77 ? count + 30 : count))],
      stays: ["integer", visits],
      share: ["integer", list(600, () => random.whole(0, 6))],
    });
    expect(say(table)).toEqual([]);
  });
});
