import { asc, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "../../../db/client.ts";
import type { Context } from "../../principal.ts";
import { scimGroupMembers, scimGroups, users } from "../../tables.ts";
import type { Equals } from "../filter.ts";
import { applyPatch } from "../patch.ts";
import { groupUrn, type PatchOperation, type ScimGroupInput, scimGroupInput } from "../schema.ts";
import { ScimError } from "../scim-error.ts";
import { valid } from "../valid.ts";
import { applyGroups, findPushed } from "./group-access.ts";
import type { Window } from "./users.ts";

type Recorder = NonNullable<Context["record"]>;
type Row = typeof scimGroups.$inferSelect;

const notFound = (id: string) => new ScimError(404, `Resource ${id.slice(0, 50)} not found`);

function idOf(id: string): number {
  if (!/^[1-9]\d{0,8}$/.test(id)) throw notFound(id);
  return Number(id);
}

/** As clients read it (RFC 7643, 4.2); providers ask for large groups without their members. */
async function shown(rows: readonly Row[], withMembers: boolean) {
  const ids = rows.map(({ id }) => id);
  const members =
    withMembers && ids.length > 0
      ? await db
          .select({ groupId: scimGroupMembers.groupId, id: users.id, name: users.name })
          .from(scimGroupMembers)
          .innerJoin(users, eq(users.id, scimGroupMembers.userId))
          .where(inArray(scimGroupMembers.groupId, ids))
          .orderBy(asc(users.id))
      : [];
  const byGroup = Map.groupBy(members, ({ groupId }) => groupId);
  return rows.map((group) => ({
    schemas: [groupUrn],
    id: String(group.id),
    ...(group.externalId !== null && { externalId: group.externalId }),
    displayName: group.displayName,
    ...(withMembers && {
      members: (byGroup.get(group.id) ?? []).map(({ id, name }) => ({ value: String(id), display: name })),
    }),
    meta: {
      resourceType: "Group",
      created: group.createdAt.toISOString(),
      lastModified: group.updatedAt.toISOString(),
    },
  }));
}
export type ScimGroup = Awaited<ReturnType<typeof shown>>[number];

/** Throws 404. */
export async function getScimGroup(id: string, withMembers = true): Promise<ScimGroup> {
  const rows = await db
    .select()
    .from(scimGroups)
    .where(eq(scimGroups.id, idOf(id)));
  const [group] = await shown(rows, withMembers);
  if (!group) throw notFound(id);
  return group;
}

/** Throws invalidFilter for an attribute that cannot be searched. */
export async function listScimGroups(
  filter: Equals | null,
  { startIndex, count: size }: Window,
  withMembers: boolean,
) {
  const which = filter ? conditionOf(filter) : undefined;
  const [counted] = await db.select({ total: count() }).from(scimGroups).where(which);
  const rows = await db
    .select()
    .from(scimGroups)
    .where(which)
    .orderBy(asc(scimGroups.id))
    .limit(size)
    .offset(startIndex - 1);
  return { total: counted?.total ?? 0, items: await shown(rows, withMembers) };
}

function conditionOf({ attribute, value }: Equals): SQL {
  const text = String(value);
  if (attribute === "displayname") return eq(sql`lower(${scimGroups.displayName})`, text.toLowerCase());
  if (attribute === "externalid") return eq(scimGroups.externalId, text);
  if (attribute === "id") return eq(sql`${scimGroups.id}::text`, text);
  throw new ScimError(400, `Groups cannot be filtered by ${attribute}`, "invalidFilter");
}

/** Throws uniqueness, and invalidValue for members that are no pushed users. */
export async function createScimGroup(input: ScimGroupInput, record: Recorder): Promise<ScimGroup> {
  const { displayName, externalId = null } = input;
  const id = await db.transaction(async (tx) => {
    const [group] = await tx
      .insert(scimGroups)
      .values({ displayName, externalId })
      .onConflictDoNothing()
      .returning();
    if (!group) throw nameTaken();
    await setMembers(tx, group, memberIds(input), record);
    return group.id;
  });
  return getScimGroup(String(id));
}

const nameTaken = () => new ScimError(409, "Another group has this displayName", "uniqueness");
const memberIds = ({ members }: ScimGroupInput) => (members ?? []).map(({ value }) => value);

/** Replaces a group and its members. Throws like `createScimGroup`, and 404. */
export async function replaceScimGroup(
  id: string,
  input: ScimGroupInput,
  record: Recorder,
): Promise<ScimGroup> {
  await db.transaction(async (tx) => write(tx, await lock(tx, id), input, record));
  return getScimGroup(id);
}

/** Changes a group's name or some of its members. Throws like `replaceScimGroup`. */
export async function patchScimGroup(
  id: string,
  operations: readonly PatchOperation[],
  record: Recorder,
): Promise<void> {
  await db.transaction(async (tx) => {
    const group = await lock(tx, id);
    const rows = await membersOf(tx, group.id);
    const { displayName, externalId } = group;
    const before = { displayName, externalId, members: rows.map((each) => ({ value: String(each) })) };
    const changed = applyPatch(before, operations, Object.keys(before));
    await write(tx, group, valid(scimGroupInput, changed), record);
  });
}

/** Throws 404. */
export async function deleteScimGroup(id: string, record: Recorder): Promise<void> {
  await db.transaction(async (tx) => {
    const group = await lock(tx, id);
    const former = await membersOf(tx, group.id);
    await tx.delete(scimGroups).where(eq(scimGroups.id, group.id));
    await record(changeOf(group, `${group.displayName}: deleted, by SCIM`), tx);
    await applyGroups(tx, former, record);
  });
}

async function lock(tx: Transaction, id: string): Promise<Row> {
  const [group] = await tx
    .select()
    .from(scimGroups)
    .where(eq(scimGroups.id, idOf(id)))
    .for("update");
  if (!group) throw notFound(id);
  return group;
}

async function write(tx: Transaction, group: Row, input: ScimGroupInput, record: Recorder): Promise<void> {
  const { displayName, externalId = null } = input;
  const [same] = await tx
    .select({ id: scimGroups.id })
    .from(scimGroups)
    .where(eq(sql`lower(${scimGroups.displayName})`, displayName.toLowerCase()));
  if (same && same.id !== group.id) throw nameTaken();
  await tx
    .update(scimGroups)
    .set({ displayName, externalId, updatedAt: sql`now()` })
    .where(eq(scimGroups.id, group.id));
  await setMembers(tx, { ...group, displayName }, memberIds(input), record);
}

async function membersOf(tx: Transaction, groupId: number): Promise<number[]> {
  const rows = await tx
    .select({ userId: scimGroupMembers.userId })
    .from(scimGroupMembers)
    .where(eq(scimGroupMembers.groupId, groupId));
  return rows.map(({ userId }) => userId);
}

/** A new name counts for everyone in it, new members for those who come and go. */
async function setMembers(tx: Transaction, group: Row, wanted: string[], record: Recorder): Promise<void> {
  const ids = await findPushed(tx, wanted);
  if (ids.length < new Set(wanted).size)
    throw new ScimError(400, "members: one of them is not a user that was pushed here", "invalidValue");
  const former = await membersOf(tx, group.id);
  const [added, removed] = [
    ids.filter((id) => !former.includes(id)),
    former.filter((id) => !ids.includes(id)),
  ];
  if (removed.length > 0)
    await tx
      .delete(scimGroupMembers)
      .where(sql`${scimGroupMembers.groupId} = ${group.id} and ${inArray(scimGroupMembers.userId, removed)}`);
  if (added.length > 0)
    await tx.insert(scimGroupMembers).values(added.map((userId) => ({ groupId: group.id, userId })));
  await record(
    changeOf(group, `${group.displayName}: ${added.length} added, ${removed.length} removed, by SCIM`),
    tx,
  );
  await applyGroups(tx, [...ids, ...removed], record);
}

const changeOf = ({ id }: Row, detail: string) => ({
  ...{ action: "users.group", objectKind: "group", objectId: id, detail },
});
