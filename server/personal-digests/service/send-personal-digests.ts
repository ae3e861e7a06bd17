import { and, eq, isNotNull, sql } from "drizzle-orm";
import { principalOfUser } from "../../auth/principal.ts";
import type { ProjectRole } from "../../auth/schema.ts";
import { storedProjectRoles } from "../../auth/service/project-roles.ts";
import { users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";
import { isMailConfigured } from "../../notifications/mail-configured.ts";
import type { PersonalDigest } from "../../notifications/personal.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { notificationPreferences } from "../../notifications/tables.ts";
import { hasNews, newsSince, personalDigestContent, personalDigestDay } from "../digest.ts";
import { newsOf } from "./news.ts";

/** Sends the digests that are due: each person's once a day, however often this runs. Returns how many were sent. */
export async function sendPersonalDigests(now: Date = new Date()): Promise<number> {
  if (!isMailConfigured()) return 0;
  const rows = await db
    .select({
      user: { id: users.id, name: users.name, role: users.role },
      projectRoles: storedProjectRoles,
      zone: sql<string>`coalesce(${users.timeZone}, 'UTC')`,
      digest: notificationPreferences.digest,
      lastDay: notificationPreferences.lastDigestDay,
      lastAt: notificationPreferences.lastDigestAt,
    })
    .from(notificationPreferences)
    .innerJoin(users, eq(users.id, notificationPreferences.userId))
    .where(and(eq(users.enabled, true), isNotNull(notificationPreferences.digest)))
    .orderBy(users.id);
  let sent = 0;
  for (const { digest, lastDay, ...person } of rows) {
    const day = digest && personalDigestDay(digest, person.zone, now);
    if (day && day !== lastDay && (await send({ ...person, digest }, day, now))) sent += 1;
  }
  return sent;
}

type Person = {
  user: Parameters<typeof principalOfUser>[0];
  projectRoles: ProjectRole[] | null;
  zone: string;
  digest: PersonalDigest;
  lastAt: Date | null;
};

async function send(
  { user, projectRoles, zone, digest, lastAt }: Person,
  day: string,
  now: Date,
): Promise<boolean> {
  const news = await newsOf(principalOfUser(user, projectRoles), newsSince(lastAt, now));
  return db.transaction(async (tx) => {
    // Of two processes, the second waits here and then finds the day taken; or it was unsubscribed meanwhile.
    const [taken] = await tx
      .update(notificationPreferences)
      .set({ lastDigestDay: day, lastDigestAt: now })
      .where(
        and(
          eq(notificationPreferences.userId, user.id),
          isNotNull(notificationPreferences.digest),
          sql`${notificationPreferences.lastDigestDay} is distinct from ${day}`,
        ),
      )
      .returning({ userId: notificationPreferences.userId });
    if (!taken || (!hasNews(news) && !digest.evenIfNothingIsNew)) return false;
    const notification = await enqueueNotification(tx, {
      projectId: null,
      cause: { kind: "PersonalDigest", id: user.id },
      dedupeKey: day,
      content: personalDigestContent(user.id, zone, news),
      userIds: [user.id],
    });
    return notification !== null;
  });
}
