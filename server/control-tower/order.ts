import quickselect from "quickselect";
import type { HealthSort, HealthStatus } from "./schema.ts";
import { statusOf } from "./status.ts";

type Sorted = {
  createdAt: number;
  total: number;
  ok: number;
  anomalies: number;
  openTasks: number;
  lastAt: number | null;
};

type Compare<Item> = (a: Item, b: Item) => number;
type Value = (each: Sorted, now: number) => number | null;

const rate: Value = ({ ok, total }) => (total === 0 ? null : ok / total);

/** Stalled has no rank, so it comes last in both directions. */
const urgencies: Record<HealthStatus, number | null> = { Red: 3, Amber: 2, Green: 1, Stalled: null };

// Most open tasks, then the lowest rate, which is negated.
const worst: readonly Value[] = [
  ({ openTasks }) => openTasks,
  ({ ok, total }) => (total === 0 ? null : -ok / total),
];

/** Each order's values and default direction. */
const sorts: Record<HealthSort, { by: readonly Value[]; natural: "Asc" | "Desc" }> = {
  Name: { by: [], natural: "Asc" },
  SuccessRate: { by: [rate], natural: "Asc" },
  Executions: { by: [({ total }) => total], natural: "Desc" },
  OpenTasks: { by: [({ openTasks }) => openTasks], natural: "Desc" },
  Anomalies: { by: [({ anomalies }) => anomalies], natural: "Desc" },
  LastExecution: { by: [({ lastAt }) => lastAt], natural: "Desc" },
  WorstFirst: { by: worst, natural: "Desc" },
  Status: { by: [(each, now) => urgencies[statusOf(each, now)], ...worst], natural: "Desc" },
};

/**
 * Compares two subscriptions by everything but their names, by which those that are equal are sorted. Missing values come
 * last in both directions. `now` is in milliseconds, and decides which have stalled.
 */
export function orderOf(
  { sortBy, sortDirection }: { sortBy: HealthSort; sortDirection?: "Asc" | "Desc" | undefined },
  now: number,
): Compare<Sorted> {
  const { by, natural } = sorts[sortBy];
  const sign = (sortDirection ?? natural) === "Asc" ? 1 : -1;
  return (a, b) => {
    for (const value of by) {
      const left = value(a, now);
      const right = value(b, now);
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      return sign * (left - right);
    }
    return 0;
  };
}

/** From so many times as many on, a part is looked at first. */
const many = 20;

/** The first so many in this order, with all that are equal to the last of them, sorted. Those given stay as they are. */
export function foremost<Item>(items: readonly Item[], count: number, compare: Compare<Item>): Item[] {
  if (count <= 0) return [];
  if (count >= items.length) return items.toSorted(compare);
  const lastOf = (some: readonly Item[]): Item => {
    const selected = [...some];
    quickselect(selected, count - 1, 0, selected.length - 1, compare);
    return selected[count - 1] as Item;
  };
  const upTo = (some: readonly Item[], last: Item) => some.filter((each) => compare(each, last) <= 0);
  // What comes after the first so many of a part does so of all, too. So most are compared only once.
  const near = items.length > many * count ? upTo(items, lastOf(items.slice(0, many * count))) : items;
  return upTo(near, lastOf(near)).toSorted(compare);
}
