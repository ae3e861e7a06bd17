import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { findPeopleSeeing } from "../../auth/service/people.ts";
import type { Transaction } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { sideBySide } from "../../db/in-one-go.ts";
import { sendEvents } from "../../jobs/client.ts";
import { sendToUsers } from "../../realtime/service.ts";
import { type NotificationContent, storableContent } from "../content.ts";
import { type CsvTable, gzippedCsv } from "../csv.ts";
import { deliveryDue } from "../events.ts";
import type { PersonalTopic } from "../personal-kinds.ts";
import type { CauseKind } from "../schema.ts";
import { deliveries, notifications, recipients } from "../tables.ts";
import { findWishes } from "./preferences.ts";

/** Base64 adds a third, and many servers reject mail over 10 MB. */
const maxAttachedBytes = 7 * 1024 * 1024;

export type NotificationRequest = {
  /** null for what is about all of a user's projects; it then has no recipients. */
  projectId: number | null;
  cause: { kind: CauseKind; id: number };
  /** Distinguishes several notifications of one cause: an incident's start and end. */
  dedupeKey?: string;
  content: NotificationContent;
  /** All rows, which emails attach as a file. */
  csv?: CsvTable;
  /** Only enabled recipients of the project are notified. */
  recipientIds?: readonly number[];
  /** Whether it waits for a decision: the project's recipients for those are notified, too. */
  isDecision?: boolean;
  /** Enabled users who see the project, notified by email at their own address, if and when they want to be. */
  userIds?: readonly number[];
  /** What it is to these users, who choose by it. */
  topic?: PersonalTopic;
  /** Whose own it is, among these users; some want to know only of that. */
  ownerIds?: readonly number[];
};

/** Puts one notification into the outbox, as `enqueueNotifications` does several. */
export async function enqueueNotification(
  tx: Transaction,
  request: NotificationRequest,
): Promise<number | null> {
  const [id = null] = await enqueueNotifications(tx, [request]);
  return id;
}

/**
 * Puts notifications into the outbox, in the transaction of their causes: they are sent if and only if that commits. Call
 * it last, because it emits events. No two have the same cause and key. Returns the id of each, or null where there is nobody
 * to notify or this was already sent.
 */
export async function enqueueNotifications(
  tx: Transaction,
  requests: readonly NotificationRequest[],
): Promise<readonly (number | null)[]> {
  const receiversOf = await findReceivers(tx, requests);
  const told: Told[] = [];
  for (const request of requests) {
    const receivers = receiversOf(request);
    if (receivers.length > 0) told.push({ request, receivers, ...(await contentOf(request)) });
  }
  const idOf = await insertNotifications(tx, told);
  const sent = told.flatMap((each) => {
    const id = idOf.get(keyOf(each.request));
    return id === undefined ? [] : { ...each, id };
  });
  await queueDeliveries(tx, sent);
  for (const { id, receivers } of sent) {
    const people = receivers.flatMap(({ userId }) => userId ?? []);
    await sendToUsers(tx, people, { name: "NotificationCreated", data: { id } });
  }
  return requests.map((request) => idOf.get(keyOf(request)) ?? null);
}

/** What is stored of a notification that somebody receives. */
type Told = {
  request: NotificationRequest;
  receivers: readonly Receiver[];
  content: NotificationContent;
  attachment: Buffer | null;
  attachmentName: string | null;
};

/** The content, and all rows as a file, or a note that they are too many. */
async function contentOf({ content: given, csv }: NotificationRequest) {
  const content = storableContent(given);
  const attachment = csv ? await gzippedCsv(csv, maxAttachedBytes) : null;
  if (!csv) return { content, attachment, attachmentName: null };
  if (attachment) return { content, attachment, attachmentName: fileName(csv.fileName) };
  const note = [content.note, "The result is too large to be attached."].filter(Boolean).join(" ");
  return { content: { ...content, note }, attachment, attachmentName: null };
}

/** What a cause notifies once, however often its job is retried. */
const keyOf = ({ cause, dedupeKey = "" }: Pick<NotificationRequest, "cause" | "dedupeKey">) =>
  JSON.stringify([cause.kind, cause.id, dedupeKey]);

/** Stores those that are not there yet. Returns their ids by their keys. */
async function insertNotifications(tx: Transaction, told: readonly Told[]): Promise<Map<string, number>> {
  if (told.length === 0) return new Map();
  const stored = await tx
    .insert(notifications)
    .values(
      told.map(({ request: { projectId, cause, dedupeKey }, content, attachment, attachmentName }) => ({
        ...{ projectId, causeKind: cause.kind, causeId: cause.id, dedupeKey },
        ...{ subject: content.title, content, attachment, attachmentName },
      })),
    )
    .onConflictDoNothing()
    .returning({
      id: notifications.id,
      kind: notifications.causeKind,
      causeId: notifications.causeId,
      dedupeKey: notifications.dedupeKey,
    });
  return new Map(
    stored.map(({ id, kind, causeId, dedupeKey }) => [
      keyOf({ cause: { kind, id: causeId }, dedupeKey }),
      id,
    ]),
  );
}

async function queueDeliveries(tx: Transaction, sent: readonly (Told & { id: number })[]): Promise<void> {
  if (sent.length === 0) return;
  const queued = await tx
    .insert(deliveries)
    .values(
      sent.flatMap(({ id, request: { projectId }, receivers }) =>
        receivers.map((receiver) => ({ ...receiver, projectId, notificationId: id })),
      ),
    )
    .returning({ id: deliveries.id, isHeld: sql<boolean>`${deliveries.nextAttemptAt} > clock_timestamp()` });
  // The tick picks up what is held back, once the quiet hours have ended.
  const due = queued.filter(({ isHeld }) => !isHeld);
  await sendEvents(
    tx,
    due.map(({ id }) => deliveryDue.create({ deliveryId: id }, { id: `deliver/${id}` })),
  );
}

type Receiver = Pick<
  typeof deliveries.$inferInsert,
  "recipientId" | "userId" | "recipientName" | "channel" | "queuedAt" | "nextAttemptAt"
>;

/** Who is notified of each of these requests. */
async function findReceivers(
  tx: Transaction,
  requests: readonly NotificationRequest[],
): Promise<(request: NotificationRequest) => Receiver[]> {
  const [listedFor, peopleFor] = await sideBySide(findListed(tx, requests), findPeople(tx, requests));
  return (request) => [...listedFor(request), ...peopleFor(request)];
}

async function findListed(
  tx: Transaction,
  requests: readonly NotificationRequest[],
): Promise<(request: NotificationRequest) => Receiver[]> {
  const ids = requests.flatMap(({ recipientIds = [] }) => recipientIds);
  const deciding = requests.flatMap(({ isDecision, projectId }) =>
    isDecision && projectId !== null ? projectId : [],
  );
  if (ids.length === 0 && deciding.length === 0) return () => [];
  const found = await tx
    .select({
      ...{ id: recipients.id, name: recipients.name, channel: recipients.type },
      ...{ projectId: recipients.projectId, decisions: recipients.decisions },
    })
    .from(recipients)
    .where(
      and(
        or(
          isOneOf(recipients.id, ids),
          and(isOneOf(recipients.projectId, deciding), eq(recipients.decisions, true)),
        ),
        eq(recipients.enabled, true),
        isNull(recipients.archivedAt),
      ),
    )
    .orderBy(asc(recipients.id));
  return ({ projectId, recipientIds = [], isDecision = false }) =>
    found
      .filter((each) => each.projectId === projectId)
      .filter(({ id, decisions }) => recipientIds.includes(id) || (isDecision && decisions))
      .map(({ id, name, channel }) => ({ recipientId: id, recipientName: name, channel }));
}

async function findPeople(
  tx: Transaction,
  requests: readonly NotificationRequest[],
): Promise<(request: NotificationRequest) => Receiver[]> {
  const byProject = Map.groupBy(requests, ({ projectId }) => projectId);
  const seeing = await sideBySide(
    ...[...byProject].map(async ([projectId, ofProject]) => {
      const ids = new Set(ofProject.flatMap(({ userIds = [] }) => userIds));
      return [projectId, await findPeopleSeeing(tx, projectId, [...ids])] as const;
    }),
  );
  const peopleIn = new Map(seeing);
  const wishesOf = await findWishes(tx, [
    ...new Set(seeing.flatMap(([, people]) => people.map(({ id }) => id))),
  ]);
  const now = new Date();
  return ({ projectId, userIds = [], topic, content: { tone }, ownerIds }) => {
    const people = (peopleIn.get(projectId) ?? []).filter(({ id }) => userIds.includes(id));
    const wishes = topic && wishesOf(people, { topic, tone, now, ownerIds });
    return people.flatMap(({ id, name }) => {
      const wish = wishes ? wishes.get(id) : { heldUntil: null };
      if (!wish) return [];
      const held = wish.heldUntil && { queuedAt: wish.heldUntil, nextAttemptAt: wish.heldUntil };
      return { userId: id, recipientName: name, channel: "Email" as const, ...held };
    });
  };
}

/** A safe file name, ending in .csv. */
function fileName(name: string): string {
  const stem = name
    .replace(/\.csv$/i, "")
    .replace(/[^\p{L}\p{M}\p{N}._ -]+/gu, "-")
    .replace(/^[.\s-]+|[.\s-]+$/g, "")
    .slice(0, 100);
  return `${stem || "result"}.csv`;
}
