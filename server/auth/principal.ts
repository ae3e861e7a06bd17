import type { Connection } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { grants, highestRole, isRoleEnough, type Permission } from "./permissions.ts";
import type { ChatService, ProjectRole, Role, Scope } from "./schema.ts";

/** The caller. A principal calls; an actor is an agent. */
export type Principal = {
  kind: "User" | "ApiKey" | "Jwt";
  userId: number;
  /** The API key of the call, if any. */
  keyId?: number;
  /** The session of the call, if any. */
  sessionId?: number;
  name: string;
  /** Whether the key's owner is a service account rather than a person. */
  isServiceAccount?: boolean;
  /** The chat service in which the user pressed a button, if that is where the call comes from. */
  via?: ChatService;
  /** Set if the role needs a second factor that the user has not set up: until then, they can do nothing else. */
  lacksSecondFactor?: boolean;
  /** For someone limited to projects, the highest of their roles. */
  role: Role;
  /** null for a session, which only the role restricts. */
  scopes: readonly Scope[] | null;
  /** null: all projects. A list: only these; an empty one, none. */
  projectIds: readonly number[] | null;
  /** The role in each of these projects, if the user is limited to projects. */
  projectRoles?: readonly ProjectRole[] | null;
  /** Projects that the caller sees, but in which their role does not allow the current call. */
  forbiddenProjectIds?: readonly number[];
};

/**
 * What a user may do, as a principal has it. `projectRoles` are those of a user who is limited to projects, otherwise
 * null; `allowedIds` are the projects of a limited key, which never reaches further than its user.
 */
export function accessOf(
  role: Role,
  projectRoles: readonly ProjectRole[] | null,
  allowedIds: readonly number[] | null = null,
): Pick<Principal, "role" | "projectIds" | "projectRoles"> {
  if (projectRoles === null) return { role, projectIds: allowedIds, projectRoles: null };
  const reached = projectRoles.filter(
    ({ projectId }) => allowedIds === null || allowedIds.includes(projectId),
  );
  return {
    role: highestRole(reached),
    projectIds: reached.map(({ projectId }) => projectId),
    projectRoles: reached,
  };
}

/** A user, as far as what they may do concerns. */
export function principalOfUser(
  { id, name, role }: { id: number; name: string; role: Role },
  projectRoles: readonly ProjectRole[] | null,
): Principal {
  return { kind: "User", userId: id, name, scopes: null, ...accessOf(role, projectRoles) };
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
  /** The stack of files that a REST call with a key acts for, and the file that describes what it changes. */
  actingStack?: { stack: string; path: string };
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
  /** Notes that a procedure was refused for lack of permission, if that was not noted lately. Never throws. */
  recordRefusal?: (procedure: string) => Promise<void>;
  /** Notes what a person read, if an operator wants that and it was not noted lately. Never throws. */
  recordRead?: (procedure: string, objectId: number | null) => Promise<void>;
};

/** An authenticated context. */
export type SignedIn = Context & { principal: Principal };

/**
 * Throws unauthenticated or forbidden unless the caller has the permission. The only place that checks permissions.
 * Returns the caller as far as the permission reaches: without the projects in which their role is too low.
 */
export function authorize(context: Context, permission: Exclude<Permission, "anonymous">): Principal {
  if (!context.principal) throw new Problem("unauthenticated", "Authentication is required");
  if (permission !== "own-factors:manage") requireSecondFactor(context.principal);
  if (!grants(permission, context.principal)) throw notPermitted();
  const principal = within(permission, context.principal);
  // Sees projects, such as the only one of an assistant's call, but none in which this is allowed.
  if (principal.projectIds?.length === 0 && principal.forbiddenProjectIds?.length) throw notPermitted();
  return principal;
}

/** Throws forbidden for someone who has to set up a second factor first. Every API calls it, and pages redirect. */
export function requireSecondFactor({ lacksSecondFactor }: Principal): void {
  if (lacksSecondFactor)
    throw new Problem("forbidden", "Your role needs a second factor: set one up first", {
      members: { secondFactor: "missing" },
    });
}

const notPermitted = () => new Problem("forbidden", "You do not have permission to do this");

/** The principal in the projects where their role has the permission. */
export function within(permission: Permission, principal: Principal): Principal {
  const { projectIds, projectRoles } = principal;
  if (!projectRoles || projectIds === null) return principal;
  const isEnough = (id: number) => isRoleEnough(permission, principal, id);
  const forbidden = projectIds.filter((id) => !isEnough(id));
  if (forbidden.length === 0) return principal;
  return { ...principal, projectIds: projectIds.filter(isEnough), forbiddenProjectIds: forbidden };
}

/** Throws forbidden for a project that the caller sees, but in which their role does not allow the current call. */
export function maySeeProject(principal: Principal, projectId: number): boolean {
  if (principal.projectIds === null || principal.projectIds.includes(projectId)) return true;
  if (principal.forbiddenProjectIds?.includes(projectId))
    throw new Problem("forbidden", "Your role in this project does not allow this");
  return false;
}
