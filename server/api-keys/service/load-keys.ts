import { desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { isAdminOfAll } from "../../auth/permissions.ts";
import type { Principal, SignedIn } from "../../auth/principal.ts";
import { users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { restrictionOf } from "../project-restriction.ts";
import { apiKeys } from "../tables.ts";

/** Restricted by the flag or by any list: a JSON null in place of a list is damage, not "no restriction". */
const restricted = sql<boolean>`(${apiKeys.restricted} or ${apiKeys.allowedProjectIds} is not null)`;

const { id, name, prefix, scopes, allowedProjectIds, allowedNetworks, parentKeyId, replacedById } =
  getTableColumns(apiKeys);
const { createdAt, lastUsedAt, lastUsedAddress, expiresAt } = getTableColumns(apiKeys);

/** Whether it has lived for longer than the operator allows. */
export const isTooOld = () => {
  const { KEYS_MAX_DAYS } = env();
  return KEYS_MAX_DAYS === null
    ? sql`false`
    : sql`${apiKeys.createdAt} <= now() - ${KEYS_MAX_DAYS} * interval '1 day'`;
};

/** The columns that may leave the service: never the hash. */
const shown = () => ({
  ...{
    id,
    name,
    prefix,
    scopes,
    restricted,
    allowedProjectIds,
    allowedNetworks,
    parentKeyId,
    replacedById,
    createdAt,
    lastUsedAt,
    lastUsedAddress,
    expiresAt,
  },
  status: sql<"Active" | "Revoked">`case when ${apiKeys.revokedAt} is null then 'Active' else 'Revoked' end`,
  isExpired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false) or ${isTooOld()}`,
  user: { id: users.id, name: users.name },
  ownerKind: users.kind,
});

export async function loadKeys(which: SQL | undefined) {
  const rows = await db
    .select(shown())
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(which)
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map(({ restricted, ...key }) => ({
    ...key,
    allowedProjectIds: restrictionOf({ restricted, allowedProjectIds: key.allowedProjectIds }),
  }));
}

/** An Admin manages everyone's keys, others only their own. */
export const isManagedBy = (principal: Principal) =>
  isAdminOfAll(principal) ? undefined : eq(apiKeys.userId, principal.userId);

/** Newest first; revoked and expired keys stay. */
export async function listKeys({ principal }: SignedIn) {
  return { items: await loadKeys(isManagedBy(principal)) };
}
