import { isDeepStrictEqual } from "node:util";
import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../auth/principal.ts";
import { recorded } from "../auth/recorded.ts";
import { inVisibleProject } from "../auth/visibility.ts";
import { afterCommit, refuseInTransaction } from "../db/ambient.ts";
import { db } from "../db/client.ts";
import { encrypt } from "../encryption.ts";
import { Problem, violatedConstraint } from "../errors.ts";
import { sendEvents } from "../jobs/client.ts";
import { forgetSource, openConnection, secretOf, useSource } from "./connected-sources.ts";
import {
  type Parted,
  parted,
  refuseOtherKind,
  refuseOtherReceiver,
  secretText,
  withSecret,
} from "./connection-secret.ts";
import { isSourceError, type OpenConnection } from "./engines/engine.ts";
import { getEngine } from "./engines/engines.ts";
import { schemaRead } from "./events.ts";
import type {
  ConnectionTest,
  createDataSourceInput,
  Kind,
  testConnectionInput,
  updateDataSourceInput,
} from "./schema.ts";
import { asProblem } from "./source-problem.ts";
import { dataSourceSchemas, dataSources } from "./tables.ts";

export { closeSources, type LentSource, useSource } from "./connected-sources.ts";
export type { Priority } from "./slots.ts";

type Create = ReturnType<typeof createDataSourceInput.parse>;
type Update = ReturnType<typeof updateDataSourceInput.parse>;
type Test = ReturnType<typeof testConnectionInput.parse>;

const { secret: _, ...shownColumns } = getTableColumns(dataSources);
/** What leaves the service: never the secret, only whether there is one. */
const shown = { ...shownColumns, hasPassword: sql<boolean>`${dataSources.secret} is not null` };

export async function listDataSources(
  { principal }: SignedIn,
  { projectId }: { projectId?: number | undefined } = {},
) {
  const items = await db
    .select(shown)
    .from(dataSources)
    .where(
      and(
        inVisibleProject(principal, dataSources.projectId),
        projectId === undefined ? undefined : eq(dataSources.projectId, projectId),
      ),
    )
    .orderBy(asc(dataSources.name), asc(dataSources.id));
  return { items };
}

/** Throws not_found for an unknown data source and for one of a project that the caller may not see, alike. */
export async function getDataSource({ principal }: Pick<SignedIn, "principal">, id: number) {
  const [row] = await db.select(shown).from(dataSources).where(eq(dataSources.id, id));
  if (!row || !maySeeProject(principal, row.projectId))
    throw new Problem("not_found", "Data source not found");
  return row;
}

/** A data source that cannot be reached is stored all the same; whether its login can write is then unknown. */
export async function createDataSource(
  ctx: SignedIn,
  { connection: given, allowedFunctions = [], ...fields }: Create,
) {
  if (!maySeeProject(ctx.principal, fields.projectId)) throw new Problem("not_found", "Project not found");
  const { connection, secret = "" } = parted(given, getEngine(fields.kind));
  const canWrite = await mayWrite(fields.kind, withSecret(connection, secret));
  try {
    return await recorded(ctx, async () => {
      const [row] = await db
        .insert(dataSources)
        .values({ ...fields, allowedFunctions, connection, canWrite })
        .returning({ id: dataSources.id });
      if (!row) throw new Error("The insert returned no data source");
      // The secret is bound to the row's identity, which the database has only now given.
      await db
        .update(dataSources)
        .set({ secret: sealed(row.id, secret) })
        .where(eq(dataSources.id, row.id));
      return getDataSource(ctx, row.id);
    });
  } catch (error) {
    if (violatedConstraint(error)?.includes("project_id"))
      throw new Problem("not_found", "Project not found");
    throw error;
  }
}

/** A secret that is left out stays, but not for another host or login, nor for a way there that is less protected. */
export async function updateDataSource(
  ctx: SignedIn,
  { id, name, connection: given, allowedFunctions }: Update,
) {
  const stored = await getStored(ctx, id);
  const { connection, secret } = parted(given, getEngine(stored.kind));
  const complete = completed(stored, { connection, secret });
  const isSameConnection = isDeepStrictEqual(stored.connection, connection);
  const isUntouched = isSameConnection && secret === undefined;
  const canWrite = isUntouched ? stored.canWrite : await mayWrite(stored.kind, complete);
  return recorded(ctx, async () => {
    const [updated] = await db
      .update(dataSources)
      .set({
        name,
        connection,
        canWrite,
        ...(allowedFunctions && { allowedFunctions }),
        ...(secret !== undefined && { secret: sealed(id, secret) }),
      })
      // What was decided above holds only for the row that was read: its secret must not meet another host.
      .where(and(eq(dataSources.id, id), eq(dataSources.updatedAt, stored.updatedAt)))
      .returning({ id: dataSources.id });
    if (!updated) throw new Problem("conflict", "The data source was changed or deleted at the same time");
    if (!isSameConnection) await db.delete(dataSourceSchemas).where(eq(dataSourceSchemas.dataSourceId, id));
    afterCommit(() => forgetSource(id));
    return getDataSource(ctx, id);
  });
}

/** What keeps a data source, by the table that names it. */
const usersOf: readonly [RegExp, string][] = [
  [/^(contracts|table_scores)_/, "data contracts, archived ones included"],
  [/^actors_/, "AI actors, archived ones included"],
  [/^query_steps_/, "queries, archived ones and former versions included"],
];

/** Throws conflict, saying what, while anything uses the data source. */
export async function deleteDataSource(ctx: SignedIn, id: number): Promise<void> {
  await getDataSource(ctx, id);
  try {
    await db.delete(dataSources).where(eq(dataSources.id, id));
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === null) throw error;
    const users = usersOf.find(([tables]) => tables.test(constraint))?.[1] ?? "other things";
    throw new Problem("conflict", `The data source is still used by ${users}`);
  }
  afterCommit(() => forgetSource(id));
}

/** Tries a connection that is not stored; with `dataSourceId`, the stored secret stands in for one left out. */
export async function testConnection(
  ctx: SignedIn,
  { projectId, kind, connection: given, dataSourceId }: Test,
): Promise<ConnectionTest> {
  if (projectId !== undefined && !maySeeProject(ctx.principal, projectId))
    throw new Problem("not_found", "Project not found");
  const isForNoProject = projectId === undefined && dataSourceId === undefined;
  if (isForNoProject && ctx.principal.projectIds !== null)
    throw new Problem("forbidden", "A key that is limited to projects must name the project or data source");
  const sent = parted(given, getEngine(kind));
  const complete =
    dataSourceId === undefined
      ? withSecret(sent.connection, sent.secret ?? "")
      : completed(await getStored(ctx, dataSourceId), sent);
  try {
    return { ok: true, ...(await test(kind, complete)) };
  } catch (error) {
    if (isSourceError(error)) return { ok: false, message: error.message };
    throw error;
  }
}

/** The schemas, tables and columns as they were last read; the first call reads them. */
export async function getSchema(ctx: SignedIn, id: number) {
  await getDataSource(ctx, id);
  const [known] = await db.select().from(dataSourceSchemas).where(eq(dataSourceSchemas.dataSourceId, id));
  return known ? { items: known.items, readAt: known.readAt } : readSchema(id);
}

/** Reads the schemas, tables and columns anew. Throws source_unreachable or source_timeout. */
export async function refreshSchema(ctx: SignedIn, id: number) {
  await getDataSource(ctx, id);
  return readSchema(id);
}

async function readSchema(dataSourceId: number) {
  try {
    const { items } = await useSource(dataSourceId, (_, source) => source.introspect());
    const found = { items, readAt: sql`now()` };
    const readAt = await db.transaction(async (tx) => {
      const [stored] = await tx
        .insert(dataSourceSchemas)
        .values({ dataSourceId, ...found })
        .onConflictDoUpdate({ target: dataSourceSchemas.dataSourceId, set: found })
        .returning({ readAt: dataSourceSchemas.readAt });
      if (!stored) throw new Error("The insert returned no schema");
      await sendEvents(tx, schemaRead.create({ dataSourceId }));
      return stored.readAt;
    });
    return { items, readAt };
  } catch (error) {
    if (violatedConstraint(error) !== null) throw new Problem("not_found", "Data source not found");
    throw asProblem(error);
  }
}

async function getStored(ctx: SignedIn, id: number) {
  await getDataSource(ctx, id);
  const [row] = await db.select().from(dataSources).where(eq(dataSources.id, id));
  if (!row) throw new Problem("not_found", "Data source not found");
  return row;
}

/** With the secret that was sent, or else the stored one. Throws invalid where that one would be told to others. */
function completed(stored: typeof dataSources.$inferSelect, { connection, secret }: Parted): OpenConnection {
  refuseOtherKind(stored.connection, connection);
  if (secret !== undefined) return withSecret(connection, secret);
  const kept = openConnection(stored);
  refuseOtherReceiver(kept, connection);
  return withSecret(connection, secretText(kept));
}

const sealed = (id: number, secret: string) => (secret === "" ? null : encrypt(secret, secretOf(id)));

async function test(kind: Kind, connection: OpenConnection) {
  refuseInTransaction("A data source");
  const source = getEngine(kind).open(connection);
  try {
    return await source.test();
  } finally {
    await source.close();
  }
}

async function mayWrite(kind: Kind, connection: OpenConnection): Promise<boolean | null> {
  try {
    return (await test(kind, connection)).canWrite ?? null;
  } catch (error) {
    if (isSourceError(error)) return null;
    throw error;
  }
}
