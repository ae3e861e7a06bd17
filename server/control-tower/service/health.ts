import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { queries } from "../../queries/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { foremost, orderOf } from "../order.ts";
import type { HealthQuery } from "../schema.ts";
import type { Counts } from "./counts.ts";
import { type Judged, judgedSubscriptions } from "./judged.ts";
import { rowsOf } from "./rows.ts";

/** A page of subscriptions matching the filters, in the requested order; empty beyond the last page. */
export async function listHealth(ctx: SignedIn, query: HealthQuery) {
  const { page, pageSize } = query;
  const judged = await judgedSubscriptions(ctx, query);
  const totalCount = judged.matching.length;
  const items = await rowsOf(ctx, await pageOf(judged, query), judged);
  return { items, page, pageSize, totalCount };
}

/**
 * The page's subscriptions. Names are looked up for those alone that may be on the page, since they only decide between
 * equals, and sorted by PostgreSQL, whose order all lists of names have.
 */
async function pageOf({ matching, now }: Judged, query: HealthQuery): Promise<Counts[]> {
  const { page, pageSize, sortBy, sortDirection } = query;
  const skipped = page * pageSize;
  if (skipped >= matching.length) return [];
  const compare = orderOf(query, now);
  const first = foremost(matching, skipped + pageSize, compare);
  const atPage = first[skipped] as Counts;
  const begins = first.findIndex((each) => compare(each, atPage) === 0);
  const candidates = first.slice(begins);
  const ranks: number[] = [];
  for (const [position, each] of candidates.entries()) {
    const before = candidates[position - 1];
    const rank = ranks.at(-1) ?? 0;
    ranks.push(before === undefined || compare(before, each) === 0 ? rank : rank + 1);
  }
  const direction = sortBy === "Name" && sortDirection === "Desc" ? sql`desc` : sql`asc`;
  const rows = await db.execute<{ position: number }>(sql`
    select position::int
    from unnest(${listOf(candidates.map(({ id }) => id))}::int[], ${listOf(ranks)}::int[])
      with ordinality as candidate (id, rank, position)
    join ${subscriptions} as subscription on subscription.id = candidate.id
    join ${queries} as query on query.id = subscription.query_id
    cross join lateral (select coalesce(subscription.name, query.name) as shown) as name
    order by candidate.rank, lower(name.shown) ${direction}, name.shown, subscription.id
    limit ${pageSize} offset ${skipped - begins}`);
  return rows.map(({ position }) => candidates[position - 1] as Counts);
}

const listOf = (numbers: readonly number[]) => `{${numbers.join()}}`;
