import { z } from "zod";
import { identifier } from "../db/schema-parts.ts";

const projectList = z.array(identifier).min(1);

/** What a key's row says about projects; the list is whatever stands in the database. */
export type StoredRestriction = { restricted: boolean; allowedProjectIds: unknown };

/**
 * The projects that a key is limited to; null when it is not. A list that is missing, empty or anything but
 * identifiers allows nothing: the limit is the flag, and no list can lift it.
 */
export function restrictionOf({ restricted, allowedProjectIds }: StoredRestriction): number[] | null {
  if (!restricted) return null;
  const list = projectList.safeParse(allowedProjectIds);
  return list.success ? list.data : [];
}
