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
  /** Those of the listed projects that are still there. */
  existing: number[];
};

/** The same for every key that is not valid, whatever is wrong with it. */
export const invalidKey = () => new Problem("unauthenticated", "Invalid or expired API key");

/**
 * Who the API key in these headers stands for: its user as of today, within the key's scopes and projects. null
 * when the headers present no key. Throws unauthenticated for a key that is unknown, revoked, expired, a disabled
 * user's, or made by a key that was revoked or has expired; they all look the same.
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
 * Finds a key by its hash and stamps its last use, in one round trip. Nothing is remembered between requests, so a
 * revocation holds for the next one. The stamp is set at most once a second, and is left to whoever holds the row:
 * a request never waits for another's. Written by hand because only a prepared statement keeps it cheap.
 *
 * A key that a key made is asked for its makers, too, although it was given no later end than theirs and is revoked
 * with them: no mistake there lets it outlive them.
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
