import { eq, isNotNull } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { notificationPreferences } from "../tables.ts";
import { userOfToken } from "../unsubscribe.ts";

function userOf(token: string): number {
  const userId = userOfToken(token);
  if (userId === null) throw new Problem("not_found", "This link is not valid");
  return userId;
}

/** Whether the daily digest that a token belongs to is still sent. Throws not_found for a token that is not ours. */
export async function isSubscribed(token: string): Promise<{ isOn: boolean }> {
  const [row] = await db
    .select({ isOn: isNotNull(notificationPreferences.digest).mapWith(Boolean) })
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userOf(token)));
  return { isOn: row?.isOn ?? false };
}

/** Ends the daily digest that a token belongs to; again changes nothing. Throws not_found for a token that is not ours. */
export async function unsubscribe(token: string): Promise<{ id: number }> {
  const userId = userOf(token);
  await db
    .update(notificationPreferences)
    .set({ digest: null })
    .where(eq(notificationPreferences.userId, userId));
  return { id: userId };
}
