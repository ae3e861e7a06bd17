import { sql } from "drizzle-orm";
import { grantsIn, type Permission } from "../../auth/permissions.ts";
import type { Principal } from "../../auth/principal.ts";
import type { NamedUser } from "../../auth/service/user-names.ts";
import type { Holder } from "../rank.ts";
import type { AttentionAction, AttentionKind, Concern, Urgency } from "../schema.ts";

/** One thing that needs a person, before it is described. */
export type Needing = {
  kind: AttentionKind;
  id: number;
  projectId: number;
  concern: Concern;
  severity: Urgency | null;
  holder: Holder;
  at: Date;
};

/** What is said about it. */
export type Described = {
  title: string;
  reason: string;
  since: Date;
  owner: NamedUser | null;
  path: string;
  action: { kind: AttentionAction; ids: number[] };
};

/** The IDs of rows as one bound value. */
export const idsOf = (rows: readonly { id: number }[]) =>
  sql`any(${`{${rows.map(({ id }) => id).join(",")}}`}::int[])`;

/** Whether the caller may do something to an item in its project, by the item's ID. */
export function mayDoTo(
  permission: Permission,
  principal: Principal,
  needing: readonly Needing[],
): (id: number) => boolean {
  const projects = new Map(needing.map(({ id, projectId }) => [id, projectId]));
  return (id) => grantsIn(permission, principal, projects.get(id) ?? 0);
}
