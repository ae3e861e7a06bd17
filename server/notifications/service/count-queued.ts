import { count } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { deliveries } from "../tables.ts";
import { isQueued } from "./turns.ts";

/** The number of notifications that are neither delivered nor given up. */
export async function countQueued(connection: Connection = db): Promise<number> {
  const [queued] = await connection.select({ count: count() }).from(deliveries).where(isQueued);
  return queued?.count ?? 0;
}
