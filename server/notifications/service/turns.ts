import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { unlessItWaitsLong, waitBriefly } from "../../db/brief-waits.ts";
import { type Connection, groupDb, type Transaction } from "../../db/client.ts";
import { compiled, compiledStatement } from "../../db/compiled.ts";
import { anyOf, gathered, idsOf, isOneOfIds } from "../../db/gathered.ts";
import { inOneGo, sideBySide } from "../../db/in-one-go.ts";
import { jobTransaction } from "../../db/job-transaction.ts";
import { lockKeys } from "../../db/lock-keys.ts";
import { sendEvents } from "../../jobs/client.ts";
import { log } from "../../telemetry/log.ts";
import type { Outcome } from "../channels/channel.ts";
import { deliveryDue, deliveryFailed } from "../events.ts";
import { limits } from "../limits.ts";
import { nextWaitMs } from "../retry-schedule.ts";
import { deliveries, notifications } from "../tables.ts";

/** Who may attempt a delivery, and what is stored when the attempt ends. */

/** The receiver of a delivery. */
type Receiver = { recipientId: number | null; userId: number | null };

export type Claimed = Receiver & { id: number; token: string; tries: number };

const sameReceiver = ({ recipientId, userId }: Receiver): SQL | undefined =>
  and(
    recipientId === null ? isNull(deliveries.recipientId) : eq(deliveries.recipientId, recipientId),
    userId === null ? isNull(deliveries.userId) : eq(deliveries.userId, userId),
  );

// clock_timestamp() instead of now(): the transaction may have waited for its lock.
export const clock = sql`clock_timestamp()`;
export const leaseEnd = () => sql`clock_timestamp() + ${limits.leaseMs} * interval '1 millisecond'`;
export const isQueued = eq(deliveries.status, "Queued");
const isFree = or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, clock));
/** It may be attempted now. */
export const isDue = and(isQueued, isFree, lte(deliveries.nextAttemptAt, clock));

/** Skipped: not, or no longer, ours to send. */
export type Recorded = "Sent" | "Failed" | "Later" | "Skipped";

/** null if it is done, not due, or another attempt to the same receiver is running. */
export async function claim(id: number): Promise<Claimed | null> {
  const receiver = await findReceiver(id);
  if (!receiver) return null;
  return jobTransaction(async (tx) => {
    const [, underWay] = await inOneGo(
      turnOf(tx, receiver),
      tx
        .select({ id: deliveries.id })
        .from(deliveries)
        .where(and(isQueued, sameReceiver(receiver), ne(deliveries.id, id), gt(deliveries.leaseUntil, clock)))
        .limit(1),
    );
    return underWay.length > 0 ? null : begin(tx, receiver, eq(deliveries.id, id));
  });
}

/** Of a delivery that is still to be sent. */
const findReceiver = gathered(async (ids: readonly number[]): Promise<(Receiver | null)[]> => {
  const found = await receiversOfQueued().execute(idsOf(ids));
  const byId = new Map(found.map(({ id, ...receiver }) => [id, receiver]));
  return ids.map((id) => byId.get(id) ?? null);
});

const receiversOfQueued = compiled(
  (database) =>
    database
      .select({ id: deliveries.id, recipientId: deliveries.recipientId, userId: deliveries.userId })
      .from(deliveries)
      .where(and(isOneOfIds(deliveries.id), isQueued)),
  groupDb,
);

/** Begins an attempt at this delivery, if it is due; the receiver's turn has been taken. */
async function begin(tx: Transaction, { recipientId, userId }: Receiver, here: SQL): Promise<Claimed | null> {
  const token = randomUUID();
  const [claimed] = await tx
    .update(deliveries)
    .set({
      leaseToken: token,
      leaseUntil: leaseEnd(),
      attempts: sql`${deliveries.attempts} + 1`,
      tries: sql`${deliveries.tries} + 1`,
    })
    .where(and(here, isDue))
    .returning({ id: deliveries.id, tries: deliveries.tries });
  return claimed ? { recipientId, userId, token, ...claimed } : null;
}

/**
 * Serializes claims per receiver: of two claims the second sees the first, and a claim during the end of an attempt
 * either finds the receiver free or is seen and woken by it. Released with the transaction.
 */
const turnOf = (tx: Transaction, ...receivers: readonly Receiver[]) =>
  lockKeys(
    tx,
    receivers.map(({ recipientId, userId }) => `delivery to ${recipientId ?? ""}/${userId ?? ""}`),
  );

/** What was stored of an attempt, and the next one to the same receiver, which has begun. */
type Attempted = { recorded: Recorded; next: Claimed | null };

/**
 * Stores the result of an attempt, unless the lease was lost to another worker. Emits an event if it failed permanently.
 * After the last attempt, the receiver's next message is its turn: it is begun and returned if the worker `goesOn`, or
 * else an event says that it may be sent.
 */
export async function record(
  claimed: Claimed,
  outcome: Outcome,
  { goesOn = false } = {},
): Promise<Attempted> {
  const { id, token } = claimed;
  if (outcome.isSent && goesOn) {
    const stored = await recordSent({ ...claimed, answer: outcome.answer });
    if (stored) return stored;
  }
  return jobTransaction(async (tx) => {
    const [, [held]] = await inOneGo(
      turnOf(tx, claimed),
      tx
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
        .for("update", { of: deliveries }),
    );
    if (!held) return { recorded: "Skipped", next: null };
    const free = { leaseToken: null, leaseUntil: null };
    const decided = { ...free, nextAttemptAt: null };
    const here = eq(deliveries.id, id);
    const nextOne = () => (goesOn ? beginNext(tx, claimed) : wakeNext(tx, claimed, held.attempts));

    if (outcome.isSent) {
      const [, next] = await sideBySide(
        tx
          .update(deliveries)
          .set({ ...decided, status: "Sent", sentAt: clock, lastError: null, answer: outcome.answer })
          .where(here),
        nextOne(),
      );
      return { recorded: "Sent", next };
    }
    const { reason: lastError, isFinal, retryAfterMs } = outcome;
    const waitMs = isFinal || held.causeKind === "Test" ? null : nextWaitMs({ ...held, retryAfterMs });
    if (waitMs !== null) {
      const nextAttemptAt = sql`clock_timestamp() + ${waitMs} * interval '1 millisecond'`;
      await tx
        .update(deliveries)
        .set({ ...free, nextAttemptAt, lastError })
        .where(here);
      // The receiver is failing: its next message waits for the tick.
      return { recorded: "Later", next: null };
    }
    await tx
      .update(deliveries)
      .set({ ...decided, status: "Failed", failedAt: clock, lastError })
      .where(here);
    log.warn({ deliveryId: id, reason: lastError }, "A notification could not be delivered");
    const next = await nextOne();
    await reportFailure(tx, id, held);
    return { recorded: "Failed", next };
  });
}

/**
 * The same for messages that were accepted: those that are at the same time are stored together, and the next ones of their
 * receivers begin. null for one that others have locked for long.
 */
const recordSent = gathered(
  unlessItWaitsLong(
    (all: readonly Sent[]): Promise<Attempted[]> =>
      groupDb.transaction(async (tx) => {
        const given = all.map((claimed) => ({ ...claimed, nextToken: randomUUID() }));
        const rows = given.map(({ id, token, recipientId, userId, answer, nextToken }) => ({
          ...{ id, token, recipient_id: recipientId, user_id: userId, answer, next_token: nextToken },
        }));
        const [, , stored] = await inOneGo(waitBriefly(tx), turnOf(tx, ...all), {
          execute: () => storeSent({ sent: JSON.stringify(rows), leaseMs: limits.leaseMs }),
        });
        const byToken = new Map(stored.map((row) => [row.token, row]));
        return given.map(({ token, recipientId, userId, nextToken }) => {
          const row = byToken.get(token);
          if (!row) return { recorded: "Skipped", next: null };
          const { nextId, tries } = row;
          const isLast = nextId === null || tries === null;
          return {
            recorded: "Sent",
            next: isLast ? null : { recipientId, userId, id: nextId, token: nextToken, tries },
          };
        });
      }),
  ),
);

type Sent = Claimed & { answer: string | null };

const storeSent = compiledStatement<
  { token: string; nextId: number | null; tries: number | null },
  { sent: string; leaseMs: number }
>(groupDb, () => {
  const leased = sql`clock_timestamp() + ${sql.placeholder("leaseMs")}::float8 * interval '1 millisecond'`;
  // isDue with its constant in the text: a plan that is kept for any value could not use the index of what is queued.
  const due = sql`status = 'Queued' and (lease_until is null or lease_until <= clock_timestamp())
    and next_attempt_at <= clock_timestamp()`;
  // By the whole order of the index of what is queued, so that it is read rather than the key's, with all that was ever sent.
  const nextTo = (receiver: "recipient_id" | "user_id", other: "recipient_id" | "user_id") => sql`
    (select id from ${deliveries}
    where ${sql.identifier(receiver)} = stored.${sql.identifier(receiver)} and ${sql.identifier(other)} is null
      and id <> stored.id and ${due}
    order by recipient_id, user_id, id limit 1)`;
  return sql`
    with given as materialized (
      select * from json_to_recordset(${sql.placeholder("sent")}::json) as given (
        id integer, token uuid, recipient_id integer, user_id integer, answer text, next_token uuid)
    ),
    stored as (
      update ${deliveries} as d set
        status = 'Sent', next_attempt_at = null, lease_token = null, lease_until = null, last_error = null,
        answer = given.answer, sent_at = clock_timestamp()
      from given
      where d.id = given.id and d.id = ${anyOf("given", "id")} and d.lease_token = given.token and d.status = 'Queued'
      returning given.*
    ),
    next as materialized (
      select stored.next_token, due.id
      from stored cross join lateral (
        ${nextTo("recipient_id", "user_id")} union all ${nextTo("user_id", "recipient_id")}) as due
    ),
    begun as (
      update ${deliveries} as d set
        lease_token = next.next_token, lease_until = ${leased}, attempts = attempts + 1, tries = tries + 1
      from next where d.id = next.id and d.id = ${anyOf("next", "id")} and ${due}
      returning next.next_token, d.id, d.tries
    )
    select stored.token, begun.id as "nextId", begun.tries from stored left join begun using (next_token)`;
});

/** The receiver's next message, oldest first. */
const nextOf = (connection: Connection, claimed: Claimed) =>
  connection
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isDue, sameReceiver(claimed), ne(deliveries.id, claimed.id)))
    .orderBy(asc(deliveries.id))
    .limit(1);

const beginNext = (tx: Transaction, claimed: Claimed) =>
  begin(tx, claimed, inArray(deliveries.id, nextOf(tx, claimed)));

async function wakeNext(tx: Transaction, claimed: Claimed, attempts: number): Promise<null> {
  const [next] = await nextOf(tx, claimed);
  if (next)
    await sendEvents(
      tx,
      deliveryDue.create(
        { deliveryId: next.id },
        { id: `deliver/${next.id}/after/${claimed.id}/${attempts}` },
      ),
    );
  return null;
}

async function reportFailure(
  tx: Transaction,
  id: number,
  { causeKind, causeId, attempts }: { causeKind: string; causeId: number; attempts: number },
): Promise<void> {
  // Failures of failure notices must not be reported in turn.
  if (causeKind !== "Execution" && causeKind !== "Evaluation" && causeKind !== "Actor") return;
  await sendEvents(
    tx,
    deliveryFailed.create(
      { deliveryId: id, causeKind, causeId },
      { id: `delivery-failed/${id}/${attempts}` },
    ),
  );
}
