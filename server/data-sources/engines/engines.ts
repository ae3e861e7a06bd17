import { Problem } from "../../errors.ts";
import type { Kind } from "../schema.ts";
import type { Engine } from "./engine.ts";
import { mysql } from "./mysql.ts";
import { postgresql } from "./postgresql.ts";
import { restApi } from "./rest-api.ts";
import { sqlserver } from "./sqlserver.ts";

/** The engines that are there. Another one is one more line here, and its kind in `supportedKind`. */
const engines: Partial<Record<Kind, Engine>> = {
  PostgreSql: postgresql,
  MySql: mysql,
  RestApi: restApi,
  SqlServer: sqlserver,
};

/** null for a kind whose engine is not there. */
export function engineFor(kind: Kind): Engine | null {
  return engines[kind] ?? null;
}

/** Throws rejected for a kind whose engine is not there. */
export function getEngine(kind: Kind): Engine {
  const engine = engineFor(kind);
  if (!engine) throw new Problem("rejected", `Data sources of the kind ${kind} are not supported`);
  return engine;
}
