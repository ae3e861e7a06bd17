import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import type { ServerKind } from "@/server/data-sources/kinds.ts";

/** Host and port from a server name in the notation of the database's own tools, or null for a plain host. */
export function serverNamedIn(kind: ServerKind, text: string): { host: string; port?: number } | null {
  const server = dialectOf(kind).connection.serverNamed(text);
  return server.host === text.trim() ? null : server;
}
