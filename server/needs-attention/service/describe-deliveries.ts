import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { undeliveredWords } from "../in-words.ts";
import { maxRetried } from "../schema.ts";
import { type Described, idsOf, mayDoTo, type Needing } from "./described.ts";
import { isFailedDelivery } from "./needing.ts";

type Row = {
  id: number;
  recipient_id: number | null;
  recipient_name: string;
  last_error: string | null;
  failed: number[];
};

/** A recipient's failed deliveries, by the latest of them. */
export async function describeDeliveries({ principal }: SignedIn, needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const rows = await db.execute<Row>(sql`
    select latest.id, latest.recipient_id, latest.recipient_name, latest.last_error, same.failed
    from ${deliveries} as latest
    cross join lateral (
      select array_agg(${deliveries.id} order by ${deliveries.id}) as failed
      from ${deliveries} join ${notifications} on ${notifications.id} = ${deliveries.notificationId}
      where ${isFailedDelivery} and ${deliveries.projectId} = latest.project_id
        and (${deliveries.recipientId} = latest.recipient_id or ${deliveries.userId} = latest.user_id)
    ) as same
    where latest.id = ${idsOf(needing)} and same.failed is not null`);
  const since = new Map(needing.map(({ id, at }) => [id, at]));
  const mayRetry = mayDoTo("deliveries:retry", principal, needing);
  return new Map(
    [...rows].map((row): [number, Described] => [
      row.id,
      {
        title: `Messages to ${row.recipient_name}`,
        reason: undeliveredWords(row.failed.length, row.last_error),
        since: since.get(row.id) ?? new Date(),
        owner: null,
        path: `/notifications?failing=true${row.recipient_id === null ? "" : `&recipient=${row.recipient_id}`}`,
        action: mayRetry(row.id)
          ? { kind: "Retry", ids: row.failed.slice(0, maxRetried) }
          : { kind: "Open", ids: [row.id] },
      },
    ]),
  );
}
