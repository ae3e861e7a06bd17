import { eq, inArray } from "drizzle-orm";
import { isAdminOfAll } from "../../auth/permissions.ts";
import { maySeeProject, type Principal, type SignedIn } from "../../auth/principal.ts";
import type { Scope } from "../../auth/schema.ts";
import { holdServiceAccount } from "../../auth/service/service-accounts.ts";
import { db, type Transaction } from "../../db/client.ts";
import { env } from "../../env.ts";
import { invalidRequest, Problem } from "../../errors.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { projects } from "../../projects/tables.ts";
import { plural } from "../../text.ts";
import { grantableScopes, inOrder } from "../grantable-scopes.ts";
import { hashOf, makeRawKey, prefixOf } from "../raw-key.ts";
import type { ApiKeyWrite } from "../schema.ts";
import { apiKeys } from "../tables.ts";
import { invalidKey } from "./find-key-principal.ts";
import { holdLine } from "./lineage.ts";
import { loadKeys } from "./load-keys.ts";

/**
 * Creates a key for the caller or a service account, with at most the owner's own access. The response has the raw key,
 * only this once. Throws forbidden for scopes or projects beyond the owner's, and for a service account's key unless the
 * caller manages those; invalid for an expiry that is not in the future; not_found for an unknown project or service
 * account; and conflict for a disabled one.
 *
 * A key created by a key expires no later than its parent, whatever was requested. Throws unauthenticated if the parent
 * has been revoked or has expired since the request began.
 */
export async function createKey({ principal }: SignedIn, write: ApiKeyWrite) {
  const scopes = inOrder(write.scopes);
  const serviceAccountId = write.serviceAccountId ?? null;
  if (serviceAccountId === null) rejectWiderScopes(principal, scopes);
  else requireManager(principal);
  const allowedProjectIds = await resolveProjects(principal, write.allowedProjectIds ?? null);
  const wanted = await resolveExpiry(write.expiresAt ?? null);
  const parentKeyId = principal.keyId ?? null;
  const allowedNetworks = write.allowedNetworks ? [...new Set(write.allowedNetworks)] : null;
  const rawKey = makeRawKey();
  const created = await db.transaction(async (tx) => {
    const account = serviceAccountId === null ? null : await holdServiceAccount(tx, serviceAccountId);
    if (account)
      rejectWiderScopes(
        { role: account.role, scopes: null },
        scopes,
        "A key of this service account cannot have",
      );
    const expiresAt = parentKeyId === null ? wanted : earlier(wanted, await endOfMaker(tx, parentKeyId));
    const [row] = await tx
      .insert(apiKeys)
      .values({
        userId: account?.id ?? principal.userId,
        createdById: account && principal.userId,
        parentKeyId,
        name: write.name,
        prefix: prefixOf(rawKey),
        hash: hashOf(rawKey),
        scopes,
        restricted: allowedProjectIds !== null,
        allowedProjectIds,
        allowedNetworks,
        expiresAt,
      })
      .returning({ id: apiKeys.id });
    return row;
  });
  const [key] = created ? await loadKeys(eq(apiKeys.id, created.id)) : [];
  if (!key) throw new Error("The insert returned no key");
  return { ...key, rawKey };
}

/** When a key expires, which is locked so that it lives on meanwhile. Throws unauthenticated if it does not. */
export async function endOfMaker(tx: Transaction, id: number): Promise<Date | null> {
  const maker = await holdLine(tx, id);
  if (!maker) throw invalidKey();
  return maker.expiresAt;
}

/** The earlier of two expiry times; null means never. */
export const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;

/**
 * Whether someone manages the keys of service accounts: an Admin of all projects, in person, because these keys outlive
 * the key that would create them.
 */
export const managesServiceAccounts = (principal: Principal): boolean =>
  isAdminOfAll(principal) && principal.keyId === undefined;

function requireManager(principal: Principal): void {
  if (!managesServiceAccounts(principal))
    throw new Problem("forbidden", "Only an Admin who is signed in can create a key for a service account");
}

function rejectWiderScopes(
  owner: Pick<Principal, "role" | "scopes">,
  wanted: readonly Scope[],
  refusal = "You cannot give a key",
): void {
  const grantable = grantableScopes(owner);
  const wider = wanted.filter((scope) => !grantable.includes(scope));
  if (wider.length > 0) throw new Problem("forbidden", `${refusal} the scope ${wider.join(", ")}`);
}

async function resolveProjects(principal: Principal, wanted: number[] | null): Promise<number[] | null> {
  if (wanted === null) {
    if (principal.projectIds === null) return null;
    const who =
      principal.kind === "ApiKey" ? "A key that is limited to projects" : "Someone limited to projects";
    throw new Problem("forbidden", `${who} cannot create a key for all projects`);
  }
  const ids = [...new Set(wanted)];
  const known = await db.select({ id: projects.id }).from(projects).where(inArray(projects.id, ids));
  if (known.length < ids.length || !ids.every((id) => maySeeProject(principal, id)))
    throw new Problem("not_found", "Project not found");
  return ids;
}

/** The moment, if a key may expire then. Throws invalid if not. null is never, where the operator allows it. */
export async function resolveExpiry(wanted: string | null): Promise<Date | null> {
  const { KEYS_MAX_DAYS: maxDays } = env();
  const invalid = (message: string) => invalidRequest([{ path: "expiresAt", message }]);
  if (wanted === null) {
    if (maxDays === null) return null;
    throw invalid(`is required: keys live for ${plural(maxDays, "day")} at most`);
  }
  const expiresAt = new Date(wanted);
  const now = await databaseNow(db);
  if (expiresAt <= now) throw invalid("must be in the future");
  // A minute more than is allowed is a clock's difference.
  const latest = maxDays === null ? null : now.getTime() + maxDays * 86_400_000 + 60_000;
  if (latest !== null && expiresAt.getTime() > latest)
    throw invalid(`must be within ${plural(maxDays ?? 0, "day")}`);
  return expiresAt;
}
