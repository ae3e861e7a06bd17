import { and, asc, eq, exists, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { isAdminOfAll } from "../auth/permissions.ts";
import { maySeeProject, type Principal, type SignedIn } from "../auth/principal.ts";
import { inVisibleProject } from "../auth/visibility.ts";
import { type Connection, db, type Transaction } from "../db/client.ts";
import { ifGiven } from "../db/listed.ts";
import { type EditedKind, editedKinds } from "../edits/schema.ts";
import { listEditsOfMany } from "../edits/service.ts";
import { Problem } from "../errors.ts";
import { type ManagedKind, managedWords } from "./managed-kinds.ts";
import { managedThings } from "./tables.ts";

/**
 * Who owns a thing that files describe. Whatever creates, edits, or removes one calls this within its transaction, so that
 * no way of editing passes by: neither a page, nor an assistant, nor a key that does not act for the stack.
 */

type Thing = { kind: ManagedKind; id: number };
type Row = typeof managedThings.$inferSelect;

const isThing = ({ kind, id }: Thing) => and(eq(managedThings.kind, kind), eq(managedThings.objectId, id));

function ownedBy({ kind }: Thing, { stack, path }: Pick<Row, "stack" | "path">, instead: string): Problem {
  const detail = `This ${managedWords[kind]} is managed as code, by the stack ${stack} (${path}). ${instead}`;
  return new Problem("conflict", detail, { members: { managedBy: { stack, path } } });
}
const toPerson = "Change it there, or have an Admin take it over.";
const toStack = "Two stacks cannot own it: leave it out of one, or have an Admin take it over.";

/**
 * Belongs into the transaction of every create and edit, after the thing's row was locked or inserted. A call that acts for a
 * stack makes the thing its own. Throws conflict if the thing belongs to a stack that the call does not act for.
 */
export async function claimManaged(
  tx: Transaction,
  ctx: SignedIn,
  thing: Thing & { projectId: number | null; revision: number },
): Promise<void> {
  if (!ctx.actingStack) return rejectManaged(tx, ctx, thing);
  const { kind, id: objectId, projectId, revision } = thing;
  const now = {
    ...{ ...ctx.actingStack, revision, appliedBy: ctx.principal.name },
    ...{ appliedAt: sql`now()`, takenOverAt: null, takenOverBy: null },
  };
  const claimed = await tx
    .insert(managedThings)
    .values({ ...now, kind, objectId, projectId })
    .onConflictDoUpdate({
      target: [managedThings.kind, managedThings.objectId],
      set: now,
      setWhere: or(eq(managedThings.stack, ctx.actingStack.stack), isNotNull(managedThings.takenOverAt)),
    })
    .returning({ id: managedThings.objectId });
  if (claimed.length > 0) return;
  const owner = await findOwner(tx, thing);
  if (owner) throw ownedBy(thing, owner, toStack);
}

/** Throws conflict if the thing belongs to a stack that the call does not act for. */
export async function rejectManaged(connection: Connection, ctx: SignedIn, thing: Thing): Promise<void> {
  const owner = await findOwner(connection, thing);
  if (!owner || owner.stack === ctx.actingStack?.stack) return;
  throw ownedBy(thing, owner, ctx.actingStack ? toStack : toPerson);
}

/** The same for many things of a kind. */
export async function rejectAnyManaged(
  connection: Connection,
  ctx: SignedIn,
  kind: ManagedKind,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const [owner] = await connection
    .select()
    .from(managedThings)
    .where(
      and(
        eq(managedThings.kind, kind),
        inArray(managedThings.objectId, [...ids]),
        isNull(managedThings.takenOverAt),
        ctx.actingStack && ne(managedThings.stack, ctx.actingStack.stack),
      ),
    )
    .limit(1);
  if (owner) throw ownedBy({ kind, id: owner.objectId }, owner, ctx.actingStack ? toStack : toPerson);
}

/** The condition that files describe a row's thing, or did until it was taken over. */
export const isManagedThing = (kind: ManagedKind, id: PgColumn) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(managedThings)
      .where(and(eq(managedThings.kind, kind), eq(managedThings.objectId, id))),
  );

async function findOwner(connection: Connection, thing: Thing) {
  const [owner] = await connection
    .select()
    .from(managedThings)
    .where(and(isThing(thing), isNull(managedThings.takenOverAt)));
  return owner;
}

/** Belongs into the transaction that archives or deletes a thing: throws like `rejectManaged`, and ends its ownership. */
export async function releaseManaged(tx: Transaction, ctx: SignedIn, thing: Thing): Promise<void> {
  await rejectManaged(tx, ctx, thing);
  await forgetManaged(tx, thing);
}

/** The same for what someone else decided before. */
export async function forgetManaged(tx: Transaction, thing: Thing): Promise<void> {
  await tx.delete(managedThings).where(isThing(thing));
}

/** The same for many things of a kind, which are gone with what they belong to. */
export async function forgetAllManaged(
  tx: Transaction,
  kind: ManagedKind,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0)
    await tx
      .delete(managedThings)
      .where(and(eq(managedThings.kind, kind), inArray(managedThings.objectId, [...ids])));
}

/**
 * Ends the ownership of a thing that a person changes although files own it, because it cannot wait: as if an Admin had
 * taken it over.
 */
export async function takeOverNow(tx: Transaction, ctx: SignedIn, thing: Thing): Promise<void> {
  await tx
    .update(managedThings)
    .set({ takenOverAt: sql`now()`, takenOverBy: ctx.principal.name })
    .where(and(isThing(thing), isNull(managedThings.takenOverAt)));
}

type Filter = { stack?: string | undefined; kind?: ManagedKind | undefined; id?: number | undefined };

/** What stacks own, or did until it was taken over, in projects that the caller sees; without a project, for Admins of all. */
export async function listManaged({ principal }: SignedIn, { stack, kind, id }: Filter) {
  const rows = await db
    .select()
    .from(managedThings)
    .where(
      and(
        inVisibleProject(principal, managedThings.projectId),
        isAdminOfAll(principal) ? undefined : isNotNull(managedThings.projectId),
        ifGiven(stack, managedThings.stack),
        ifGiven(kind, managedThings.kind),
        ifGiven(id, managedThings.objectId),
      ),
    )
    .orderBy(
      asc(managedThings.stack),
      asc(managedThings.path),
      asc(managedThings.kind),
      asc(managedThings.objectId),
    );
  const edited = rows.flatMap(({ kind, objectId: id, revision: since }) =>
    isEdited(kind) ? { kind, id, since } : [],
  );
  const changes = await listEditsOfMany(db, edited);
  return {
    items: rows.map(({ objectId: id, takenOverAt, takenOverBy, ...row }) => ({
      ...{ ...row, id },
      takenOver: takenOverAt && { at: takenOverAt, by: takenOverBy ?? "" },
      changedSince: changes.find((each) => each.kind === row.kind && each.id === id)?.edits ?? [],
    })),
  };
}

const isEdited = (kind: string): kind is EditedKind => (editedKinds as readonly string[]).includes(kind);

/**
 * Lets people edit a thing again that a stack owns; a call that acts for this stack gives it up for good. Throws not_found
 * if the caller cannot see it or no stack owns it, and forbidden for anyone who is no Admin of its project.
 */
export async function takeOver(ctx: SignedIn, thing: Thing) {
  const [row] = await db.select().from(managedThings).where(isThing(thing));
  if (!row || !maySee(ctx.principal, row))
    throw new Problem("not_found", `This ${managedWords[thing.kind]} is not managed as code`);
  await db.transaction(async (tx) => {
    if (ctx.actingStack?.stack === row.stack) await forgetManaged(tx, thing);
    else await takeOverNow(tx, ctx, thing);
  });
  return { ...thing, name: `${managedWords[thing.kind]} ${thing.id}, from ${row.stack} (${row.path})` };
}

const maySee = (principal: Principal, { projectId }: Row): boolean =>
  projectId === null ? isAdminOfAll(principal) : maySeeProject(principal, projectId);
