import { eq, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { sendEvents } from "../../jobs/client.ts";
import { schemaRead } from "../events.ts";
import { asProblem } from "../source-problem.ts";
import { dataSourceSchemas } from "../tables.ts";
import { useSource } from "./connected-sources.ts";
import { getDataSource } from "./load-data-sources.ts";

/** The schemas, tables, and columns as last read; the first call reads them. */
export async function getSchema(ctx: SignedIn, id: number) {
  await getDataSource(ctx, id);
  const [known] = await db.select().from(dataSourceSchemas).where(eq(dataSourceSchemas.dataSourceId, id));
  return known ? { items: known.items, readAt: known.readAt } : readSchema(id);
}

/** Reads the schemas, tables, and columns again. Throws source_unreachable or source_timeout. */
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
