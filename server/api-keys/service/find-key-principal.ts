import { isIP } from "node:net";
import { sql } from "drizzle-orm";
import { accessOf, type Principal } from "../../auth/principal.ts";
import type { ProjectRole, Role, Scope, UserKind } from "../../auth/schema.ts";
import { lookupDb } from "../../db/client.ts";
import { compiledStatement } from "../../db/compiled.ts";
import { anyOf, gathered } from "../../db/gathered.ts";
import { env } from "../../env.ts";
import { Problem } from "../../errors.ts";
import { restrictionOf, type StoredRestriction } from "../project-restriction.ts";
import { hashOf, presentedKey } from "../raw-key.ts";

type ValidKey = StoredRestriction & {
  id: number;
  name: string;
  scopes: Scope[];
  userId: number;
  userName: string;
  ownerKind: UserKind;
  role: Role;
  /** The user's, if they are limited to projects. */
  projectRoles: ProjectRole[] | null;
  /** The listed projects that still exist. */
  existing: number[];
};

/** The same error for every invalid key, whatever the reason. */
export const invalidKey = () => new Problem("unauthenticated", "Invalid or expired API key");

/**
 * The principal of the API key in these headers, used from this address: its user's current role and projects, limited to
 * the key's scopes and projects. null without a key. Throws unauthenticated, with the same message, for a key that is unknown, revoked, or expired,
 * whose user is disabled, that has lived for longer than the operator allows, that is used from an address
 * other than those that it or an ancestor is limited to, or that has an ancestor that was revoked, has expired, or is too old.
 */
export async function findKeyPrincipal(headers: Headers, address: string): Promise<Principal | null> {
  const rawKey = presentedKey(headers);
  if (rawKey === null) return null;
  const key = await useValidKey({ hash: hashOf(rawKey).toString("hex"), address: inetOf(address) });
  if (!key) throw invalidKey();
  return {
    kind: "ApiKey",
    userId: key.userId,
    keyId: key.id,
    name: `${key.name} (${key.userName})`,
    ...(key.ownerKind === "ServiceAccount" && { isServiceAccount: true }),
    scopes: key.scopes,
    ...accessOf(
      key.role,
      key.projectRoles,
      restrictionOf(key)?.filter((id) => key.existing.includes(id)) ?? null,
    ),
  };
}

/** An address as PostgreSQL reads it: IPv4 in IPv6 is IPv4, and what is no address is none. */
function inetOf(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return isIP(plain) ? plain : null;
}

type Presented = { hash: string; address: string | null };

/**
 * Finds a key by its hash (in hexadecimal) and updates its last use, in one round trip. Nothing is cached between requests,
 * so a revocation applies to the next one; requests that come while others are being looked up share the next statement.
 * Last use is updated at most once a second, and skipped if the row is locked: a request never waits for another.
 *
 * A key's ancestors are also checked, although it expires no later than they do and is revoked with them, so that no
 * bug there can let it outlive them.
 */
const useValidKey = gathered(async (presented: readonly Presented[]) => {
  const nameOf = ({ hash, address }: Presented) => `${hash} ${address}`;
  const uses = [...new Map(presented.map((each) => [nameOf(each), each])).values()];
  const found = await useValidKeys({ uses: JSON.stringify(uses), maxDays: env().KEYS_MAX_DAYS });
  const keys = new Map(found.map((key) => [nameOf(key), key]));
  return presented.map((each) => keys.get(nameOf(each)));
});

const { placeholder } = sql;
const maxDays = sql`${placeholder("maxDays")}::int * interval '1 day'`;

const useValidKeys = compiledStatement<ValidKey & Presented, { uses: string; maxDays: number | null }>(
  lookupDb,
  () => sql`
    with uses as (
      select hash, address from json_to_recordset(${placeholder("uses")}::json) as use (hash text, address text)
    ), found as (
      select uses.hash, uses.address, k.id, k.name, k.scopes::text[] as scopes, k.user_id, u.name as user_name, u.kind, u.role,
        u.limited_to_projects, k.restricted or k.allowed_project_ids is not null as restricted, k.allowed_project_ids
      from uses join api_keys k on k.hash = decode(uses.hash, 'hex') join users u on u.id = k.user_id
      where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and (${placeholder("maxDays")}::int is null or k.created_at > now() - ${maxDays})
        and (k.allowed_networks is null or exists (
          select from unnest(k.allowed_networks) as network where uses.address::inet <<= network::inet
        ))
        and u.enabled and (k.parent_key_id is null or not exists (
          with recursive makers as (
            select m.parent_key_id, m.created_at, m.revoked_at, m.expires_at, m.allowed_networks
            from api_keys m where m.id = k.parent_key_id
            union all
            select m.parent_key_id, m.created_at, m.revoked_at, m.expires_at, m.allowed_networks
            from api_keys m join makers on m.id = makers.parent_key_id
          )
          select from makers where revoked_at is not null or expires_at <= now()
            or created_at <= now() - ${maxDays}
            or not coalesce(allowed_networks is null or exists (
              select from unnest(allowed_networks) as network where uses.address::inet <<= network::inet
            ), false)
        ))
    ), due as (
      select id from api_keys
      where id = ${anyOf("found", "id")}
        and (last_used_at is null or last_used_at <= now() - interval '1 second')
      for no key update skip locked
    ), stamped as (
      update api_keys set last_used_at = now(), last_used_address = found.address
      from found where api_keys.id = found.id and api_keys.id = ${anyOf("due", "id")}
    )
    select hash, address, id, name, scopes, user_id as "userId", user_name as "userName", kind as "ownerKind", role, restricted,
      allowed_project_ids as "allowedProjectIds",
      case when limited_to_projects then coalesce((
        select json_agg(json_build_object('projectId', m.project_id, 'role', m.role) order by m.project_id)
        from project_members m where m.user_id = found.user_id
      ), '[]') end as "projectRoles",
      array(
        select p.id
        from jsonb_array_elements(
          case jsonb_typeof(allowed_project_ids) when 'array' then allowed_project_ids else '[]' end
        ) each
        join projects p on p.id = case when each::text ~ '^[1-9][0-9]{0,9}$' then each::text::bigint end
      ) as existing
    from found`,
);
