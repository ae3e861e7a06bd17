import { type SQL, sql } from "drizzle-orm";
import type { Phase } from "../states.ts";
import { actorExecutions } from "../tables.ts";

/** The columns that say that an execution has entered a phase, and when. */
export function entered(phase: Phase): { phase: Phase; phaseTimes: SQL } {
  const entry = sql`jsonb_build_object('phase', ${phase}::text, 'at',
    to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
  return { phase, phaseTimes: sql`${actorExecutions.phaseTimes} || ${entry}` };
}
