/** Which column says when rows came. Pure. */

export type Candidate = {
  name: string;
  isNullable: boolean;
  /** Of its newest value, by the source's clock. */
  ageSeconds: number | null;
  /** Whether that value is found without reading the table. */
  isCheap: boolean;
};

/** Clocks of two machines differ a little. */
const future = -300;
const longest = 35 * 86_400;

/**
 * The first column that always has a value, and whose newest value is about as new as any; columns with times to come, such
 * as due dates, say nothing, and neither do births. Null if there is none.
 */
export function arrivalOf(candidates: readonly Candidate[]): Candidate | null {
  const alive = candidates.flatMap((each) =>
    each.ageSeconds !== null && each.ageSeconds >= future && each.ageSeconds <= longest
      ? [{ ...each, ageSeconds: Math.max(0, each.ageSeconds) }]
      : [],
  );
  const youngest = Math.min(...alive.map(({ ageSeconds }) => ageSeconds));
  const current = alive.filter(({ ageSeconds }) => ageSeconds <= 10 * youngest + 86_400);
  return (
    current.toSorted(
      (a, b) => Number(b.isCheap) - Number(a.isCheap) || Number(a.isNullable) - Number(b.isNullable),
    )[0] ?? null
  );
}
