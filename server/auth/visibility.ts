import { inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Principal } from "./principal.ts";

/** The condition that the principal may see a row's project; undefined if they may see all. */
export function inVisibleProject(principal: Principal, projectId: PgColumn): SQL | undefined {
  if (principal.projectIds === null) return undefined;
  return principal.projectIds.length === 0 ? sql`false` : inArray(projectId, [...principal.projectIds]);
}

/** The same condition for what is in memory. */
export function isInVisibleProject(principal: Principal): ((projectId: number) => boolean) | undefined {
  if (principal.projectIds === null) return undefined;
  const visible = new Set(principal.projectIds);
  return (projectId) => visible.has(projectId);
}
