import { eq } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import type { ProjectRole, Role } from "../../auth/schema.ts";
import { makeSessionToken, sessionTokenHash } from "../../auth/session-token.ts";
import { projectMembers, sessions, users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";

let count = 0;

/** A user of this role, without a password. */
export async function aUser(role: Role = "Admin") {
  count += 1;
  const [user] = await db
    .insert(users)
    .values({ name: `${role} ${count}`, email: `${role.toLowerCase()}-${count}@example.com`, role })
    .returning();
  if (!user) throw new Error("The insert returned no user");
  return user;
}

/** A user who is limited to these projects. */
export async function aMember(...projectRoles: ProjectRole[]) {
  const user = await aUser("Viewer");
  await db.update(users).set({ limitedToProjects: true }).where(eq(users.id, user.id));
  if (projectRoles.length > 0)
    await db.insert(projectMembers).values(projectRoles.map((each) => ({ userId: user.id, ...each })));
  return user;
}

/** The Cookie header of a new session of this user, as signing in would have set it. */
export async function cookieOf({ id: userId }: { id: number }): Promise<string> {
  const token = makeSessionToken();
  await db.insert(sessions).values({ tokenHash: sessionTokenHash(token), userId, signedInBy: "Password" });
  const secret = process.env.NEXTAUTH_SECRET ?? "";
  return `next-auth.session-token=${await encode({ token: { session: token }, secret })}`;
}

/** Ends all sessions of a user as another process would, without this one noticing. */
export async function endSessionsOf({ id: userId }: { id: number }): Promise<void> {
  await db.update(sessions).set({ endedAt: new Date() }).where(eq(sessions.userId, userId));
}

export async function aSession(role: Role = "Admin"): Promise<string> {
  return cookieOf(await aUser(role));
}
