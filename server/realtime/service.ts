import { sql } from "drizzle-orm";
import { type Connection, db } from "../db/client.ts";
import { sendEvents } from "../jobs/client.ts";
import { externalHub } from "./credentials.ts";
import { type HubEvent, hubEvents } from "./events.ts";
import { type HubMessage, hubChannel, notificationsOf } from "./notification.ts";
import { hubEventSent } from "./outgoing.ts";

/**
 * Sends an event to everything that these users have open, and to nobody else. Inside a transaction it is delivered
 * when that commits, and never when it does not. Users who are not connected miss it: their pages read what is true
 * when they come back.
 *
 * The hubs of all processes hear of it through the database; a Pusher-compatible service, where one is configured,
 * is told by a job. Where jobs run on Inngest the job is sent at once, and waits for the commit: call this last.
 */
export async function sendToUsers(
  connection: Connection,
  userIds: readonly number[],
  event: HubEvent,
): Promise<void> {
  const users = [...new Set(userIds)];
  if (users.length === 0) return;
  const data = hubEvents[event.name].parse(event.data);
  if (!externalHub()) return notifyHubs(connection, { users, name: event.name, data: JSON.stringify(data) });
  const transaction = await transactionNumber(connection);
  await sendEvents(connection, hubEventSent.create({ userIds: users, name: event.name, data, transaction }));
}

/** Tells the hubs of all processes that share the database, when the transaction commits. Throws too_large. */
export async function notifyHubs(connection: Connection, message: HubMessage): Promise<void> {
  for (const payload of notificationsOf(message)) await notify(connection, payload);
}

async function notify(connection: Connection, payload: string): Promise<void> {
  await connection.execute(sql`select pg_notify(${hubChannel}, ${payload})`);
}

async function transactionNumber(connection: Connection): Promise<string> {
  const [row] = await connection.execute<{ number: string }>(
    sql`select pg_current_xact_id()::text as number`,
  );
  return row?.number ?? "";
}

/** What has become of a transaction; one of long ago counts as committed. */
export async function outcomeOf(transaction: string): Promise<"in progress" | "committed" | "aborted"> {
  const [row] = await db.execute<{ outcome: "in progress" | "committed" | "aborted" | null }>(
    sql`select pg_xact_status(${transaction}::xid8) as outcome`,
  );
  return row?.outcome ?? "committed";
}
