import { expect, test } from "vitest";
import {
  batchesToFetch,
  batchesToSplit,
  factorFor,
  firstCut,
  next,
  type Part,
  type Positions,
  rangesOf,
} from "./parts.ts";

const part = (at: number, here: number, there = here): Part => ({
  at: BigInt(at),
  rows: [here, there],
  totals: [0n, 1n],
});

test("positions are cut into at most 1,024 parts, by a power of two", () => {
  expect(firstCut(1n, 5_000_000n)).toEqual({ cut: { first: 1n, width: 8192n }, parts: 611 });
  expect(firstCut(-5n, -5n)).toEqual({ cut: { first: -5n, width: 1n }, parts: 1 });
  expect(firstCut(0n, 1023n)).toEqual({ cut: { first: 0n, width: 1n }, parts: 1024 });
  expect(firstCut(0n, 1024n)).toEqual({ cut: { first: 0n, width: 2n }, parts: 513 });
  // All of 63 bits.
  expect(firstCut(0n, 2n ** 63n - 1n)).toEqual({ cut: { first: 0n, width: 2n ** 53n }, parts: 1024 });
});

test.each<[Positions, number, number]>([
  ["hash", 50_000, 32],
  ["key", 2000, 12],
])(
  "by %s, up to %d rows are fetched at once; of more, only parts of %d, and those that cannot be cut",
  (by, all, ofPart) => {
    const cut = { first: 0n, width: 8192n };
    const few = [part(1, all / 2), part(2, 7, all / 2)];
    expect(next(few, cut, by)).toEqual({ fetch: few, split: [] });
    const [small, large] = [part(1, ofPart, 0), part(2, all)];
    expect(next([small, large], cut, by)).toEqual({ fetch: [small], split: [large] });
    expect(next([part(1, ofPart + 1), large], cut, by).fetch).toEqual([]);
    expect(next([small, large], { first: 0n, width: 1n }, by)).toEqual({ fetch: [small, large], split: [] });
  },
);

test("parts are cut into parts of about eight rows, and not into more than can be counted at once", () => {
  const cut = { first: 0n, width: 8192n };
  expect(factorFor([part(1, 8192)], cut)).toBe(1024n);
  expect(factorFor([part(1, 600)], cut)).toBe(64n);
  expect(
    factorFor(
      Array.from({ length: 611 }, (_, at) => part(at, 8192)),
      cut,
    ),
  ).toBe(64n);
  // Never finer than positions are.
  expect(factorFor([part(1, 80_000)], { first: 0n, width: 4n })).toBe(4n);
});

test("a statement counts at most 16,384 parts, or 4,096 by a key, names at most 1,000, and fetches at most 10,000 rows", () => {
  const parts = Array.from({ length: 2500 }, (_, at) => part(at, 16));
  expect(batchesToSplit(parts, 16n, "hash").map((batch) => batch.length)).toEqual([1000, 1000, 500]);
  expect(batchesToSplit(parts, 32n, "hash").map((batch) => batch.length)).toEqual([512, 512, 512, 512, 452]);
  expect(batchesToSplit(parts.slice(0, 300), 32n, "key").map((batch) => batch.length)).toEqual([
    128, 128, 44,
  ]);
  expect(batchesToFetch(parts).map((batch) => batch.length)).toEqual([625, 625, 625, 625]);
  expect(batchesToFetch([part(1, 5000), part(2, 3000), part(3, 3000)]).map((batch) => batch.length)).toEqual([
    2, 1,
  ]);
  // One that is larger is alone.
  expect(batchesToFetch([part(1, 30_000), part(2, 1)]).map((batch) => batch.length)).toEqual([1, 1]);
});

test("neighbors are one range of positions", () => {
  const cut = { first: -100n, width: 10n };
  expect(rangesOf([part(0, 1), part(1, 1), part(5, 1)], cut)).toEqual([
    { from: -100n, to: -81n },
    { from: -50n, to: -41n },
  ]);
});
