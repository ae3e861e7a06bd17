import { and, eq, inArray } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { users } from "../tables.ts";

/** The sessions that still hold, by user: of those who are enabled, the epoch that their sessions must be of. */
export async function findSessionEpochs(userIds: readonly number[]): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, epoch: users.sessionEpoch })
    .from(users)
    .where(and(inArray(users.id, [...userIds]), eq(users.enabled, true)));
  return new Map(rows.map(({ id, epoch }) => [id, epoch]));
}
