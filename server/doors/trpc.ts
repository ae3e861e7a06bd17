import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter, procedures } from "../app-router.ts";
import { Problem, problemIn } from "../errors.ts";
import { log } from "../telemetry/log.ts";
import { addToWorkContext } from "../telemetry/work-context.ts";
import { asTrpcError, isBug } from "../trpc.ts";
import { maxBatchCalls } from "./batch-size.ts";
import { createContext, rejectCrossSite } from "./context.ts";
import { decoded } from "./decoded.ts";
import { bodyLimits, withBody } from "./request-body.ts";
import { problemResponse } from "./rest/problem-response.ts";
import { routes } from "./rest/routes.ts";

/** The base path for procedure calls from the browser: `/svc/trpc/projects.list`. */
export const trpcRoot = "/svc/trpc";

/** The tRPC endpoint: from a web Request for one procedure or a batch to a web Response. */
export async function handleTrpc(request: Request): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD" && request.method !== "POST")
    return rejectMethod();
  addToWorkContext({ route: routeOf(request) });
  const { url, method, headers } = request;
  let names: string[];
  try {
    names = decoded(new URL(url).pathname.split("/")[3] ?? "").split(",");
  } catch (error) {
    // tRPC would only fail on it, too.
    return problemResponse(error);
  }
  let refusal: unknown;
  let req: Request;
  try {
    rejectCrossSite(request);
    req = await withBody(request, longestBody(names));
  } catch (error) {
    refusal = error;
    req = new Request(url, { method, headers });
  }
  return fetchRequestHandler({
    endpoint: trpcRoot,
    req,
    router: appRouter,
    maxBatchSize: maxBatchCalls,
    async createContext({ info }) {
      try {
        if (refusal) throw refusal;
        return await createContext(headers, undefined, info.calls.length);
      } catch (error) {
        throw asTrpcError(error) ?? error;
      }
    },
    responseMeta: ({ errors }) => ({ headers: headersOf(errors) }),
    onError({ error, ctx, path }) {
      if (isBug(error)) log.error({ err: error, requestId: ctx?.requestId, path }, "A request failed");
    },
  });
}

/** A single call is counted under the name of its procedure; batched calls are counted together. */
function routeOf(request: Request): string {
  const [, , , names = ""] = new URL(request.url).pathname.split("/");
  if (names.includes(",")) return `${trpcRoot} (several)`;
  return Object.hasOwn(procedures, names) ? `${trpcRoot}/${names}` : `${trpcRoot}/{trpc}`;
}

/** A procedure that accepts files allows the same size as over REST, plus JSON's overhead. */
function longestBody(names: readonly string[]): number {
  const documents = routes.filter(({ procedure }) => names.includes(procedure));
  const sizes = documents.map(({ takes, bodyMegabytes }) => takes?.maxMegabytes ?? bodyMegabytes ?? 0);
  return bodyLimits.json * (1 + Math.max(0, ...sizes));
}

/** Headers for an error: how to authenticate, and the problem's own, such as Retry-After. */
function headersOf(errors: TRPCError[]): Record<string, string> {
  const challenge = { "www-authenticate": "Bearer" };
  return Object.assign(
    errors.some(({ code }) => code === "UNAUTHORIZED") ? challenge : {},
    ...errors.map((error) => problemIn(error)?.more.headers),
  );
}

function rejectMethod(): Response {
  const headers = { allow: "GET, POST" };
  return problemResponse(new Problem("method_not_allowed", "This path accepts GET, POST", { headers }));
}
