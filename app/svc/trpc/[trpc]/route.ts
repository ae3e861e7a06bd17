import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter } from "@/server/app-router.ts";
import { createContext, refuseCrossSite } from "@/server/context.ts";
import { problemIn } from "@/server/errors.ts";
import { log } from "@/server/log.ts";
import { problemResponse } from "@/server/rest/dispatch.ts";
import { addToSurroundings } from "@/server/telemetry/surroundings.ts";
import { asTrpcError, isBug } from "@/server/trpc.ts";

/** A call of one procedure is counted as that; calls that a browser has gathered are counted together. */
function routeOf(request: Request): string {
  const [, , , names = ""] = new URL(request.url).pathname.split("/");
  if (names.includes(",")) return "/svc/trpc (several)";
  return Object.hasOwn(appRouter._def.procedures, names) ? `/svc/trpc/${names}` : "/svc/trpc/{trpc}";
}

function handle(request: Request): Promise<Response> | Response {
  addToSurroundings({ route: routeOf(request) });
  try {
    refuseCrossSite(request);
  } catch (error) {
    return problemResponse(error);
  }
  return fetchRequestHandler({
    endpoint: "/svc/trpc",
    req: request,
    router: appRouter,
    createContext: () =>
      createContext(request.headers).catch((error) => {
        throw asTrpcError(error) ?? error;
      }),
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

export { handle as GET, handle as POST };
