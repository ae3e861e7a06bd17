import { and, asc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem, problemIn, violatedConstraint } from "../../errors.ts";
import { sendEvents } from "../../jobs/client.ts";
import { log } from "../../telemetry/log.ts";
import { schemaRead } from "../events.ts";
import { isDatabaseKind } from "../kinds.ts";
import { asProblem } from "../source-problem.ts";
import { dataSourceSchemas, dataSources } from "../tables.ts";
import { useSource } from "./connected-sources.ts";
import { getDataSource } from "./load-data-sources.ts";

/** The schemas, tables, and columns as last read; the first call reads them. */
export async function getSchema(ctx: SignedIn, id: number) {
  await getDataSource(ctx, id);
  const [known] = await db.select().from(dataSourceSchemas).where(eq(dataSourceSchemas.dataSourceId, id));
  return known ? { items: known.items, readAt: known.readAt } : readSchema(id);
}

/** When they were last read; null if never. */
export async function schemaReadAt(id: number): Promise<Date | null> {
  const [known] = await db
    .select({ readAt: dataSourceSchemas.readAt })
    .from(dataSourceSchemas)
    .where(eq(dataSourceSchemas.dataSourceId, id));
  return known?.readAt ?? null;
}

/** Reads the schemas, tables, and columns again. Throws source_unreachable or source_timeout. */
export async function refreshSchema(ctx: SignedIn, id: number) {
  await getDataSource(ctx, id);
  return readSchema(id);
}

/**
 * Reads the databases of these projects that were never read, or not for so many hours. One that cannot be reached is left
 * for the next time. Returns how many were read.
 */
export async function rereadOldSchemas(projectIds: readonly number[], hours: number): Promise<number> {
  const old = await db
    .select({ id: dataSources.id, kind: dataSources.kind })
    .from(dataSources)
    .leftJoin(dataSourceSchemas, eq(dataSourceSchemas.dataSourceId, dataSources.id))
    .where(
      and(
        inArray(dataSources.projectId, [...projectIds]),
        or(
          isNull(dataSourceSchemas.readAt),
          lt(dataSourceSchemas.readAt, sql`now() - ${hours} * interval '1 hour'`),
        ),
      ),
    )
    .orderBy(asc(dataSources.id));
  let read = 0;
  for (const { id } of old.filter(({ kind }) => isDatabaseKind(kind)))
    try {
      await readSchema(id);
      read += 1;
    } catch (err) {
      if (problemIn(err) === null) throw err;
      log.info({ err, dataSourceId: id }, "The schema could not be read again; will retry");
    }
  return read;
}

/** Reads them for a job; the caller is none. Throws source_unreachable or source_timeout. */
export async function readSchema(dataSourceId: number) {
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
