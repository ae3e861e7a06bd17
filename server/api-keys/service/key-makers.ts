import { and, inArray, isNotNull } from "drizzle-orm";
import type { Connection } from "../../db/client.ts";
import { apiKeys } from "../tables.ts";

/** The people who have created or rotated a key of one of these service accounts: they could act as it. */
export async function keyMakersOf(
  connection: Connection,
  ownerIds: readonly (number | null)[],
): Promise<number[]> {
  const ids = ownerIds.filter((id) => id !== null);
  if (ids.length === 0) return [];
  const rows = await connection
    .selectDistinct({ id: apiKeys.createdById })
    .from(apiKeys)
    .where(and(inArray(apiKeys.userId, ids), isNotNull(apiKeys.createdById)));
  return rows.flatMap(({ id }) => id ?? []);
}
