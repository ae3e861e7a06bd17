import { expect, test } from "vitest";
import { changedInWords, type KnownValues, knownAfter, nothingKnown } from "./categories.ts";

const counts = (values: Record<string, number>) =>
  Object.entries(values).map(([value, rows]) => ({ value, rows }));
const usual = counts({ open: 500, paid: 400, void: 100 });

function after(profiles: number, each: (n: number) => ReturnType<typeof counts> = () => usual): KnownValues {
  let known = nothingKnown();
  for (let n = 0; n < profiles; n++) known = knownAfter(known, each(n)).known;
  return known;
}

test("a new value is told once the set has been the same for two weeks", () => {
  const more = [...usual, { value: "on hold", rows: 7 }];
  expect(knownAfter(after(14), more).changed.appeared).toEqual([]);
  expect(knownAfter(after(15), more).changed).toEqual({ appeared: ["on hold"], vanished: [] });
  // It is known from then on.
  expect(knownAfter(knownAfter(after(15), more).known, more).changed.appeared).toEqual([]);
});

test("a set that grows every week tells nothing", () => {
  const growing = (n: number) => [
    ...usual,
    ...Array.from({ length: Math.floor(n / 7) }, (_, k) => ({ value: `campaign ${k}`, rows: 50 })),
  ];
  const known = after(70, growing);
  expect(knownAfter(known, growing(70)).changed.appeared).toEqual([]);
});

test("a value is missed if many rows should have had it, and only once", () => {
  const without = counts({ open: 550, paid: 450 });
  const { known, changed } = knownAfter(after(20), without);
  expect(changed).toEqual({ appeared: [], vanished: ["void"] });
  expect(knownAfter(known, without).changed.vanished).toEqual([]);
  // One in ten of 100 rows may be missing by chance.
  expect(knownAfter(after(20), counts({ open: 55, paid: 45 })).changed.vanished).toEqual([]);
});

test("names of Object.prototype are values like any other", () => {
  const known = after(20, () => counts({ constructor: 50, open: 50 }));
  expect(knownAfter(known, counts({ constructor: 50, open: 50 })).changed).toEqual({
    ...{ appeared: [], vanished: [] },
  });
});

test("is told in words", () => {
  expect(changedInWords("status", { appeared: [], vanished: [] })).toBeNull();
  expect(changedInWords("status", { appeared: ["a", "b", "c", "d", "e", "f"], vanished: ["x"] })).toBe(
    "New in status: a, b, c, d, e and 1 more. No longer in status: x",
  );
});
