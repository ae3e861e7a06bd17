import { instanceLookup } from "tedious/lib/instance-lookup.js";
import { SourceError } from "../engine.ts";

/** A named instance's host, and its name; no name for what listens on a port of its own. */
export function partsOfServer(server: string): { host: string; instance: string | null } {
  const [host = "", instance] = server.split("\\", 2);
  return { host, instance: instance || null };
}

/** Which port a named instance listens on, as its machine's browser service says. Throws SourceError. */
export async function portOfInstance(
  { host, instance }: { host: string; instance: string },
  { timeoutMs, browserPort = 1434 }: { timeoutMs: number; browserPort?: number },
): Promise<number> {
  const retries = 2;
  try {
    return await instanceLookup({
      ...{ server: host, instanceName: instance, port: browserPort },
      ...{ timeout: Math.floor(timeoutMs / (retries + 1)), retries },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    throw new SourceError(
      "unreachable",
      `The SQL Server Browser does not say where the instance ${instance} listens: give the port instead of its name`,
    );
  }
}
