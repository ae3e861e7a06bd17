import { asc, eq } from "drizzle-orm";
import type { Connection } from "../../db/client.ts";
import type { ShownStep } from "../approval-notification.ts";
import { querySteps } from "../tables.ts";

/** A version's steps, as a request for approval shows them. */
export const shownSteps = async (connection: Connection, versionId: number): Promise<ShownStep[]> =>
  connection
    .select({ name: querySteps.name, sql: querySteps.sql, request: querySteps.request })
    .from(querySteps)
    .where(eq(querySteps.versionId, versionId))
    .orderBy(asc(querySteps.order));
