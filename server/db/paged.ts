/** Which page, from 0, and how many items it has at most: what a paged list is asked for. */
export type Paging = { page: number; pageSize: number };

/**
 * A page of a list and how long the list is. Beyond the last page it is empty without asking: PostgreSQL would walk
 * through everything to find that nothing is left.
 */
export async function paged<Item>(
  { page, pageSize }: Paging,
  count: () => Promise<number>,
  load: (window: { limit: number; offset: number }) => Promise<Item[]>,
): Promise<{ items: Item[]; page: number; pageSize: number; totalCount: number }> {
  const totalCount = await count();
  const offset = page * pageSize;
  const items = offset >= totalCount ? [] : await load({ limit: pageSize, offset });
  return { items, page, pageSize, totalCount };
}
