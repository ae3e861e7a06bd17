import type { Settings } from "../env.ts";
import type { DatabaseConnection } from "./connections/database-server.ts";
import { partsOfServer } from "./server-name.ts";

export const notListed =
  "must be on a server that an operator has listed for this project in MANAGED_IDENTITY_SERVERS";

/**
 * Whether a data source of this project may sign in with the machine's managed identity: whoever manages data sources would
 * otherwise have all that the machine may do. What has no project has only what is listed for all.
 */
export function mayUseIdentity(
  { host, database }: Pick<DatabaseConnection, "host" | "database">,
  projectId: number | null,
  listed: Settings["MANAGED_IDENTITY_SERVERS"],
): boolean {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const name = partsOfServer(host).host;
  return listed.some(
    (each) =>
      (each.projectId === null || each.projectId === projectId) &&
      isSame(each.host, name) &&
      (each.database === null || isSame(each.database, database)),
  );
}
