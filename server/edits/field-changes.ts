import { isDeepStrictEqual } from "node:util";
import type { FieldChange } from "./schema.ts";

type Part = { key: string; name: string };
type Snapshot = Record<string, unknown>;

/** The properties that differ between two states of one thing. */
export function fieldChanges(before: Snapshot, after: Snapshot): FieldChange[] {
  return Object.keys(after)
    .filter((path) => !isDeepStrictEqual(before[path], after[path]))
    .map((path) => ({ path, change: "Changed", name: null }));
}

/**
 * The parts, told apart by their keys, that were added, changed or removed. Where none was and those that are left
 * stand in another order, the list itself has changed.
 */
export function partChanges(list: string, before: readonly Part[], after: readonly Part[]): FieldChange[] {
  const was = new Map(before.map((part) => [part.key, part]));
  const is = new Map(after.map((part) => [part.key, part]));
  const of = (part: Part, change: FieldChange["change"]) => ({
    path: `${list}.${part.key}`,
    change,
    name: part.name,
  });
  const changes = [
    ...after.flatMap((part) => {
      const old = was.get(part.key);
      if (!old) return of(part, "Added");
      return isDeepStrictEqual(old, part) ? [] : of(part, "Changed");
    }),
    ...before.filter(({ key }) => !is.has(key)).map((part) => of(part, "Removed")),
  ];
  const isMoved = !isDeepStrictEqual([...was.keys()], [...is.keys()]);
  return changes.length === 0 && isMoved ? [{ path: list, change: "Changed", name: null }] : changes;
}
