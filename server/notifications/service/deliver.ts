import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { findEnabledUsers } from "../../auth/service/users.ts";
import { db, type Transaction } from "../../db/client.ts";
import { decrypt } from "../../encryption.ts";
import { sendEvents } from "../../jobs/client.ts";
import { log } from "../../log.ts";
import { failed, type Message, type Outcome, type Target } from "../channels/channel.ts";
import { channels } from "../channels/channels.ts";
import { deliveryDue, deliveryFailed } from "../events.ts";
import { limits } from "../limits.ts";
import { mostTries, nextWaitMs } from "../retry-schedule.ts";
import { deliveries, notifications, recipients } from "../tables.ts";
import { signingSecretOf } from "./recipients.ts";

/**
 * One attempt at a delivery, from its claim to what is written about it.
 *
 * A delivery is attempted under a lease, and what came of it is written only while that lease holds: two workers send
 * it once, and one that died is replaced. It may then be sent a second time, never silently lost; receivers know it
 * by its id. Each receiver is told one thing at a time, in order, so one that does not answer keeps only its own
 * messages waiting.
 */
export async function attemptDelivery(deliveryId: number): Promise<"Sent" | "Failed" | "Later" | "Skipped"> {
  const claimed = await db.transaction((tx) => claim(tx, deliveryId));
  if (!claimed) return "Skipped";
  const outcome = await attempt(claimed, limits.attemptMs);
  return record(claimed, outcome);
}

/** Whom a delivery is for. */
type Receiver = { recipientId: number | null; userId: number | null };

export type Claimed = Receiver & { id: number; token: string; tries: number };

const sameReceiver = ({ recipientId, userId }: Receiver): SQL | undefined =>
  and(
    recipientId === null ? isNull(deliveries.recipientId) : eq(deliveries.recipientId, recipientId),
    userId === null ? isNull(deliveries.userId) : eq(deliveries.userId, userId),
  );

// The clock itself rather than now(): a transaction may have waited for its lock.
const clock = sql`clock_timestamp()`;
export const leaseEnd = () => sql`clock_timestamp() + ${limits.leaseMs} * interval '1 millisecond'`;
const isQueued = eq(deliveries.status, "Queued");
const isFree = or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, clock));
const isDue = and(isQueued, isFree, lte(deliveries.nextAttemptAt, clock));

/** null when it is decided, not due, or somebody is telling the receiver something just now. */
async function claim(tx: Transaction, id: number): Promise<Claimed | null> {
  const [receiver] = await tx
    .select({ recipientId: deliveries.recipientId, userId: deliveries.userId })
    .from(deliveries)
    .where(and(eq(deliveries.id, id), isQueued));
  if (!receiver) return null;
  await takeTurns(tx, receiver);
  const [underWay] = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isQueued, sameReceiver(receiver), ne(deliveries.id, id), gt(deliveries.leaseUntil, clock)))
    .limit(1);
  if (underWay) return null;
  const token = randomUUID();
  const [claimed] = await tx
    .update(deliveries)
    .set({
      leaseToken: token,
      leaseUntil: leaseEnd(),
      attempts: sql`${deliveries.attempts} + 1`,
      tries: sql`${deliveries.tries} + 1`,
    })
    .where(and(eq(deliveries.id, id), isDue))
    .returning({ tries: deliveries.tries });
  return claimed ? { ...receiver, id, token, tries: claimed.tries } : null;
}

/**
 * Of two claims for one receiver the second sees the first; and a claim that comes while an attempt is written down
 * either finds the receiver free, or is seen by it and woken. It ends with the transaction.
 */
async function takeTurns(tx: Transaction, { recipientId, userId }: Receiver): Promise<void> {
  const key = `delivery to ${recipientId ?? ""}/${userId ?? ""}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

/** Sends it, or says why not. What throws here is a bug, and is tried again like any other trouble. */
export async function attempt({ id, tries }: Claimed, timeoutMs: number): Promise<Outcome> {
  try {
    // Only a process that dies at it, again and again, leaves one behind that has had all its tries.
    if (tries > mostTries) return failed(`It was interrupted ${mostTries} times`);
    const loaded = await load(id);
    if ("reason" in loaded) return failed(loaded.reason);
    return await channels[loaded.channel](loaded.target, loaded.message, timeoutMs);
  } catch (err) {
    log.error({ err, deliveryId: id }, "A notification could not be sent");
    return { isSent: false, isFinal: false, reason: "Internal error" };
  }
}

/** The delivery as it is now: whoever has been removed or switched off since is not told. */
async function load(
  id: number,
): Promise<{ reason: string } | { channel: keyof typeof channels; target: Target; message: Message }> {
  const [row] = await db
    .select({ delivery: deliveries, notification: notifications, recipient: recipients })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .leftJoin(recipients, eq(recipients.id, deliveries.recipientId))
    .where(eq(deliveries.id, id));
  if (!row) throw new Error("A claimed delivery is gone");
  const { delivery, notification, recipient } = row;
  const message: Message = {
    // The time keeps it from meaning another message to receivers, should a database ever begin anew.
    id: `dlv_${delivery.id}_${delivery.createdAt.getTime().toString(36)}`,
    projectId: delivery.projectId,
    cause: { kind: notification.causeKind, id: notification.causeId },
    content: notification.content,
    createdAt: notification.createdAt,
    attachment:
      notification.attachment && notification.attachmentName
        ? { name: notification.attachmentName, gzipped: notification.attachment }
        : null,
  };
  if (delivery.userId !== null) {
    const [user] = await findEnabledUsers(db, [delivery.userId]);
    if (!user) return { reason: "The user is disabled" };
    return {
      channel: "Email",
      target: { name: user.name, destination: user.email, signingSecret: null },
      message,
    };
  }
  if (!recipient || recipient.archivedAt !== null) return { reason: "The recipient was deleted" };
  if (!recipient.enabled && notification.causeKind !== "Test") return { reason: "The recipient is disabled" };
  const { name, destination, signingSecret } = recipient;
  return {
    channel: recipient.type,
    target: {
      name,
      destination,
      signingSecret: signingSecret && decrypt(signingSecret, signingSecretOf(recipient.id)),
    },
    message,
  };
}

/**
 * Writes down what came of an attempt, unless the lease was lost meanwhile: then somebody else is at it. With it go
 * the events: that it has finally failed, and that the next message to the same receiver may go.
 */
export async function record(
  claimed: Claimed,
  outcome: Outcome,
): Promise<"Sent" | "Failed" | "Later" | "Skipped"> {
  const { id, token } = claimed;
  return db.transaction(async (tx) => {
    await takeTurns(tx, claimed);
    const [held] = await tx
      .select({
        tries: deliveries.tries,
        attempts: deliveries.attempts,
        causeKind: notifications.causeKind,
        causeId: notifications.causeId,
        queuedMsAgo: sql`extract(epoch from ${clock} - ${deliveries.queuedAt}) * 1000`.mapWith(Number),
      })
      .from(deliveries)
      .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
      .where(and(eq(deliveries.id, id), isQueued, eq(deliveries.leaseToken, token)))
      .for("update", { of: deliveries });
    if (!held) return "Skipped";
    const free = { leaseToken: null, leaseUntil: null };
    const decided = { ...free, nextAttemptAt: null };
    const here = eq(deliveries.id, id);

    if (outcome.isSent) {
      await tx
        .update(deliveries)
        .set({ ...decided, status: "Sent", sentAt: clock, lastError: null })
        .where(here);
      await wakeNext(tx, claimed, held.attempts);
      return "Sent";
    }
    const { reason: lastError, isFinal, retryAfterMs } = outcome;
    const waitMs = isFinal || held.causeKind === "Test" ? null : nextWaitMs({ ...held, retryAfterMs });
    if (waitMs !== null) {
      const nextAttemptAt = sql`clock_timestamp() + ${waitMs} * interval '1 millisecond'`;
      await tx
        .update(deliveries)
        .set({ ...free, nextAttemptAt, lastError })
        .where(here);
      // The receiver is in trouble: its next message waits for the tick.
      return "Later";
    }
    await tx
      .update(deliveries)
      .set({ ...decided, status: "Failed", failedAt: clock, lastError })
      .where(here);
    log.warn({ deliveryId: id, reason: lastError }, "A notification could not be delivered");
    await wakeNext(tx, claimed, held.attempts);
    await tellOfFailure(tx, id, held);
    return "Failed";
  });
}

async function wakeNext(tx: Transaction, claimed: Claimed, attempts: number): Promise<void> {
  const [next] = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isDue, sameReceiver(claimed), ne(deliveries.id, claimed.id)))
    .orderBy(asc(deliveries.id))
    .limit(1);
  if (next)
    await sendEvents(
      tx,
      deliveryDue.create(
        { deliveryId: next.id },
        { id: `deliver/${next.id}/after/${claimed.id}/${attempts}` },
      ),
    );
}

async function tellOfFailure(
  tx: Transaction,
  id: number,
  { causeKind, causeId, attempts }: { causeKind: string; causeId: number; attempts: number },
): Promise<void> {
  // Whoever is told that something cannot be delivered must not be told so of that, and so on.
  if (causeKind !== "Execution" && causeKind !== "Evaluation" && causeKind !== "Actor") return;
  await sendEvents(
    tx,
    deliveryFailed.create(
      { deliveryId: id, causeKind, causeId },
      { id: `delivery-failed/${id}/${attempts}` },
    ),
  );
}

/**
 * Sends an event for what is due: retries, and what a process that died left behind. One for each receiver, whose
 * next follows when that has ended. Returns how many there were.
 */
export async function queueDueDeliveries(): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .selectDistinctOn([deliveries.recipientId, deliveries.userId], {
        id: deliveries.id,
        minute: sql<string>`to_char(${clock}, 'YYYY-MM-DD"T"HH24:MI')`,
      })
      .from(deliveries)
      .where(isDue)
      .orderBy(deliveries.recipientId, deliveries.userId, asc(deliveries.id));
    await sendEvents(
      tx,
      due.map(({ id, minute }) =>
        deliveryDue.create({ deliveryId: id }, { id: `deliver/${id}/due/${minute}` }),
      ),
    );
    return due.length;
  });
}

/** Takes away attachments that nobody needs any more. Returns how many. */
export async function dropAttachments(): Promise<number> {
  const dropped = await db
    .update(notifications)
    .set({ attachment: null })
    .where(
      and(
        sql`${notifications.attachment} is not null`,
        lte(notifications.createdAt, sql`now() - ${limits.attachmentMs} * interval '1 millisecond'`),
        sql`not exists (select from ${deliveries} where ${deliveries.notificationId} = ${notifications.id}
          and ${isQueued})`,
      ),
    )
    .returning({ id: notifications.id });
  return dropped.length;
}
