import { expect, test } from "vitest";
import {
  batchesToFetch,
  batchesToSplit,
  countedParts,
  type Finding,
  factorFor,
  findingBy,
  firstCut,
  next,
  type Part,
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

test("keys are found by an index if the first and the last one take much less time than counting", () => {
  expect(findingBy({ boundsMs: 4, countedMs: 1000 })).toBe("index");
  expect(findingBy({ boundsMs: 300, countedMs: 1000 })).toBe("scan");
  expect(findingBy({ boundsMs: 2, countedMs: 2 })).toBe("scan");
});

test.each<[Finding, number, number]>([
  ["scan", 50_000, 32],
  ["index", 2000, 12],
])(
  "by %s, up to %d rows are fetched at once; of more, only parts of %d, and those that cannot be cut",
  (finding, all, ofPart) => {
    const cut = { first: 0n, width: 8192n };
    const few = [part(1, all / 2), part(2, 7, all / 2)];
    expect(next(few, cut, finding)).toEqual({ fetch: few, split: [] });
    const [small, large] = [part(1, ofPart, 0), part(2, all)];
    expect(next([small, large], cut, finding)).toEqual({ fetch: [small], split: [large] });
    expect(next([part(1, ofPart + 1), large], cut, finding).fetch).toEqual([]);
    expect(next([small, large], { first: 0n, width: 1n }, finding)).toEqual({
      fetch: [small, large],
      split: [],
    });
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

test("a statement counts up to 16,384 parts, names up to 1,000, and fetches up to 10,000 rows; with an index fewer", () => {
  const parts = Array.from({ length: 2500 }, (_, at) => part(at, 16));
  const sizes = (batches: readonly Part[][]) => batches.map((batch) => batch.length);
  expect(sizes(batchesToSplit(parts, 16n, "scan"))).toEqual([1000, 1000, 500]);
  expect(sizes(batchesToSplit(parts, 32n, "scan"))).toEqual([512, 512, 512, 512, 452]);
  expect(sizes(batchesToSplit(parts.slice(0, 90), 32n, "index"))).toEqual([32, 32, 26]);
  expect(sizes(batchesToSplit(parts.slice(0, 250), 2n, "index"))).toEqual([100, 100, 50]);
  expect(sizes(batchesToFetch(parts, "scan"))).toEqual([625, 625, 625, 625]);
  expect(sizes(batchesToFetch(parts.slice(0, 150), "index"))).toEqual([62, 62, 26]);
  expect(sizes(batchesToFetch([part(1, 5000), part(2, 3000), part(3, 3000)], "scan"))).toEqual([2, 1]);
  // One that is larger is alone.
  expect(sizes(batchesToFetch([part(1, 30_000), part(2, 1)], "scan"))).toEqual([1, 1]);
});

test("what is counted tells the parts that differ, those of one side only among them, and what all have", () => {
  const here = ["7:2:900", "5:1:100000000000000000000", "1:3:6"];
  const there = ["5:1:100000000000000000001", "1:3:6", "9:1:4"];
  expect(countedParts(here, there)).toEqual({
    all: { rows: [6, 5], totals: [100000000000000000906n, 100000000000000000011n] },
    differing: [
      { at: 5n, rows: [1, 1], totals: [100000000000000000000n, 100000000000000000001n] },
      { at: 7n, rows: [2, 0], totals: [900n, 0n] },
      { at: 9n, rows: [0, 1], totals: [0n, 4n] },
    ],
  });
  expect(countedParts([], [])).toEqual({ all: { rows: [0, 0], totals: [0n, 0n] }, differing: [] });
});

test("neighbors are one range of positions", () => {
  const cut = { first: -100n, width: 10n };
  expect(rangesOf([part(0, 1), part(1, 1), part(5, 1)], cut)).toEqual([
    { from: -100n, to: -81n },
    { from: -50n, to: -41n },
  ]);
});
