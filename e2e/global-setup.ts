import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { forgetTemplates, prepareFolder } from "./data-folders.ts";
import { type Service, scratch, startService } from "./service.ts";

/**
 * Starts the shared services, one per worker, so that concurrent journeys do not interfere; journeys find theirs
 * through shared-service.ts.
 */
export default async function setup({ workers }: FullConfig) {
  forgetTemplates();
  const services: Service[] = [];
  for (let worker = 0; worker < workers; worker++) {
    const dataDir = join(scratch, `journeys-${worker}`);
    await prepareFolder(dataDir);
    services.push(await startService(dataDir));
  }
  process.env.E2E_URLS = services.map(({ url }) => url).join();
  return async () => {
    for (const service of services) {
      const exitCode = await service.stop();
      if (exitCode !== 0) throw new Error(`The service ended with ${exitCode}:\n${service.output()}`);
    }
  };
}
