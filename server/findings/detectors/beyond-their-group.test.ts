import { describe, expect, test } from "vitest";
import { databaseOf, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { outOfRange } from "./out-of-range.ts";

const seeds = [1, 2, 3, 4, 5];
const rows = 3000;
/** Articles from screws to machines: what one costs is usual for another. */
const usual = [0.04, 0.3, 1.9, 8, 25, 60, 240, 900, 3100, 9000];

/** What each sold article cost, within a tenth of its usual price. */
function sales(seed: number, spread = 0.1) {
  const random = randomOf(seed);
  return Array.from({ length: rows }, () => {
    const article = random.whole(0, usual.length - 1);
    const price = (usual[article] ?? 0) * (1 - spread + random.next() * spread * 2);
    return { article: `A-${100 + article}`, price };
  });
}

const said = (sold: ReturnType<typeof sales>) =>
  saidBy(
    outOfRange,
    databaseOf(
      tableOf("sales", {
        id: ["integer", sold.map((_, row) => row + 1), { isPrimaryKey: true }],
        article: ["text", sold.map(({ article }) => article)],
        price: ["decimal", sold.map(({ price }) => price.toFixed(4))],
      }),
    ),
  );

test.each(seeds)(
  "a price that is usual for others, and a thousand times too high for its own (seed %i)",
  (seed) => {
    const sold = sales(seed);
    const row = sold.findIndex(({ article }) => article === "A-102");
    (sold[row] as { price: number }).price = 1900;
    const [found, ...more] = said(sold);
    expect(more).toEqual([]);
    expect([...(found?.rows ?? [])]).toEqual([row]);
    expect(found?.columns).toEqual(["price"]);
    expect(found?.statement).toMatch(
      /^1 row of sales has a price of 1,900\.0000 with “A-102” as article, where all others have between 1\.71\d* and 2\.0\d*\.$/,
    );
  },
);

test("prices too low and too high are one finding", () => {
  const sold = sales(9);
  const [low, high] = ["A-108", "A-101"].map((wanted) => sold.findIndex(({ article }) => article === wanted));
  (sold[low ?? -1] as { price: number }).price = 3.1;
  (sold[high ?? -1] as { price: number }).price = 300;
  const [found] = said(sold);
  expect([...(found?.rows ?? [])]).toEqual([low, high].toSorted((a = 0, b = 0) => a - b));
});

describe("nothing is said", () => {
  test.each(seeds)("where each is about as usual (seed %i)", (seed) => {
    expect(said(sales(seed))).toEqual([]);
  });

  test.each(seeds)("where prices of one article differ anyhow (seed %i)", (seed) => {
    const random = randomOf(seed + 50);
    const sold = sales(seed).map((sale) => ({ ...sale, price: sale.price * Math.exp(random.normal()) }));
    expect(said(sold).filter(({ features }) => features.isOfGroup)).toEqual([]);
  });

  test("where a group has two prices, each often", () => {
    const sold = sales(3).map((sale, row) =>
      sale.article === "A-105" && row % 3 === 0 ? { ...sale, price: 900 } : sale,
    );
    expect(said(sold)).toEqual([]);
  });

  test("of numbers that count the rows", () => {
    const rows = Array.from({ length: 3000 }, (_, row) => ({
      article: `A-${100 + Math.floor(row / 300)}`,
      price: row + 1,
    }));
    const [first] = rows;
    if (first) first.article = "A-109";
    expect(said(rows)).toEqual([]);
  });
});
