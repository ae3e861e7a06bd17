import { env } from "../../env.ts";
import { Problem } from "../../errors.ts";
import type { GivenConnection } from "../connections/connection.ts";
import { isServer } from "../kinds.ts";
import { mayUseIdentity, notListed } from "../managed-identity-servers.ts";

/** Throws invalid for a server at which no operator lets the machine's managed identity sign in. */
export function rejectOtherIdentity(connection: GivenConnection, projectId: number | null): void {
  if (!isServer(connection) || !connection.sqlServer?.managedIdentity) return;
  if (mayUseIdentity(connection, projectId, env().MANAGED_IDENTITY_SERVERS)) return;
  const path = "connection.sqlServer.managedIdentity";
  throw new Problem("invalid", `${path} ${notListed}`, { errors: [{ path, message: notListed }] });
}
