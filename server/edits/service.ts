import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { type Author, byOfAuthor } from "../audit/service.ts";
import type { Connection, Transaction } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { fieldChanges } from "./field-changes.ts";
import { type EditedKind, editSchema, type FieldChange } from "./schema.ts";
import { edits } from "./tables.ts";
import { editsInWords } from "./words.ts";

const words: Record<EditedKind, string> = {
  Contract: "contract",
  Subscription: "subscription",
  Actor: "actor",
  Recipient: "recipient",
  DataSource: "data source",
  Project: "project",
  Query: "query",
  Folder: "folder",
  IncidentPolicy: "incident policy",
  MaintenanceWindow: "maintenance window",
  TableTags: "tag list",
  ServiceAccount: "service account",
};

/** How many edits of one thing are kept. */
export const editsKept = 100;

type Edited = { kind: EditedKind; id: number };

/** Notes who made a revision, and what of. Belongs into the transaction of the edit, which holds the thing's row. */
export async function recordEdit(
  tx: Transaction,
  author: Author,
  { kind, id, revision, changes }: Edited & { revision: number; changes: FieldChange[] },
): Promise<void> {
  const by = byOfAuthor(author);
  await tx.insert(edits).values({
    ...{ kind, objectId: id, revision, changes },
    ...{ principalKind: by.kind, principalId: by.id, principalName: by.name },
  });
  await tx
    .delete(edits)
    .where(and(eq(edits.kind, kind), eq(edits.objectId, id), lte(edits.revision, revision - editsKept)));
}

/** The edits of a thing after a revision, oldest first. Sight is the caller's business. */
export async function listEdits(connection: Connection, { kind, id }: Edited, since = 0) {
  const rows = await connection
    .select()
    .from(edits)
    .where(and(eq(edits.kind, kind), eq(edits.objectId, id), gt(edits.revision, since)))
    .orderBy(asc(edits.revision));
  return rows.map(shownEdit);
}

const shownEdit = ({ revision, at, changes, ...row }: typeof edits.$inferSelect) => ({
  ...{ revision, at, changes },
  by: { kind: row.principalKind, id: row.principalId, name: row.principalName },
});

/** The same for many things, each after a revision of its own: by `kind` and `id`, those that have any. */
export async function listEditsOfMany(
  connection: Connection,
  things: readonly (Edited & { since: number })[],
): Promise<(Edited & { edits: Awaited<ReturnType<typeof listEdits>> })[]> {
  if (things.length === 0) return [];
  const asked = sql`jsonb_to_recordset(${JSON.stringify(things)}::jsonb) as asked (kind text, id integer, since integer)`;
  const rows = await connection
    .select()
    .from(edits)
    .where(
      sql`exists (select from ${asked} where asked.kind::edited_kind = ${edits.kind} and asked.id = ${edits.objectId} and asked.since < ${edits.revision})`,
    )
    .orderBy(asc(edits.revision));
  const byThing = Map.groupBy(rows, ({ kind, objectId }) => `${kind} ${objectId}`);
  return things.map(({ kind, id }) => ({
    kind,
    id,
    edits: (byThing.get(`${kind} ${id}`) ?? []).map(shownEdit),
  }));
}

/**
 * Throws conflict, with who changed what since, when an edit began from another revision than the current one. The
 * caller holds the thing's row, so that of two edits from the same revision the second is refused.
 */
export async function rejectStale(
  tx: Transaction,
  { kind, id, revision, baseRevision }: Edited & { revision: number; baseRevision: number | undefined },
): Promise<void> {
  if (baseRevision === undefined || baseRevision === revision) return;
  const since = await listEdits(tx, { kind, id }, baseRevision);
  const which = `The ${words[kind]} is at revision ${revision}, but this edit is based on ${baseRevision}.`;
  throw new Problem("conflict", [editsInWords(since), which].filter(Boolean).join(" "), {
    members: { revision, edits: since.map((edit) => editSchema.parse(edit)) },
  });
}

/**
 * The next revision of a thing, noted with what differs between two of its states. Belongs into the transaction of the
 * edit, which holds the thing's row.
 */
export async function nextRevision(
  tx: Transaction,
  author: Author,
  {
    before,
    after,
    revision,
    ...thing
  }: Edited & {
    revision: number;
    before: Record<string, unknown>;
    after: Record<string, unknown>;
  },
): Promise<number> {
  const next = revision + 1;
  await recordEdit(tx, author, { ...thing, revision: next, changes: fieldChanges(before, after) });
  return next;
}
