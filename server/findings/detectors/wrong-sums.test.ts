import { describe, expect, test } from "vitest";
import { databaseOf, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { impossible } from "./impossible.ts";

const seeds = [1, 2, 3, 4, 5];
type Line = { order: number; amount: number; quantity: number; price: number };
type Order = { no: number; shipping: number; total: number; lines: number };

/** 300 orders of one to four lines, in cents; the total has the shipping in it. */
function aShop(seed: number) {
  const random = randomOf(seed);
  const lines: Line[] = [];
  const orders = Array.from({ length: 300 }, (_, row): Order => {
    const own = Array.from({ length: random.whole(1, 4) }, (): Line => {
      const [quantity, price] = [random.whole(1, 9), random.whole(150, 9900)];
      return { order: row + 1, quantity, price, amount: quantity * price };
    });
    lines.push(...own);
    const shipping = random.pick([0, 490, 990]);
    return {
      no: row + 1,
      shipping,
      total: own.reduce((sum, line) => sum + line.amount, shipping),
      lines: own.length,
    };
  });
  return { orders, lines };
}

const euros = (cents: number) => (cents / 100).toFixed(2);
function saidOf({ orders, lines }: ReturnType<typeof aShop>, withAmounts = true) {
  const database = databaseOf(
    tableOf("orders", {
      order_no: ["integer", orders.map(({ no }) => no)],
      shipping: ["decimal", orders.map(({ shipping }) => euros(shipping))],
      total: ["decimal", orders.map(({ total }) => euros(total))],
      line_count: ["integer", orders.map((order) => order.lines)],
    }),
    tableOf("order_lines", {
      id: ["integer", lines.map((_, row) => row + 1)],
      order_no: ["integer", lines.map(({ order }) => order)],
      quantity: ["integer", lines.map(({ quantity }) => quantity)],
      price: ["decimal", lines.map(({ price }) => euros(price))],
      ...(withAmounts && { amount: ["decimal", lines.map(({ amount }) => euros(amount))] as const }),
    }),
  );
  return saidBy(impossible, database).map(({ table, columns, rows, statement }) => ({
    table: table.tableName,
    columns,
    rows: [...rows],
    statement,
  }));
}

describe("what is wrong is found", () => {
  test.each(seeds)("a total that is not the sum of its lines, with shipping (seed %i)", (seed) => {
    const shop = aShop(seed);
    for (const row of [12, 200]) (shop.orders[row] as Order).total += 1700;
    expect(saidOf(shop)).toEqual([
      {
        table: "orders",
        columns: ["total"],
        rows: [12, 200],
        statement:
          "2 of 300 rows of orders have total − shipping that is not the sum of amount in order_lines; in all others it is.",
      },
    ]);
  });

  test.each(seeds)("the sum of products, where no line has its amount (seed %i)", (seed) => {
    const shop = aShop(seed);
    (shop.orders[77] as Order).total -= 305;
    expect(saidOf(shop, false)).toEqual([
      expect.objectContaining({
        rows: [77],
        statement:
          "1 of 300 rows of orders has total − shipping that is not the sum of quantity × price in order_lines; in all others it is.",
      }),
    ]);
  });

  test("a number of lines that is another", () => {
    const shop = aShop(1);
    (shop.orders[40] as Order).lines += 3;
    expect(saidOf(shop)).toEqual([
      expect.objectContaining({
        columns: ["line_count"],
        rows: [40],
      }),
    ]);
  });
});

/** 300 offers of three lines, of which the last one may be an option, without an amount. */
function offers(wrong: readonly number[], withOption: (offer: number) => boolean) {
  const lines = Array.from({ length: 900 }, (_, row) => ({
    offer: Math.floor(row / 3),
    amount: row % 3 === 2 && withOption(Math.floor(row / 3)) ? null : 100 + ((row * 37) % 991),
  }));
  const totals = Array.from(
    { length: 300 },
    (_, offer) =>
      lines.reduce((sum, line) => sum + (line.offer === offer ? (line.amount ?? 0) : 0), 0) +
      (wrong.includes(offer) ? 55 : 0),
  );
  const database = databaseOf(
    tableOf("offers", {
      offer_no: ["integer", totals.map((_, row) => row + 1)],
      total: ["decimal", totals.map((total) => total.toFixed(2))],
    }),
    tableOf("offer_lines", {
      id: ["integer", lines.map((_, row) => row + 1)],
      offer_no: ["integer", lines.map(({ offer }) => offer + 1)],
      amount: ["decimal", lines.map(({ amount }) => amount?.toFixed(2) ?? null)],
    }),
  );
  return saidBy(impossible, database).map(({ rows }) => [...rows]);
}

test("a total is wrong beside options without an amount, where other totals are right beside such", () => {
  // Offer 12 has an option, and offer 200 has none.
  expect(offers([12, 200], (offer) => offer % 3 === 0)).toEqual([[12, 200]]);
  // Where no other line lacks its amount, that is what is missing.
  expect(offers([12], (offer) => offer === 12)).toEqual([]);
});

describe("nothing is said", () => {
  test.each(seeds)("where all is right (seed %i)", (seed) => {
    expect(saidOf(aShop(seed))).toEqual([]);
  });

  test("of a total whose line is wrong by itself: that is said of the line", () => {
    const shop = aShop(2);
    (shop.lines[100] as Line).amount += 5000;
    expect(saidOf(shop).map(({ table }) => table)).toEqual(["order_lines"]);
  });

  test("of a total whose line refers to an order that does not exist", () => {
    const shop = aShop(5);
    (shop.lines[30] as Line).order = 4711;
    expect(saidOf(shop)).toEqual([]);
  });

  test("of numbers that are often, but not by law, those of the lines", () => {
    const shop = aShop(6);
    for (const row of [3, 50, 90, 140, 222, 280]) (shop.orders[row] as Order).lines += 2;
    expect(saidOf(shop)).toEqual([]);
  });

  test("of a total whose lines were loaded twice", () => {
    const shop = aShop(3);
    shop.lines.push(...shop.lines.slice(50, 53));
    expect(saidOf(shop)).toEqual([]);
  });

  test("where totals and lines have nothing to do with each other", () => {
    const random = randomOf(4);
    const shop = aShop(4);
    for (const order of shop.orders) {
      order.total = random.whole(1000, 90_000);
      order.lines = random.whole(1, 4);
    }
    expect(saidOf(shop)).toEqual([]);
  });
});
