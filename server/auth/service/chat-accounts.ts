import { and, asc, eq, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { Problem } from "../../errors.ts";
import { type Principal, principalOfUser, type SignedIn } from "../principal.ts";
import type { ChatIdentity } from "../schema.ts";
import { chatAccounts, sessions, users } from "../tables.ts";
import { openTicket, sealTicket } from "../ticket.ts";
import { hasSecondFactor } from "./factors-of-user.ts";
import { storedProjectRoles } from "./project-roles.ts";
import { storedFactorRoles } from "./sign-in-policy.ts";
import { useTicket } from "./use-ticket.ts";

/**
 * Accounts at chat services that act as a user. One is linked by whoever opens a link that only that account was given,
 * while signed in: never by an email address, which a workspace's administrator may set as they like.
 */

const isAccount = ({ service, teamId, accountId }: ChatIdentity) =>
  and(
    eq(chatAccounts.service, service),
    eq(chatAccounts.teamId, teamId),
    eq(chatAccounts.accountId, accountId),
  );

/**
 * The user as whom an account acts, with what they may do now; null if it is linked to nobody, the user is disabled, or
 * people can no longer sign in as they did when it was linked.
 */
export async function findChatPrincipal(identity: ChatIdentity): Promise<Principal | null> {
  const [found] = await db
    .select({
      id: chatAccounts.id,
      signedInBy: chatAccounts.signedInBy,
      user: users,
      projectRoles: storedProjectRoles,
      factorRoles: storedFactorRoles,
      hasFactor: sql<boolean>`${hasSecondFactor()}`,
    })
    .from(chatAccounts)
    .innerJoin(users, eq(users.id, chatAccounts.userId))
    .where(
      and(
        isAccount(identity),
        eq(users.enabled, true),
        env().PASSWORD_SIGN_IN ? undefined : eq(chatAccounts.signedInBy, "Oidc"),
      ),
    );
  if (!found) return null;
  await db.update(chatAccounts).set({ lastUsedAt: sql`now()` }).where(eq(chatAccounts.id, found.id));
  const principal = principalOfUser(found.user, found.projectRoles);
  const lacksSecondFactor =
    found.signedInBy !== "Oidc" && !found.hasFactor && (found.factorRoles ?? []).includes(principal.role);
  return { ...principal, via: identity.service, ...(lacksSecondFactor && { lacksSecondFactor }) };
}

/** What the link in a chat message carries: encrypted, for ten minutes, once. */
export const chatLinkToken = (identity: ChatIdentity): string => sealTicket("chat account", identity);

/** Throws not_found for a token that is not ours, or too old. */
function identityIn(token: string): ChatIdentity {
  const identity = openTicket<ChatIdentity>("chat account", token);
  if (!identity) throw expired();
  return identity;
}

const expired = () =>
  new Problem("not_found", "The link has expired or was used: press the button in the chat again");

/** The account that a link is for, and whether it is linked. */
export async function showChatLink({ principal }: SignedIn, token: string) {
  const identity = identityIn(token);
  const [linked] = await db
    .select({ userId: chatAccounts.userId })
    .from(chatAccounts)
    .where(isAccount(identity));
  const linkedTo = !linked
    ? ("Nobody" as const)
    : linked.userId === principal.userId
      ? ("You" as const)
      : ("SomeoneElse" as const);
  return { ...identity, linkedTo };
}

/** Links the account to the caller, and to nobody else. Throws not_found for a link that was used, or is too old. */
export async function linkChatAccount({ principal }: SignedIn, token: string) {
  const identity = identityIn(token);
  const [session] = await db
    .select({ signedInBy: sessions.signedInBy })
    .from(sessions)
    .where(eq(sessions.id, principal.sessionId ?? 0));
  if (!session) throw new Problem("forbidden", "Only someone who has signed in can link a chat account");
  if (!(await useTicket(token))) throw expired();
  const owner = { userId: principal.userId, name: identity.name, signedInBy: session.signedInBy };
  const [account] = await db
    .insert(chatAccounts)
    .values({ ...identity, ...owner })
    .onConflictDoUpdate({
      target: [chatAccounts.service, chatAccounts.teamId, chatAccounts.accountId],
      set: { ...owner, createdAt: sql`now()`, lastUsedAt: null },
    })
    .returning();
  if (!account) throw new Error("The insert returned no account");
  return account;
}

/** The caller's own, oldest first. */
export async function listChatAccounts({ principal }: SignedIn) {
  const items = await db
    .select()
    .from(chatAccounts)
    .where(eq(chatAccounts.userId, principal.userId))
    .orderBy(asc(chatAccounts.id));
  return { items };
}

/** Throws not_found unless it is the caller's own. */
export async function unlinkChatAccount({ principal }: SignedIn, id: number) {
  const [account] = await db
    .delete(chatAccounts)
    .where(and(eq(chatAccounts.id, id), eq(chatAccounts.userId, principal.userId)))
    .returning();
  if (!account) throw new Problem("not_found", "Chat account not found");
  return account;
}

/** Ends what acts as a user whose sessions end for good. */
export async function endChatAccounts(connection: Connection, userId: number): Promise<void> {
  await connection.delete(chatAccounts).where(eq(chatAccounts.userId, userId));
}
