import { sql } from "drizzle-orm";
import { leasesOn } from "../../jobs/leases.ts";
import { limits } from "../limits.ts";
import { executions } from "../tables.ts";

export const executionLeases = leasesOn(executions, sql`${executions.status} = 'Created'`, limits);
