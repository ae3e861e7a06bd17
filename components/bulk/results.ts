/** What a bulk call answers, as the server's `BulkResult`. */
export type BulkResult = {
  done: number;
  failed: number;
  items: { id: number; ok: boolean; problem: string | null }[];
};

/** How many one call takes; the server's limit. */
export const maxInBulk = 500;

export function batchesOf(ids: readonly number[]): number[][] {
  const count = Math.ceil(ids.length / maxInBulk);
  return Array.from({ length: count }, (_, index) => ids.slice(index * maxInBulk, (index + 1) * maxInBulk));
}

export const addResults = (one: BulkResult, other: BulkResult): BulkResult => ({
  done: one.done + other.done,
  failed: one.failed + other.failed,
  items: [...one.items, ...other.items],
});

/** Why some were not done: each reason with its ids, the most frequent first. */
export function reasonsOf({ items }: BulkResult): { problem: string; ids: number[] }[] {
  const groups = Map.groupBy(
    items.filter(({ ok }) => !ok),
    ({ problem }) => problem ?? "",
  );
  return [...groups]
    .map(([problem, failed]) => ({ problem, ids: failed.map(({ id }) => id) }))
    .sort((one, other) => other.ids.length - one.ids.length);
}
