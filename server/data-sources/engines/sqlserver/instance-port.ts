import { instanceLookup } from "tedious/lib/instance-lookup.js";
import { SourceError } from "../engine.ts";

/** The port of a named instance, from its machine's browser service. Throws SourceError. */
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
      `The SQL Server Browser does not know the port of the instance ${instance}: enter the port instead of the instance's name`,
    );
  }
}
