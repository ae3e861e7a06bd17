/** The input of a paged list: page, from 0, and its size. */
export type Paging = { page: number; pageSize: number };

/**
 * A page of a list and the total count. Pages beyond the end are returned empty without a query: PostgreSQL would
 * scan everything to find nothing.
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
