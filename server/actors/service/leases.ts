import { sql } from "drizzle-orm";
import { leasesOn } from "../../jobs/leases.ts";
import { limits } from "../limits.ts";
import { actorExecutions } from "../tables.ts";

/** Whether an execution of an actor is unfinished. */
export const isOpen = sql`${actorExecutions.phase} not in ('Completed', 'Failed')`;

export const executionLeases = leasesOn(actorExecutions, isOpen, limits);
