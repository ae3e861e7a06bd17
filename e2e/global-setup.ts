import { rmSync } from "node:fs";
import { join } from "node:path";
import { scratch, startService } from "./service.ts";

/** Starts the service that all journeys share, on a new data folder; the journeys find it by E2E_URL. */
export default async function setup() {
  const dataDir = join(scratch, "journeys");
  rmSync(dataDir, { recursive: true, force: true });
  const service = await startService(dataDir);
  process.env.E2E_URL = service.url;
  return async () => {
    const exitCode = await service.stop();
    if (exitCode !== 0) throw new Error(`The service ended with ${exitCode}:\n${service.output()}`);
  };
}
