import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { networkOf } from "../auth/network.ts";
import { env, publicUrl } from "../env.ts";
import { externalHub, externalOrigin } from "../realtime/credentials.ts";
import { startHub } from "../realtime/hub.ts";
import {
  addressHeader,
  claimedAddressHeader,
  localHeader,
  nonceHeader,
  pathHeader,
} from "../request-headers.ts";
import { log } from "../telemetry/log.ts";
import { measureProcess } from "../telemetry/metrics.ts";
import { callerAddress, claimedAddress, isLocalCall } from "./caller-address.ts";
import { compressedFiles } from "./compressed-files.ts";
import { type Door, findDoor } from "./doors.ts";
import { goFirst } from "./go-first.ts";
import { createLimitedServer } from "./http-server.ts";
import { openFirstPage } from "./open-first-page.ts";
import { openPages } from "./open-pages.ts";
import { pageRoutes } from "./page-routes.ts";
import { sendProblem } from "./plain-answer.ts";
import { cannotListen } from "./port.ts";
import { serveProbe } from "./probes.ts";
import { watchReadiness } from "./readiness.ts";
import { withRequestLog } from "./request-log.ts";
import { contentSecurityPolicy, makeNonce, securityHeaders } from "./security-headers.ts";
import { sendTogether } from "./send-together.ts";
import { limitUnfinished } from "./unfinished-requests.ts";
import { routeUpgrades, type Upgrade } from "./upgrades.ts";
import { sendResponse, targetOf, webRequest } from "./web-bridge.ts";

export type Web = { close(): Promise<void> };

/**
 * Serves pages and APIs on one port. Throws CannotStart.
 *
 * Next would attach its own upgrade listener to the server and close every unknown WebSocket, so it gets a decoy that
 * never listens. Hot-reload sockets are forwarded to the decoy; the hub's are handled before.
 */
export async function startWeb(options: {
  host: string;
  port: number;
  isDev: boolean;
  root: string;
  /** When this process's job engine last polled; null without one. */
  lastPoll: () => number | null;
}): Promise<Web> {
  const { host, port, isDev, root } = options;
  if (!isDev) await readConfigQuietly(root);

  openPages();
  const decoy = createServer();
  const app = next({ dev: isDev, dir: root, hostname: host, port, httpServer: decoy, quiet: true });
  await app.prepare();
  const renderPage = app.getRequestHandler();
  // In development, files change under their names.
  const sendCompressed = isDev ? () => false : compressedFiles(root);

  const addressOf = callerAddress(env().TRUST_PROXY);
  const claimedBy = claimedAddress(env().TRUST_PROXY);
  const mayStart = limitUnfinished((request) => ({
    network: networkOf(addressOf(request)),
    isBehindUnnamedProxy: claimedBy(request) !== undefined,
  }));
  const watch = watchReadiness(options.lastPoll);
  const prepare = preparation(isDev);
  measureProcess();
  const routeOfPage = pageRoutes(root);
  const logged = withRequestLog({
    routeOf: (path) => findDoor(path)?.route ?? routeOfPage(path),
    isLogged: env().ACCESS_LOG ?? !process.stdout.isTTY,
  });
  const server = createLimitedServer((request, response) => {
    prepare(request, response);
    logged(request, response, () => {
      if (serveProbe(request, response, watch.readiness)) return;
      const allowed = methodsOf(request, isDev);
      if (!allowed.includes(request.method ?? "")) {
        const allow = allowed.join(", ");
        sendProblem(request, response, "method_not_allowed", `This path accepts ${allow}`, { allow });
        return;
      }
      if (!mayStart(request)) {
        const detail = "Too many unfinished requests from this address; try again in a moment";
        sendProblem(request, response, "rate_limited", detail, { "retry-after": "10" });
        return;
      }
      if (sendCompressed(request, response)) return;
      const target = targetOf(request);
      const door = findDoor(pathOf(target));
      goFirst(door, response);
      if (!door) sendTogether(response);
      const answered = door ? serve(door, target, request, response) : renderPage(request, response);
      answered.catch((err: unknown) => {
        log.error({ err, url: request.url }, "A request failed outside of its handler");
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
  });
  // With an external service there is no hub here.
  const hub = externalHub() ? null : await startHub();
  const others = isDev ? (...upgrade: Upgrade) => decoy.emit("upgrade", ...upgrade) : undefined;
  server.on("upgrade", routeUpgrades({ hub, others, addressOf }));
  await listen(server, host, port);
  if (!isDev)
    void openFirstPage((request, response) => {
      prepare(request, response);
      renderPage(request, response).catch(() => response.destroy());
    });

  return {
    async close() {
      watch.stopping();
      await sleep(env().STOP_DELAY_S * 1000);
      // First: a server does not close while a WebSocket is open.
      await hub?.stop();
      await closeServer(server);
      await app.close();
      await watch.close();
    },
  };
}

/** Adds security headers to every response, and internal headers to every request. */
function preparation(isDev: boolean): (request: IncomingMessage, response: ServerResponse) => void {
  const addressOf = callerAddress(env().TRUST_PROXY);
  const claimedBy = claimedAddress(env().TRUST_PROXY);
  const policyFor = contentSecurityPolicy({ isDev, hub: externalOrigin() });
  const headers = Object.entries(securityHeaders({ isHttps: publicUrl().startsWith("https:") }));
  return (request, response) => {
    const nonce = makeNonce();
    const policy = policyFor(nonce);
    const claimed = claimedBy(request);
    if (claimed !== undefined) warnOfProxy();
    const isLocal = isLocalCall(request);
    // Internal headers that are only set sometimes must not be accepted from the client.
    for (const name of [claimedAddressHeader, localHeader]) delete request.headers[name];
    Object.assign(request.headers, {
      ...(claimed !== undefined && { [claimedAddressHeader]: claimed }),
      ...(isLocal && { [localHeader]: "yes" }),
      [addressHeader]: addressOf(request),
      [pathHeader]: request.url ?? "/",
      [nonceHeader]: nonce,
      // Next reads its scripts' nonce from here.
      "content-security-policy": policy,
    });
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader("content-security-policy", policy);
  };
}

/** A trailing slash is ignored, as in Next's pages. */
async function serve(
  door: Door,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathOf(target);
  if (path.endsWith("/")) {
    response.writeHead(308, { location: path.replace(/\/+$/, "") + target.slice(path.length) }).end();
    return;
  }
  await sendResponse(await door.answer(webRequest(request, target)), request, response);
}

const pathOf = (target: string) => target.split("?", 1)[0] ?? "/";

/** Next caches its configuration, and only prints one that it reads itself. */
async function readConfigQuietly(root: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const { default: loadConfig } = require("next/dist/server/config") as {
    default(phase: string, folder: string): Promise<unknown>;
  };
  await loadConfig(PHASE_PRODUCTION_SERVER, root);
}

/** Methods that Next can handle; TRACE, for one, it cannot. */
const answered = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Pages and files are read-only and ignore request bodies; hot reload uses POST. */
function methodsOf({ url = "/" }: IncomingMessage, isDev: boolean): string[] {
  return isDev || url.startsWith("/svc/") ? answered : ["GET", "HEAD", "OPTIONS"];
}

let hasWarned = false;

function warnOfProxy(): void {
  if (hasWarned) return;
  hasWarned = true;
  log.warn("A request came through a proxy: set TRUST_PROXY, or all callers behind it share one address");
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(error, host, port)));
    server.listen(port, host, resolve);
  });
}

/** How long a request in progress may take while the service is stopping. */
const graceMs = 10_000;

/** Stops accepting connections and waits for requests in progress. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // An answered connection becomes idle and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await Promise.race([closed, sleep(graceMs, undefined, { ref: false })]);
  clearInterval(idle);
  server.closeAllConnections();
}
