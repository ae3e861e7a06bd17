import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { sendEvents } from "../../jobs/client.ts";
import { ownedQueryChanged } from "../events.ts";
import type { Step } from "../schema.ts";
import { queries, queryVersions } from "../tables.ts";
import { loadSteps } from "./queries.ts";

/** A query created by an actor, as the actor and its approvers see it. */
export type OwnedQuery = {
  id: number;
  ownerActorId: number;
  name: string;
  description: string | null;
  folderId: number | null;
  isLocked: boolean;
  activeVersion: number;
  steps: Step[];
};

/** The queries of actors that are not archived, by id. The caller checks access. */
export async function listOwnedQueries(
  actorIds: readonly number[],
  connection: Connection = db,
): Promise<OwnedQuery[]> {
  if (actorIds.length === 0) return [];
  const rows = await connection
    .select({
      id: queries.id,
      ownerActorId: queries.ownerActorId,
      name: queries.name,
      description: queries.description,
      folderId: queries.folderId,
      isLocked: queries.isLocked,
      versionId: queryVersions.id,
      activeVersion: queryVersions.number,
    })
    .from(queries)
    .innerJoin(queryVersions, and(eq(queryVersions.queryId, queries.id), eq(queryVersions.status, "Active")))
    .where(and(inArray(queries.ownerActorId, [...actorIds]), isNull(queries.archivedAt)))
    .orderBy(asc(queries.id));
  const stepsOf = await loadSteps(
    connection,
    rows.map(({ versionId }) => versionId),
  );
  return rows.flatMap(({ versionId, ownerActorId, ...row }) =>
    ownerActorId === null ? [] : [{ ...row, ownerActorId, steps: stepsOf.get(versionId) ?? [] }],
  );
}

/** Which of the queries are locked. */
export async function findLockedQueries(
  ids: readonly number[],
  connection: Connection = db,
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await connection
    .select({ id: queries.id })
    .from(queries)
    .where(and(inArray(queries.id, [...ids]), queries.isLocked));
  return new Set(rows.map(({ id }) => id));
}

/** Notifies the actor that owns a changed query once the transaction commits; does nothing for other queries. */
export async function notifyOwner(tx: Transaction, queryId: number): Promise<void> {
  const [query] = await tx
    .select({ ownerActorId: queries.ownerActorId })
    .from(queries)
    .where(eq(queries.id, queryId));
  if (!query || query.ownerActorId === null) return;
  await sendEvents(tx, ownedQueryChanged.create({ queryId, ownerActorId: query.ownerActorId }));
}
