import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { log } from "../telemetry/log.ts";
import { metrics } from "../telemetry/metrics.ts";
import { addToWorkContext } from "../telemetry/work-context.ts";
import { captureLog } from "../test/captured-log.ts";
import { pageRoutes } from "./page-routes.ts";
import { withRequestLog } from "./request-log.ts";

const lines = captureLog();
const logged = () => lines.map((line) => JSON.parse(line));

/** A server with the request log, and this handler. */
async function aServer(answer: (response: ServerResponse) => void, isLogged = true) {
  const logged = withRequestLog({ routeOf: () => null, isLogged });
  const server = createServer((request, response) => logged(request, response, () => answer(response)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function countOf(labels: Record<string, string>): Promise<number> {
  const { values } = await metrics.requests.get();
  return values
    .filter((each) => Object.entries(labels).every(([name, value]) => each.labels[name as "route"] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

test("a caller that disconnects before the response counts as one", async () => {
  const asked = Promise.withResolvers<void>();
  const url = await aServer(() => {
    addToWorkContext({ route: "/slow" });
    asked.resolve();
  });
  const request = httpRequest(url).on("error", () => {});
  request.end();
  await asked.promise;
  request.destroy();
  await expect.poll(() => countOf({ route: "/slow", status: "499" })).toBe(1);
  expect(logged().find(({ route }) => route === "/slow")).toMatchObject({ status: 499, msg: "Request" });
});

test("every log line of a request has its id, and no other's", async () => {
  const url = await aServer(async (response) => {
    await setImmediate();
    log.info("Under way");
    response.end();
  });
  const ids = Array.from({ length: 20 }, (_, n) => `request-${n}`);
  await Promise.all(ids.map((id) => fetch(url, { headers: { "x-request-id": id } })));
  const of = (msg: string) =>
    logged()
      .filter((line) => line.msg === msg && /^request-/.test(line.requestId))
      .map(({ requestId }) => requestId);
  await expect.poll(() => of("Request").length).toBe(20);
  expect(of("Under way").toSorted()).toEqual(ids.toSorted());
});

test("a key in a path is not logged", async () => {
  const url = await aServer((response) => response.end());
  await fetch(`${url}/tables/sk-svc_hunter2hunter2`);
  await expect
    .poll(() => logged().find(({ path }) => path?.startsWith("/tables/"))?.path)
    .toBe("/tables/sk-svc_[redacted]");
});

test("unknown methods and paths are counted together, and no line is written if the log is off", async () => {
  const url = await aServer((response) => response.end(), false);
  lines.length = 0;
  for (const [method, path] of [
    ["TRACE", "/one"],
    ["PROPFIND", "/two"],
  ] as const) {
    const [response] = await once(httpRequest(url + path, { method }).end(), "response");
    response.resume();
    await once(response, "end");
  }
  await expect.poll(() => countOf({ method: "other", route: "none" })).toBe(2);
  expect(lines).toEqual([]);
});

test("routes come from the build's manifest; without one, none is known", () => {
  const root = mkdtempSync(join(tmpdir(), "plumbline-routes-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  expect(pageRoutes(root)("/queries")).toBeNull();
  mkdirSync(join(root, ".next"));
  const manifest = {
    staticRoutes: [
      { page: "/queries", regex: "^/queries(?:/)?$" },
      { page: "/_not-found", regex: "^/_not\\-found(?:/)?$" },
    ],
    dynamicRoutes: [
      { page: "/queries/[id]", regex: "^/queries/([^/]+?)(?:/)?$" },
      { page: "/docs/[[...path]]", regex: "^/docs(?:/(.+?))?(?:/)?$" },
    ],
  };
  writeFileSync(join(root, ".next/routes-manifest.json"), JSON.stringify(manifest));
  const routeOf = pageRoutes(root);
  const paths = ["/queries", "/queries/7", "/queries/7/edit", "/docs/a/b", "/_not-found", "/nothing"];
  expect(paths.map(routeOf)).toEqual(["/queries", "/queries/{id}", null, "/docs/{path}", null, null]);
});
