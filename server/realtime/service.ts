import { sql } from "drizzle-orm";
import { findUserIdsSeeing } from "../auth/service/people.ts";
import { type Connection, db } from "../db/client.ts";
import { sendEvents } from "../jobs/client.ts";
import { externalHub } from "./credentials.ts";
import { type HubEvent, hubEvents } from "./events.ts";
import { type HubMessage, hubChannel, notificationsOf } from "./notification.ts";
import { hubEventSent } from "./outgoing.ts";

/**
 * Sends an event to all open connections of these users. In a transaction, it is delivered on commit, and dropped on
 * rollback. Users who are not connected miss it; their pages reload when they reconnect.
 *
 * The hubs of all processes receive it through the database; a Pusher-compatible service, if configured, through a job.
 * With Inngest the job is sent immediately and waits for the commit, so call this last.
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

/** The same, to those of the users who see the project that the event is about. */
export async function sendInProject(
  connection: Connection,
  projectId: number,
  userIds: readonly number[],
  event: HubEvent,
): Promise<void> {
  const ids = await findUserIdsSeeing(connection, projectId, [...new Set(userIds)]);
  await sendToUsers(connection, ids, event);
}

/** Notifies the hubs of all processes that share the database, when the transaction commits. Throws too_large. */
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

/** The outcome of a transaction; one too old to be known counts as committed. */
export async function outcomeOf(transaction: string): Promise<"in progress" | "committed" | "aborted"> {
  const [row] = await db.execute<{ outcome: "in progress" | "committed" | "aborted" | null }>(
    sql`select pg_xact_status(${transaction}::xid8) as outcome`,
  );
  return row?.outcome ?? "committed";
}
