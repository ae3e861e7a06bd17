import { sql } from "drizzle-orm";
import { leasesOn } from "../../jobs/leases.ts";
import { limits } from "../limits.ts";
import { findingScans } from "../tables.ts";

export const scanLeases = leasesOn(findingScans, sql`${findingScans.status} = 'Running'`, limits);
