import type { Connection } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { grants, type Permission } from "./permissions.ts";
import type { Role, Scope } from "./schema.ts";

/** Who is calling. A principal calls; an actor is an agent. */
export type Principal = {
  kind: "User" | "ApiKey" | "Jwt";
  userId: number;
  /** The key that was used, for a key. */
  keyId?: number;
  /** The session that was used, for a session. */
  sessionId?: number;
  name: string;
  role: Role;
  /** null for a session, which is governed by its role alone. */
  scopes: readonly Scope[] | null;
  /** null sees every project; a list sees these and no others, so an empty one sees none. */
  projectIds: readonly number[] | null;
};

/** Carries the caller's address: the process sets it on every request, over whatever the caller sent. */
export const addressHeader = "x-plumbline-address";

/** Carries the address that an unnamed proxy says it has the request from, set likewise. */
export const claimedAddressHeader = "x-plumbline-claimed-address";

/** Says that the request was made on the service's own machine, by a name of that machine; set likewise. */
export const localHeader = "x-plumbline-local";

/** Carries the request's id, set likewise; a caller's own, where it is well-formed. */
export const requestIdHeader = "x-request-id";

/** Carries the request's path and query, set likewise, so that a page can be come back to after signing in. */
export const pathHeader = "x-plumbline-path";

/** What was done, for the audit log: ids and names, never a secret. */
export type Change = {
  /** `dataQuality.createContract`: the procedure, or what else happened. */
  action: string;
  /** What kind of thing it was done to: `contract`. */
  objectKind: string;
  objectId?: number | null;
  /** The thing's name, or a few words. */
  detail?: string | null;
};

/** What every procedure and service receives. */
export type Context = {
  principal: Principal | null;
  requestId: string;
  /** The caller's address, for rate limits and the audit log. */
  address: string;
  /** Whom a proxy that nobody has named says it speaks for: it tells people apart, and proves nothing. */
  claimedAddress?: string | undefined;
  /** Whether the call was made on the service's own machine. */
  isLocal?: boolean;
  /** What a REST caller's Prefer header asks for: the answer at once, or the result. */
  prefer?: "respond-async" | "wait";
  /**
   * Adds an entry to the audit log, in the transaction that is given or open; throws when it cannot. The doors set
   * it; jobs and tests have none.
   */
  record?: (change: Change, connection?: Connection) => Promise<void>;
  /**
   * Adds the entry of a run before it begins, so that nothing ends the process between the two. What it returns
   * adds the outcome, once. The doors set it.
   */
  beginRun?: (change: Change) => Promise<(outcome: string) => Promise<void>>;
  /** Adds words to the outcome of the run that is under way, however it ends. */
  addToOutcome?: (words: string) => void;
  /** Set for a procedure whose service stores its change by `recorded`. */
  recorded?: <T>(store: () => Promise<T>) => Promise<T>;
  /** Counts a read of a key's; only for a key. */
  countRead?: () => void;
};

/** A context in which somebody has authenticated. */
export type SignedIn = Context & { principal: Principal };

/** Lets the caller pass, or throws unauthenticated or forbidden. The one place where permissions are judged. */
export function authorize(context: Context, permission: Permission): void {
  if (permission === "anonymous") return;
  if (!context.principal) throw new Problem("unauthenticated", "Authentication is required");
  if (!grants(permission, context.principal))
    throw new Problem("forbidden", "This needs a permission that you do not have");
}

export function maySeeProject(principal: Principal, projectId: number): boolean {
  return principal.projectIds === null || principal.projectIds.includes(projectId);
}
