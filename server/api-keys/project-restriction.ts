import { z } from "zod";
import { identifier } from "../db/schema-parts.ts";

const projectList = z.array(identifier).min(1);

/** A key's stored project restriction; the list is unvalidated JSON. */
export type StoredRestriction = { restricted: boolean; allowedProjectIds: unknown };

/**
 * The projects a key is limited to; null if not limited. A list that is missing, empty, or not made of IDs allows
 * nothing: the flag sets the limit, and no list can remove it.
 */
export function restrictionOf({ restricted, allowedProjectIds }: StoredRestriction): number[] | null {
  if (!restricted) return null;
  const list = projectList.safeParse(allowedProjectIds);
  return list.success ? list.data : [];
}
