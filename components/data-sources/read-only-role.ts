import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import type { ServerKind } from "@/server/data-sources/kinds.ts";

type Login = { kind: ServerKind; user: string; database: string };

/** SQL that creates a login with read access to one schema of one database, and nothing else. */
export function readOnlyRole({ kind, user, database }: Login): string {
  const login = { user: user || "plumbline", database: database || "your_database" };
  return dialectOf(kind).connection.readOnlyLogin(login).join("\n");
}
