import { sql } from "drizzle-orm";
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
