import type { Principal } from "../../auth/principal.ts";
import type { Role, Scope } from "../../auth/schema.ts";
import { sql as statement } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { restrictionOf, type StoredRestriction } from "../project-restriction.ts";
import { hashOf, presentedKey } from "../raw-key.ts";

type ValidKey = StoredRestriction & {
  id: number;
  name: string;
  scopes: Scope[];
  userId: number;
  userName: string;
  role: Role;
  /** The listed projects that still exist. */
  existing: number[];
};

/** The same error for every invalid key, whatever the reason. */
export const invalidKey = () => new Problem("unauthenticated", "Invalid or expired API key");

/**
 * The principal of the API key in these headers: its user's current role, limited to the key's scopes and projects.
 * null without a key. Throws unauthenticated, with the same message, for a key that is unknown, revoked, or expired,
 * whose user is disabled, or that has an ancestor that was revoked or has expired.
 */
export async function findKeyPrincipal(headers: Headers): Promise<Principal | null> {
  const rawKey = presentedKey(headers);
  if (rawKey === null) return null;
  const key = await useValidKey(hashOf(rawKey));
  if (!key) throw invalidKey();
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
 * Finds a key by its hash and updates its last use, in one round trip. Nothing is cached between requests, so a
 * revocation applies to the next one. Last use is updated at most once a second, and skipped if the row is locked: a
 * request never waits for another. Hand-written SQL, because only a prepared statement keeps it cheap.
 *
 * A key's ancestors are also checked, although it expires no later than they do and is revoked with them, so that no
 * bug there can let it outlive them.
 */
async function useValidKey(hash: Buffer): Promise<ValidKey | undefined> {
  const [key] = await statement<ValidKey[]>`
    with found as (
      select k.id, k.name, k.scopes::text[] as scopes, k.user_id, u.name as user_name, u.role,
        k.restricted or k.allowed_project_ids is not null as restricted, k.allowed_project_ids
      from api_keys k join users u on u.id = k.user_id
      where k.hash = ${hash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and u.enabled and (k.parent_key_id is null or not exists (
          with recursive makers as (
            select m.parent_key_id, m.revoked_at, m.expires_at from api_keys m where m.id = k.parent_key_id
            union all
            select m.parent_key_id, m.revoked_at, m.expires_at
            from api_keys m join makers on m.id = makers.parent_key_id
          )
          select from makers where revoked_at is not null or expires_at <= now()
        ))
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
