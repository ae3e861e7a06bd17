import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "inngest/node";
import { afterAll, beforeAll, describe, test } from "vitest";
import { db } from "../../db/client.ts";
import { registerJobs } from "./register.fixture.ts";
import { type Engine, scenarios } from "./scenarios.fixture.ts";

/**
 * The engine contract, for an Inngest server: TEST_INNGEST_URL, with its TEST_INNGEST_EVENT_KEY and
 * TEST_INNGEST_SIGNING_KEY. docs/jobs.md says how to start one.
 *
 * The functions are served from here the way the service serves its own. The server calls them at TEST_INNGEST_APP_URL,
 * which leads to TEST_INNGEST_APP_PORT on this machine; by default, that is a free port on 127.0.0.1.
 */
const {
  TEST_INNGEST_URL: server,
  TEST_INNGEST_EVENT_KEY: eventKey = "",
  TEST_INNGEST_SIGNING_KEY: signingKey = "",
  TEST_INNGEST_APP_URL: appUrl,
  TEST_INNGEST_APP_PORT: appPort = "0",
} = process.env;

const path = "/svc/api/inngest";

if (server) {
  if (!eventKey || !signingKey)
    throw new Error("TEST_INNGEST_URL needs TEST_INNGEST_EVENT_KEY and TEST_INNGEST_SIGNING_KEY");
  // The settings as the service finds them on startup.
  process.env.INNGEST_BASE_URL = server;
  process.env.INNGEST_EVENT_KEY = eventKey;
  process.env.INNGEST_SIGNING_KEY = signingKey;
}
const jobs = await import("../client.ts");
const all = scenarios(jobs);

describe.runIf(server)("an Inngest server", () => {
  const app = createServer();

  beforeAll(async () => {
    app.listen(Number(appPort), appUrl ? "0.0.0.0" : "127.0.0.1");
    await once(app, "listening");
    app.on(
      "request",
      serve({
        client: jobs.inngest,
        functions: all.flatMap(({ functions }) => functions),
        serveOrigin: appUrl ?? own(),
        servePath: path,
        enableUnauthedSync: false,
      }),
    );
    await registerJobs(`${own()}${path}`, signingKey);
  });
  afterAll(() => {
    app.closeAllConnections();
    app.close();
  });

  const own = () => `http://127.0.0.1:${(app.address() as AddressInfo).port}`;

  const engine: Engine = {
    // Without --retry-interval 1, tries are half a minute and more apart.
    timeoutMs: 180_000,
    send: (events) => jobs.sendEvents(db, events),
    minutePasses: async () => {},
    // The server has no way to report that it is idle.
    settled: () => sleep(3_000),
  };

  test.each(all.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    { timeout: 400_000 },
    async (_, { play }) => {
      await play(engine);
    },
  );
});
