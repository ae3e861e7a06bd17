import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type Principal, type SignedIn } from "../auth/principal.ts";
import type { Role, Scope } from "../auth/schema.ts";
import { users } from "../auth/tables.ts";
import { db, sql as statement } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { databaseNow } from "../jobs/schedules.ts";
import { projects } from "../projects/tables.ts";
import { grantableScopes, inOrder } from "./grantable-scopes.ts";
import { restrictionOf, type StoredRestriction } from "./project-restriction.ts";
import { hashOf, makeRawKey, prefixOf, presentedKey } from "./raw-key.ts";
import type { ApiKeyWrite } from "./schema.ts";
import { apiKeys } from "./tables.ts";

/** The limit is the flag, or any list at all: JSON's null in the list's place is a damaged list, not none. */
const restricted = sql<boolean>`(${apiKeys.restricted} or ${apiKeys.allowedProjectIds} is not null)`;

const { id, name, prefix, scopes, allowedProjectIds, createdAt, lastUsedAt, expiresAt } =
  getTableColumns(apiKeys);

/** What leaves the service: never the hash. */
const shown = {
  ...{ id, name, prefix, scopes, restricted, allowedProjectIds, createdAt, lastUsedAt, expiresAt },
  status: sql<"Active" | "Revoked">`case when ${apiKeys.revokedAt} is null then 'Active' else 'Revoked' end`,
  isExpired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false)`,
  user: { id: users.id, name: users.name },
};

async function loadKeys(which: SQL | undefined) {
  const rows = await db
    .select(shown)
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(which)
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map(({ restricted, ...key }) => ({
    ...key,
    allowedProjectIds: restrictionOf({ restricted, allowedProjectIds: key.allowedProjectIds }),
  }));
}

/** An Admin manages everybody's keys, others their own. */
const isManagedBy = ({ userId, role }: Principal) =>
  role === "Admin" ? undefined : eq(apiKeys.userId, userId);

/** Newest first; revoked and expired keys stay. */
export async function listKeys({ principal }: SignedIn) {
  return { items: await loadKeys(isManagedBy(principal)) };
}

/**
 * Makes a key of the caller's, with at most what the caller has. The answer holds the raw key, this once. Throws
 * forbidden for scopes or projects beyond the caller's, invalid for an expiry that is not ahead, and not_found for
 * a project that is unknown.
 */
export async function createKey({ principal }: SignedIn, write: ApiKeyWrite) {
  const scopes = inOrder(write.scopes);
  refuseWiderScopes(principal, scopes);
  const allowedProjectIds = await resolveProjects(principal, write.allowedProjectIds ?? null);
  const expiresAt = await resolveExpiry(write.expiresAt ?? null);
  const rawKey = makeRawKey();
  const [created] = await db
    .insert(apiKeys)
    .values({
      userId: principal.userId,
      name: write.name,
      prefix: prefixOf(rawKey),
      hash: hashOf(rawKey),
      scopes,
      restricted: allowedProjectIds !== null,
      allowedProjectIds,
      expiresAt,
    })
    .returning({ id: apiKeys.id });
  const [key] = created ? await loadKeys(eq(apiKeys.id, created.id)) : [];
  if (!key) throw new Error("The insert returned no key");
  return { ...key, rawKey };
}

function refuseWiderScopes(principal: Principal, wanted: readonly Scope[]): void {
  const grantable = grantableScopes(principal);
  const wider = wanted.filter((scope) => !grantable.includes(scope));
  if (wider.length > 0)
    throw new Problem("forbidden", `You may not give a key the scope ${wider.join(", ")}`);
}

async function resolveProjects(principal: Principal, wanted: number[] | null): Promise<number[] | null> {
  if (wanted === null) {
    if (principal.projectIds === null) return null;
    throw new Problem("forbidden", "A key that is limited to projects cannot make one that is not");
  }
  const ids = [...new Set(wanted)];
  const known = await db.select({ id: projects.id }).from(projects).where(inArray(projects.id, ids));
  if (known.length < ids.length || !ids.every((id) => maySeeProject(principal, id)))
    throw new Problem("not_found", "Project not found");
  return ids;
}

async function resolveExpiry(wanted: string | null): Promise<Date | null> {
  if (wanted === null) return null;
  const expiresAt = new Date(wanted);
  if (expiresAt > (await databaseNow(db))) return expiresAt;
  const message = "must be in the future";
  throw new Problem("invalid", "The request is not valid", { errors: [{ path: "expiresAt", message }] });
}

/** Takes effect on the next request, in every process. Throws not_found for a key that is not the caller's to revoke. */
export async function revokeKey({ principal }: SignedIn, id: number) {
  const isOne = and(eq(apiKeys.id, id), isManagedBy(principal));
  await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
    .where(isOne);
  const [key] = await loadKeys(isOne);
  if (!key) throw new Problem("not_found", "API key not found");
  return key;
}

type ValidKey = StoredRestriction & {
  id: number;
  name: string;
  scopes: Scope[];
  userId: number;
  userName: string;
  role: Role;
  /** Those of the listed projects that are still there. */
  existing: number[];
};

/**
 * Who the API key in these headers stands for: its user as of today, within the key's scopes and projects. null
 * when the headers present no key. Throws unauthenticated for a key that is unknown, revoked, expired or a disabled
 * user's, which look all the same.
 */
export async function findKeyPrincipal(headers: Headers): Promise<Principal | null> {
  const rawKey = presentedKey(headers);
  if (rawKey === null) return null;
  const key = await useValidKey(hashOf(rawKey));
  if (!key) throw new Problem("unauthenticated", "Invalid or expired API key");
  return {
    kind: "ApiKey",
    userId: key.userId,
    keyId: key.id,
    name: `${key.name} (${key.userName})`,
    role: key.role,
    scopes: key.scopes,
    projectIds: restrictionOf(key)?.filter((id) => key.existing.includes(id)) ?? null,
  };
}

/**
 * Finds a key by its hash and stamps its last use, in one round trip. Nothing is remembered between requests, so a
 * revocation holds for the next one. The stamp is set at most once a second, and is left to whoever holds the row:
 * a request never waits for another's. Written by hand because only a prepared statement keeps it cheap.
 */
async function useValidKey(hash: Buffer): Promise<ValidKey | undefined> {
  const [key] = await statement<ValidKey[]>`
    with found as (
      select k.id, k.name, k.scopes::text[] as scopes, k.user_id, u.name as user_name, u.role,
        k.restricted or k.allowed_project_ids is not null as restricted, k.allowed_project_ids
      from api_keys k join users u on u.id = k.user_id
      where k.hash = ${hash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and u.enabled
    ), due as (
      select id from api_keys
      where id = (select id from found)
        and (last_used_at is null or last_used_at <= now() - interval '1 second')
      for no key update skip locked
    ), stamped as (
      update api_keys set last_used_at = now() where id = (select id from due)
    )
    select id, name, scopes, user_id as "userId", user_name as "userName", role, restricted,
      allowed_project_ids as "allowedProjectIds",
      array(
        select p.id
        from jsonb_array_elements(
          case jsonb_typeof(allowed_project_ids) when 'array' then allowed_project_ids else '[]' end
        ) each
        join projects p on p.id = case when each::text ~ '^[1-9][0-9]{0,9}$' then each::text::bigint end
      ) as existing
    from found`;
  return key;
}
