import type { SignedIn } from "../../auth/principal.ts";
import type { Dialect, Engine } from "../../data-sources/engines/engine.ts";
import { getEngine } from "../../data-sources/engines/engines.ts";
import { isRest } from "../../data-sources/schema.ts";
import { getDataSource } from "../../data-sources/service.ts";
import { Problem } from "../../errors.ts";

/**
 * A database that contracts can be of, with what SQL for it is written with. Throws not_found for one that the
 * caller may not see, and rejected for what is no database.
 */
export async function getContractSource(ctx: SignedIn, dataSourceId: number) {
  const source = await getDataSource(ctx, dataSourceId);
  const engine = getEngine(source.kind);
  if (!speaksSql(engine) || isRest(source.connection))
    throw new Problem("rejected", "Data contract's data source must be a database type");
  return { source, engine, defaultSchema: engine.defaultSchema(source.connection) };
}

const speaksSql = (engine: Engine): engine is Engine & { dialect: Dialect } => engine.dialect !== null;
