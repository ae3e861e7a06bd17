import { type SQL, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import type { Phase } from "../states.ts";
import { actorExecutions } from "../tables.ts";
import { executionLeases } from "./leases.ts";

/** The columns that record that an execution has entered a phase, and when. */
export function entered(phase: Phase): { phase: Phase; phaseTimes: SQL } {
  const entry = sql`jsonb_build_object('phase', ${phase}::text, 'at',
    to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
  return { phase, phaseTimes: sql`${actorExecutions.phaseTimes} || ${entry}` };
}

/** Moves a leased execution to the next phase. Throws LeaseLost. */
export const enterPhase = (lease: Lease, phase: "Planning" | "Notifying") =>
  writeHeld(db, lease, entered(phase));

/** Ends a leased execution. Throws LeaseLost, which undoes the transaction. */
export const endExecution = (
  tx: Transaction,
  lease: Lease,
  phase: "Completed" | "Failed",
  set: { error?: string; decisionSummary?: string } = {},
) => writeHeld(tx, lease, { ...set, ...entered(phase), completedAt: sql`clock_timestamp()` });

async function writeHeld(
  connection: Connection,
  lease: Lease,
  set: Parameters<ReturnType<typeof db.update<typeof actorExecutions>>["set"]>[0],
): Promise<void> {
  const written = await connection
    .update(actorExecutions)
    .set(set)
    .where(executionLeases.isHeldBy(lease))
    .returning({ id: actorExecutions.id });
  if (written.length === 0) throw new LeaseLost("The execution was taken over");
}
