import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { accompany } from "./accompany.ts";
import { addressHeader, claimedAddressHeader, localHeader, pathHeader } from "./auth/principal.ts";
import { callerAddress, claimedAddress, isLocalCall } from "./caller-address.ts";
import { env, publicUrl } from "./env.ts";
import { createImpatientServer } from "./http-server.ts";
import { log } from "./log.ts";
import { networkOf } from "./network.ts";
import { pageRoutes } from "./page-routes.ts";
import { answerProblem } from "./plain-answer.ts";
import { cannotListen } from "./port.ts";
import { answerProbe } from "./probes.ts";
import { watchReadiness } from "./readiness.ts";
import { externalHub, externalOrigin } from "./realtime/credentials.ts";
import { startHub } from "./realtime/hub.ts";
import { contentSecurityPolicy, makeNonce, nonceHeader, securityHeaders } from "./security-headers.ts";
import { measureProcess } from "./telemetry/metrics.ts";
import { boundUnfinished } from "./unfinished-requests.ts";
import { routeUpgrades, type Upgrade } from "./upgrades.ts";

export type Web = { close(): Promise<void> };

/**
 * Serves the pages and the doors on one port. Throws CannotStart.
 *
 * Next would attach an upgrade listener of its own to the server it runs on and close every WebSocket that it
 * does not know; so it is given a decoy that never listens. Its own ones, for hot reload, are passed to it; those of
 * the real-time hub are taken before.
 */
export async function startWeb(options: {
  host: string;
  port: number;
  isDev: boolean;
  root: string;
  /** When the jobs' engine of this process last looked for work; null without one. */
  lastLook: () => number | null;
}): Promise<Web> {
  const { host, port, isDev, root } = options;
  if (!isDev) await readConfigQuietly(root);

  const decoy = createServer();
  const app = next({ dev: isDev, dir: root, hostname: host, port, httpServer: decoy, quiet: true });
  await app.prepare();
  const handle = app.getRequestHandler();

  const addressOf = callerAddress(env().TRUST_PROXY);
  const claimedBy = claimedAddress(env().TRUST_PROXY);
  const mayBegin = boundUnfinished((request) => ({
    network: networkOf(addressOf(request)),
    isBehindUnnamedProxy: claimedBy(request) !== undefined,
  }));
  const watch = watchReadiness(options.lastLook);
  const prepare = preparation(isDev);
  measureProcess();
  const goAlong = accompany({
    routeOf: pageRoutes(root),
    isLogged: env().ACCESS_LOG ?? !process.stdout.isTTY,
  });
  const server = createImpatientServer((request, response) => {
    prepare(request, response);
    goAlong(request, response, () => {
      if (answerProbe(request, response, watch.readiness)) return;
      const allowed = methodsOf(request, isDev);
      if (!allowed.includes(request.method ?? "")) {
        const allow = allowed.join(", ");
        answerProblem(request, response, "method_not_allowed", `This path answers ${allow}`, { allow });
        return;
      }
      if (!mayBegin(request)) {
        const detail = "Too many requests of this address are not finished; try again in a moment";
        answerProblem(request, response, "rate_limited", detail, { "retry-after": "10" });
        return;
      }
      handle(request, response).catch((err: unknown) => {
        log.error({ err, url: request.url }, "A request failed outside of its handler");
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
  });
  // With a service elsewhere there is no hub here.
  const hub = externalHub() ? null : await startHub();
  const others = isDev ? (...upgrade: Upgrade) => decoy.emit("upgrade", ...upgrade) : undefined;
  server.on("upgrade", routeUpgrades({ hub, others, addressOf }));
  await listen(server, host, port);

  return {
    async close() {
      watch.stopping();
      await sleep(env().STOP_DELAY_S * 1000);
      // Before anything else: a server does not close while a WebSocket is open.
      await hub?.stop();
      await closeServer(server);
      await app.close();
      await watch.close();
    },
  };
}

/** Gives every answer its security headers, and every request what the doors and pages shall know of it. */
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
    // What only sometimes is said must not be said by the sender.
    for (const name of [claimedAddressHeader, localHeader]) delete request.headers[name];
    Object.assign(request.headers, {
      ...(claimed !== undefined && { [claimedAddressHeader]: claimed }),
      ...(isLocal && { [localHeader]: "yes" }),
      [addressHeader]: addressOf(request),
      [pathHeader]: request.url ?? "/",
      [nonceHeader]: nonce,
      // Next takes the nonce of its own scripts from here.
      "content-security-policy": policy,
    });
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader("content-security-policy", policy);
  };
}

/** Next keeps what it read, and announces on standard output only a configuration that it reads itself. */
async function readConfigQuietly(root: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const { default: loadConfig } = require("next/dist/server/config") as {
    default(phase: string, folder: string): Promise<unknown>;
  };
  await loadConfig(PHASE_PRODUCTION_SERVER, root);
}

/** What Next can make a request of; TRACE, for one, it cannot. */
const answered = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Pages and files are only read, and nothing of what is sent to them is; hot reload is told things by POST. */
function methodsOf({ url = "/" }: IncomingMessage, isDev: boolean): string[] {
  return isDev || url.startsWith("/svc/") ? answered : ["GET", "HEAD", "OPTIONS"];
}

let hasWarned = false;

function warnOfProxy(): void {
  if (hasWarned) return;
  hasWarned = true;
  log.warn("A request has come through a proxy: set TRUST_PROXY, or all callers behind it count as one");
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(error, host, port)));
    server.listen(port, host, resolve);
  });
}

/** How long a request under way may take once the service is stopping. */
const patienceMs = 10_000;

/** Takes no new connection, and lets what is under way finish. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that has been answered becomes idle, and would be kept for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })]);
  clearInterval(idle);
  server.closeAllConnections();
}
