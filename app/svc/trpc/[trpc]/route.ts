import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter } from "@/server/app-router.ts";
import { mostCallsInBatch } from "@/server/batch-size.ts";
import { createContext, refuseCrossSite } from "@/server/context.ts";
import { Problem, problemIn } from "@/server/errors.ts";
import { log } from "@/server/log.ts";
import { bodyLimits, withBody } from "@/server/request-body.ts";
import { problemResponse } from "@/server/rest/dispatch.ts";
import { routes } from "@/server/rest/routes.ts";
import { addToSurroundings } from "@/server/telemetry/surroundings.ts";
import { asTrpcError, isBug } from "@/server/trpc.ts";

/** A call of one procedure is counted as that; calls that a browser has gathered are counted together. */
function routeOf(request: Request): string {
  const [, , , names = ""] = new URL(request.url).pathname.split("/");
  if (names.includes(",")) return "/svc/trpc (several)";
  return Object.hasOwn(appRouter._def.procedures, names) ? `/svc/trpc/${names}` : "/svc/trpc/{trpc}";
}

/** A procedure that takes documents may be sent one as long as by REST, and what JSON makes of it. */
function longestBody({ url }: Request): number {
  const names = decodeURIComponent(new URL(url).pathname.split("/")[3] ?? "").split(",");
  const documents = routes.filter(({ procedure }) => names.includes(procedure));
  return bodyLimits.json * (1 + Math.max(0, ...documents.map(({ takes }) => takes?.maxMegabytes ?? 0)));
}

async function handle(request: Request): Promise<Response> {
  addToSurroundings({ route: routeOf(request) });
  let refusal: unknown;
  const { url, method, headers } = request;
  let req = new Request(url, { method, headers });
  try {
    refuseCrossSite(request);
    req = await withBody(request, longestBody(request), Request);
  } catch (error) {
    refusal = error;
  }
  return fetchRequestHandler({
    endpoint: "/svc/trpc",
    req,
    router: appRouter,
    maxBatchSize: mostCallsInBatch,
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

/** What HTTP wants said beside an error: how to authenticate, and what the problem itself brings, as Retry-After. */
function headersOf(errors: TRPCError[]): Record<string, string> {
  const challenge = { "www-authenticate": "Bearer" };
  return Object.assign(
    errors.some(({ code }) => code === "UNAUTHORIZED") ? challenge : {},
    ...errors.map((error) => problemIn(error)?.more.headers),
  );
}

function refuseMethod(): Response {
  const headers = { allow: "GET, POST" };
  return problemResponse(new Problem("method_not_allowed", "This path answers GET, POST", { headers }));
}

export {
  handle as GET,
  handle as POST,
  refuseMethod as DELETE,
  refuseMethod as OPTIONS,
  refuseMethod as PATCH,
  refuseMethod as PUT,
};
