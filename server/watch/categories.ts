/**
 * The values of columns with few of them: which are new, and which are gone. Pure. A set that still grows says nothing, so
 * a value is new only once no other has come for a while.
 */

export type KnownValues = {
  /** How many profiles there were. */
  profiles: number;
  /** How many of them since a value was new. */
  sinceNew: number;
  values: Record<string, { share: number; seen: number; missing: number }>;
};

export type Changed = { appeared: string[]; vanished: string[] };

/** So many profiles without a new value, before one is told. */
const settledAfter = 14;
/** As many rows with it should have been there for its absence to say something. */
const expectedRows = 30;
/** Values missing for so long are forgotten. */
const forgottenAfter = 60;
const maxLength = 100;

export const nothingKnown = (): KnownValues => ({ profiles: 0, sinceNew: 0, values: {} });

/** What is known after one more profile, and what has changed with it. `rows` has a value. */
export function knownAfter(
  { profiles, sinceNew, values }: KnownValues,
  counts: readonly { value: string; rows: number }[],
): { known: KnownValues; changed: Changed } {
  const total = counts.reduce((sum, { rows }) => sum + rows, 0);
  const now = new Map(counts.map(({ value, rows }) => [value.slice(0, maxLength), rows]));
  const isSettled = profiles >= settledAfter && sinceNew >= settledAfter;
  const appeared = [...now.keys()].filter((value) => !Object.hasOwn(values, value));
  const vanished = Object.entries(values).filter(
    ([value, { share, seen, missing }]) =>
      !now.has(value) && missing === 0 && seen >= settledAfter && share * total >= expectedRows,
  );
  const kept = Object.entries(values).flatMap(([value, each]) => {
    const rows = now.get(value) ?? 0;
    const missing = rows > 0 ? 0 : each.missing + 1;
    if (missing > forgottenAfter) return [];
    const share = each.share + 0.2 * (rows / Math.max(1, total) - each.share);
    return [[value, { share, seen: each.seen + (rows > 0 ? 1 : 0), missing }] as const];
  });
  const added = appeared.map(
    (value) => [value, { share: (now.get(value) ?? 0) / Math.max(1, total), seen: 1, missing: 0 }] as const,
  );
  return {
    known: {
      profiles: profiles + 1,
      sinceNew: appeared.length > 0 ? 0 : sinceNew + 1,
      values: Object.fromEntries([...kept, ...added]),
    },
    changed: { appeared: isSettled ? appeared : [], vanished: vanished.map(([value]) => value) },
  };
}

/** "New values in status: void, on hold"; null if nothing has changed. */
export function changedInWords(columnName: string, { appeared, vanished }: Changed): string | null {
  const list = (values: readonly string[]) =>
    `${values.slice(0, maxListed).join(", ")}${values.length > maxListed ? ` and ${values.length - maxListed} more` : ""}`;
  const parts = [
    appeared.length > 0 && `New in ${columnName}: ${list(appeared)}`,
    vanished.length > 0 && `No longer in ${columnName}: ${list(vanished)}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(". ");
}
const maxListed = 5;
