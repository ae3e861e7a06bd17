import { expect, test } from "vitest";
import { foremost, orderOf } from "./order.ts";

const ascending = (a: { value: number }, b: { value: number }) => a.value - b.value;

/** Numbers below `below`, the same in each run. */
function someOf(count: number, below: number) {
  let state = 5;
  return Array.from({ length: count }, (_, id) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return { id, value: Math.floor((state / 2_147_483_648) * below) };
  });
}

test.each([
  [5_000, 1_000_000],
  [5_000, 40],
  [5_000, 1],
  [3, 2],
])(
  "of %i with up to %i values, the foremost are those of the sorted list, with all equals",
  (count, below) => {
    const items = someOf(count, below);
    const given = structuredClone(items);
    const sorted = items.toSorted(ascending);
    for (const wanted of [1, 2, 50, count - 1, count, count + 1]) {
      const last = sorted[Math.min(wanted, count) - 1]?.value ?? 0;
      const found = foremost(items, wanted, ascending);
      expect(found).toEqual(sorted.filter(({ value }) => value <= last));
    }
    expect(foremost(items, 0, ascending)).toEqual([]);
    expect(items).toEqual(given);
  },
);

test("missing values are last in both directions, and equal to each other", () => {
  const none = { createdAt: 0, total: 0, ok: 0, anomalies: 0, openTasks: 0, lastAt: null };
  const one = { ...none, total: 2, ok: 1, lastAt: 5 };
  for (const sortBy of ["SuccessRate", "LastExecution", "Status"] as const)
    for (const sortDirection of ["Asc", "Desc"] as const) {
      const compare = orderOf({ sortBy, sortDirection }, Date.now());
      expect([compare(none, one), compare(one, none), compare(none, none)]).toEqual([1, -1, 0]);
    }
});
