import type { Connection } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { grants, type Permission } from "./permissions.ts";
import type { Role, Scope } from "./schema.ts";

/** The caller. A principal calls; an actor is an agent. */
export type Principal = {
  kind: "User" | "ApiKey" | "Jwt";
  userId: number;
  /** The API key of the call, if any. */
  keyId?: number;
  /** The session of the call, if any. */
  sessionId?: number;
  name: string;
  role: Role;
  /** null for a session, which only the role restricts. */
  scopes: readonly Scope[] | null;
  /** null: all projects. A list: only these; an empty one, none. */
  projectIds: readonly number[] | null;
};

/** A user, as far as what they may do concerns. */
export function principalOfUser({ id, name, role }: { id: number; name: string; role: Role }): Principal {
  return { kind: "User", userId: id, name, role, scopes: null, projectIds: null };
}

/** An audit entry: ids and names, never a secret. */
export type Change = {
  /** The procedure, such as `dataQuality.createContract`, or another event. */
  action: string;
  /** The type of the object: `contract`. */
  objectKind: string;
  objectId?: number | null;
  /** The object's name, or a few words. */
  detail?: string | null;
};

/** What every procedure and service receives. */
export type Context = {
  principal: Principal | null;
  requestId: string;
  /** The caller's address, for rate limits and the audit log. */
  address: string;
  /** The client address reported by an untrusted proxy: it distinguishes users, but proves nothing. */
  claimedAddress?: string | undefined;
  /** Whether the call comes from the service's own machine. */
  isLocal?: boolean;
  /** A REST caller's Prefer header: respond immediately, or with the result. */
  prefer?: "respond-async" | "wait";
  /**
   * Writes an audit entry in the given or open transaction; throws on failure. Set by the API layer; absent in jobs
   * and tests.
   */
  record?: (change: Change, connection?: Connection) => Promise<void>;
  /**
   * Writes the entry of a run before it starts, so that a crash cannot hide it. Returns a function that adds the
   * outcome, once. Set by the API layer.
   */
  beginRun?: (change: Change) => Promise<(outcome: string) => Promise<void>>;
  /** Adds details to the outcome of the current run, however it ends. */
  addToOutcome?: (words: string) => void;
  /** Set for procedures whose service stores its change with `recorded`. */
  recorded?: <T>(store: () => Promise<T>) => Promise<T>;
  /** Set for procedures that change many objects: adds one object's entry to the open transaction. */
  recordObject?: (objectId: number, detail: string) => Promise<void>;
  /** Counts a read by an API key. */
  countRead?: () => void;
};

/** An authenticated context. */
export type SignedIn = Context & { principal: Principal };

/**
 * Throws unauthenticated or forbidden unless the caller has the permission. The only place that checks permissions.
 */
export function authorize(context: Context, permission: Permission): void {
  if (permission === "anonymous") return;
  if (!context.principal) throw new Problem("unauthenticated", "Authentication is required");
  if (!grants(permission, context.principal))
    throw new Problem("forbidden", "You do not have permission to do this");
}

export function maySeeProject(principal: Principal, projectId: number): boolean {
  return principal.projectIds === null || principal.projectIds.includes(projectId);
}
