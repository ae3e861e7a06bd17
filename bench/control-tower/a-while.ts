/** What comes in while a page waits to refresh, with a million executions a day. */
export const inAWhile = Math.round((1_000_000 / 86_400) * 30);

/** Stores and counts so many executions, each of another subscription, as the service does; others for each seed. */
export async function storeExecutions(count: number, seed: number): Promise<void> {
  const { db, sql } = await import("../../server/db/client.ts");
  const { countExecutions } = await import("../../server/subscriptions/service/counters.ts");
  const { executions } = await import("../../server/subscriptions/tables.ts");
  const subscriptions = await sql<{ id: number }[]>`
    select id from subscriptions where archived_at is null order by hashint4(id + ${seed}::int) limit ${count}`;
  await db.transaction(async (tx) => {
    const stored = await tx
      .insert(executions)
      .values(
        subscriptions.map(({ id }) => ({
          ...{ subscriptionId: id, executedAt: new Date(), queryVersion: 1 },
          ...{ status: "NoResults" as const, trigger: "Scheduled" as const },
        })),
      )
      .returning();
    await countExecutions(tx, stored);
  });
}
