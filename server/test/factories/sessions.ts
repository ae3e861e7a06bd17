import { encode } from "next-auth/jwt";
import type { Role } from "../../auth/schema.ts";
import { users } from "../../auth/tables.ts";
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

/** The Cookie header of a session of this user, as signing in would have set it; it lasts so many seconds. */
export async function cookieOf(user: { id: number; sessionEpoch: number }, maxAge?: number): Promise<string> {
  const secret = process.env.NEXTAUTH_SECRET ?? "";
  const token = await encode({
    token: { sub: String(user.id), sessionEpoch: user.sessionEpoch },
    secret,
    ...(maxAge !== undefined && { maxAge }),
  });
  return `next-auth.session-token=${token}`;
}

export async function aSession(role: Role = "Admin"): Promise<string> {
  return cookieOf(await aUser(role));
}
