import { type AnyColumn, sql } from "drizzle-orm";
import { compiled } from "../../db/compiled.ts";
import { users } from "../tables.ts";

export type NamedUser = { id: number; name: string };

/** A user's name as a column of another query, including a disabled one's. */
export const nameOfUser = (id: AnyColumn) =>
  sql<string | null>`(select named.name from users named where named.id = ${id})`;

const usersByIds = compiled((db) =>
  db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(sql`${users.id} = any(${sql.placeholder("ids")}::int[])`),
);

/** Users by id, including disabled ones, to show who did something. */
export async function namesOfUsers(ids: readonly (number | null)[]): Promise<Map<number, NamedUser>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await usersByIds().execute({ ids: wanted });
  return new Map(rows.map((user) => [user.id, user]));
}
