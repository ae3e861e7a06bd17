import { eq, inArray } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { type Connection, db } from "../../db/client.ts";
import type { NotificationContent } from "../content.ts";
import { defaultPreferences, type NotificationPreferences } from "../personal.ts";
import type { PersonalTopic } from "../personal-kinds.ts";
import { quietUntil } from "../quiet-hours.ts";
import { notificationPreferences } from "../tables.ts";

type Row = typeof notificationPreferences.$inferSelect;

const preferencesOf = (row: Row | undefined): NotificationPreferences =>
  row
    ? {
        topics: { ...defaultPreferences.topics, ...row.topics },
        quietHours: row.quietFrom && row.quietUntil ? { from: row.quietFrom, until: row.quietUntil } : null,
        urgentInQuietHours: row.urgentInQuietHours,
        digest: row.digest,
      }
    : defaultPreferences;

export async function getPreferences({ principal }: SignedIn): Promise<NotificationPreferences> {
  const [row] = await db
    .select()
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, principal.userId));
  return preferencesOf(row);
}

export async function setPreferences(
  { principal }: SignedIn,
  preferences: NotificationPreferences,
): Promise<NotificationPreferences> {
  const { topics, quietHours, urgentInQuietHours, digest } = preferences;
  const set = {
    ...{ topics, urgentInQuietHours, digest },
    ...{ quietFrom: quietHours?.from ?? null, quietUntil: quietHours?.until ?? null },
  };
  await db
    .insert(notificationPreferences)
    .values({ userId: principal.userId, ...set })
    .onConflictDoUpdate({ target: notificationPreferences.userId, set });
  return preferences;
}

type Person = { id: number; timeZone: string | null };

type Asked = {
  topic: PersonalTopic;
  tone: NotificationContent["tone"];
  now: Date;
  /** Whose own it is. If it is none of these people's, it is everyone's. */
  ownerIds?: readonly number[] | undefined;
};

/**
 * Whether and when each of some people wants to be notified of something: `heldUntil` is the end of their quiet hours, or
 * null for at once. Those who never want this are missing.
 */
export type Wishes = (people: readonly Person[], asked: Asked) => Map<number, { heldUntil: Date | null }>;

/** The wishes of these users, and of no others. */
export async function findWishes(connection: Connection, userIds: readonly number[]): Promise<Wishes> {
  const rows =
    userIds.length === 0
      ? []
      : await connection
          .select()
          .from(notificationPreferences)
          .where(inArray(notificationPreferences.userId, [...userIds]));
  const rowOf = new Map(rows.map((row) => [row.userId, row]));
  return (people, { topic, tone, now, ownerIds = [] }) => {
    const wishOf = (id: number) => preferencesOf(rowOf.get(id)).topics[topic];
    const owners = people.filter(({ id }) => ownerIds.includes(id) && wishOf(id) !== "Never");
    return new Map(
      people.flatMap(({ id, timeZone }) => {
        const { topics, quietHours, urgentInQuietHours } = preferencesOf(rowOf.get(id));
        if (topics[topic] === "Never") return [];
        if (topics[topic] === "Mine" && owners.length > 0 && !ownerIds.includes(id)) return [];
        const isUrgent = tone === "Critical" && urgentInQuietHours;
        const heldUntil = isUrgent ? null : quietUntil(now, quietHours, timeZone ?? "UTC");
        return [[id, { heldUntil }] as const];
      }),
    );
  };
}
