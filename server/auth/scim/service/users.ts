import { and, asc, count, eq, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "../../../db/client.ts";
import { violatedConstraint } from "../../../errors.ts";
import type { Context } from "../../principal.ts";
import { adminTerm, lockAdmins } from "../../service/admins.ts";
import { endChatAccounts } from "../../service/chat-accounts.ts";
import { endSessions } from "../../service/end-sessions.ts";
import { scimGroupMembers, scimGroups, scimUsers, sessions, users } from "../../tables.ts";
import type { Equals } from "../filter.ts";
import { applyPatch } from "../patch.ts";
import { type PatchOperation, type ScimUserInput, scimUserInput, userUrn } from "../schema.ts";
import { ScimError } from "../scim-error.ts";
import { valid } from "../valid.ts";
import { applyGroups } from "./group-access.ts";

type Recorder = NonNullable<Context["record"]>;
export type Window = { startIndex: number; count: number };

const notFound = (id: string) => new ScimError(404, `Resource ${id.slice(0, 50)} not found`);

const idOf = (id: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(id)) throw notFound(id);
  return Number(id);
};

const found = () =>
  db
    .select({ user: users, scim: scimUsers })
    .from(scimUsers)
    .innerJoin(users, eq(users.id, scimUsers.userId))
    .$dynamic();

type Row = { user: typeof users.$inferSelect; scim: typeof scimUsers.$inferSelect };

/** As clients read it (RFC 7643, 4.1). */
async function shown(rows: readonly Row[]) {
  const groups = await groupsOf(rows.map(({ user }) => user.id));
  return rows.map(({ user, scim }) => ({
    schemas: [userUrn],
    id: String(user.id),
    ...(scim.externalId !== null && { externalId: scim.externalId }),
    userName: scim.userName,
    name: { formatted: user.name },
    displayName: user.name,
    emails: [{ value: user.email, type: "work", primary: true }],
    active: user.enabled,
    groups: groups.get(user.id) ?? [],
    meta: {
      resourceType: "User",
      created: scim.createdAt.toISOString(),
      lastModified: scim.updatedAt.toISOString(),
    },
  }));
}
export type ScimUser = Awaited<ReturnType<typeof shown>>[number];

async function groupsOf(userIds: readonly number[]) {
  const rows =
    userIds.length === 0
      ? []
      : await db
          .select({ userId: scimGroupMembers.userId, id: scimGroups.id, name: scimGroups.displayName })
          .from(scimGroupMembers)
          .innerJoin(scimGroups, eq(scimGroups.id, scimGroupMembers.groupId))
          .where(sql`${scimGroupMembers.userId} = any(${`{${userIds.join(",")}}`}::integer[])`)
          .orderBy(asc(scimGroups.id));
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...byUser].map(([id, own]) => [id, own.map((row) => ({ value: String(row.id), display: row.name }))]),
  );
}

/** Throws 404. */
export async function getScimUser(id: string): Promise<ScimUser> {
  const [user] = await shown(await found().where(eq(scimUsers.userId, idOf(id))));
  if (!user) throw notFound(id);
  return user;
}

/** Throws invalidFilter for an attribute that cannot be searched. */
export async function listScimUsers(filter: Equals | null, { startIndex, count: size }: Window) {
  const which = filter ? conditionOf(filter) : undefined;
  const [counted] = await db
    .select({ total: count() })
    .from(scimUsers)
    .innerJoin(users, eq(users.id, scimUsers.userId))
    .where(which);
  const rows = await found()
    .where(which)
    .orderBy(asc(scimUsers.userId))
    .limit(size)
    .offset(startIndex - 1);
  return { total: counted?.total ?? 0, items: await shown(rows) };
}

function conditionOf({ attribute, value }: Equals): SQL {
  const text = String(value);
  switch (attribute) {
    case "username":
      return eq(sql`lower(${scimUsers.userName})`, text.toLowerCase());
    case "externalid":
      return eq(scimUsers.externalId, text);
    case "id":
      return eq(sql`${scimUsers.userId}::text`, text);
    case "emails":
    case "emails.value":
      return eq(sql`lower(${users.email})`, text.toLowerCase());
    case "displayname":
      return eq(users.name, text);
    case "active":
      return eq(users.enabled, value === true);
    default:
      throw new ScimError(400, `Users cannot be filtered by ${attribute}`, "invalidFilter");
  }
}

/** The columns of a user as a provider describes them. Throws invalidValue without an email address. */
function columnsOf(input: ScimUserInput) {
  const addresses = input.emails ?? [];
  const chosen = addresses.find(({ primary }) => primary) ?? addresses[0];
  const email = chosen?.value ?? input.userName;
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new ScimError(400, "emails or userName must have an email address", "invalidValue");
  const { formatted, givenName, familyName } = input.name ?? {};
  const parts = [givenName, familyName].filter(Boolean).join(" ");
  const name = [input.displayName, formatted, parts, input.userName].find((each) => each?.trim()) ?? email;
  return { email, name: name.trim(), enabled: input.active ?? true };
}

/**
 * Creates a user or, if someone has the email address already, takes their account over, as with a verified address in a
 * sign-in. Throws uniqueness if a pushed user has the name or the account.
 */
export async function createScimUser(input: ScimUserInput, record: Recorder): Promise<ScimUser> {
  const { email, name, enabled } = columnsOf(input);
  const id = await unique(() =>
    db.transaction(async (tx) => {
      await lockAdmins(tx);
      const [account] = await tx
        .select()
        .from(users)
        .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
        .for("update");
      const [created] = account
        ? []
        : await tx
            .insert(users)
            // Until a group gives more: no project.
            .values({ name, email, role: "Viewer", limitedToProjects: true, enabled })
            .returning();
      const user = account ?? created;
      if (!user) throw new Error("The insert returned no user");
      const { userName, externalId = null } = input;
      await tx.insert(scimUsers).values({ userId: user.id, userName, externalId });
      const detail = account ? `${user.email} is now managed by SCIM` : `${name}, by SCIM`;
      const action = account ? "users.update" : "users.create";
      await record({ action, objectKind: "user", objectId: user.id, detail }, tx);
      if (account) await change(tx, account, { email, name, enabled }, record);
      await applyGroups(tx, [user.id], record);
      return user.id;
    }),
  );
  return getScimUser(String(id));
}

/** Replaces a user. Throws 404, uniqueness, and mutability if the last Admin would be disabled. */
export async function replaceScimUser(id: string, input: ScimUserInput, record: Recorder): Promise<ScimUser> {
  await unique(() => db.transaction((tx) => write(tx, idOf(id), input, record)));
  return getScimUser(id);
}

/** Changes some attributes of a user. Throws like `replaceScimUser`. */
export async function patchScimUser(
  id: string,
  operations: readonly PatchOperation[],
  record: Recorder,
): Promise<ScimUser> {
  await unique(() =>
    db.transaction(async (tx) => {
      const row = await lock(tx, idOf(id));
      const before = {
        ...{ userName: row.scim.userName, externalId: row.scim.externalId, displayName: row.user.name },
        ...{ emails: [{ value: row.user.email, type: "work", primary: true }], active: row.user.enabled },
        name: {},
      };
      const changed = applyPatch(before, operations, Object.keys(before));
      // A name by its parts counts only if the whole name was not given as well.
      if (changed.displayName === before.displayName && Object.keys(changed.name as object).length > 0)
        delete changed.displayName;
      await write(tx, row.user.id, valid(scimUserInput, changed), record);
    }),
  );
  return getScimUser(id);
}

/**
 * Deprovisions a user: disabled, with their sessions ended and their keys suspended, and no longer managed. The account
 * itself stays, since what they did is theirs. Throws 404, and mutability for the last Admin.
 */
export async function deleteScimUser(id: string, record: Recorder): Promise<void> {
  await db.transaction(async (tx) => {
    const { user } = await lock(tx, idOf(id));
    await change(tx, user, { ...user, enabled: false }, record);
    await tx.delete(scimUsers).where(eq(scimUsers.userId, user.id));
  });
}

/** The Admins first, as everywhere: two changes then wait for each other instead of deadlocking. */
async function lock(tx: Transaction, id: number): Promise<Row> {
  await lockAdmins(tx);
  const [row] = await tx
    .select({ user: users, scim: scimUsers })
    .from(scimUsers)
    .innerJoin(users, eq(users.id, scimUsers.userId))
    .where(eq(scimUsers.userId, id))
    .for("update");
  if (!row) throw notFound(String(id));
  return row;
}

async function write(tx: Transaction, id: number, input: ScimUserInput, record: Recorder): Promise<void> {
  const { user } = await lock(tx, id);
  await change(tx, user, columnsOf(input), record);
  await tx
    .update(scimUsers)
    .set({ userName: input.userName, externalId: input.externalId ?? null, updatedAt: sql`now()` })
    .where(eq(scimUsers.userId, id));
}

/** Stores what differs, and records it. Disabling ends sessions, and keys are suspended with their user. */
async function change(
  tx: Transaction,
  before: typeof users.$inferSelect,
  { email, name, enabled }: { email: string; name: string; enabled: boolean },
  record: Recorder,
): Promise<void> {
  if (before.email === email && before.name === name && before.enabled === enabled) return;
  const admins = await lockAdmins(tx);
  const wasAdmin = admins.some((admin) => admin.id === before.id);
  if (wasAdmin && !enabled && admins.length === 1)
    throw new ScimError(409, "The last enabled Admin cannot be disabled", "mutability");
  const isAdmin = before.role === "Admin" && enabled;
  await tx
    .update(users)
    .set({ email, name, enabled, ...adminTerm({ wasAdmin, isAdmin }) })
    .where(eq(users.id, before.id));
  if (!enabled) {
    await endSessions(tx, and(eq(sessions.userId, before.id)), "UserDisabled");
    await endChatAccounts(tx, before.id);
  }
  const detail = `${name}${enabled ? "" : ", disabled"}, by SCIM`;
  await record({ action: "users.update", objectKind: "user", objectId: before.id, detail }, tx);
  // Whoever is enabled again has what their groups give today.
  if (enabled && !before.enabled) await applyGroups(tx, [before.id], record);
}

const taken: Record<string, string> = {
  scim_users_pkey: "This account is already managed",
  scim_users_name_idx: "Another user has this userName",
  users_email_idx: "Another user has this email address",
};

export async function unique<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = taken[violatedConstraint(error) ?? ""];
    throw message ? new ScimError(409, message, "uniqueness") : error;
  }
}
