import { inArray } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { users } from "../tables.ts";

export type NamedUser = { id: number; name: string };

/** Users by id, including disabled ones, to show who did something. */
export async function namesOfUsers(ids: readonly (number | null)[]): Promise<Map<number, NamedUser>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, wanted));
  return new Map(rows.map((user) => [user.id, user]));
}
