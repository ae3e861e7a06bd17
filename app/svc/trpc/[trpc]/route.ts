import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter } from "@/server/app-router.ts";
import { createContext, refuseCrossSite } from "@/server/context.ts";
import { problemResponse } from "@/server/rest.ts";
import { asTrpcError } from "@/server/trpc.ts";

function handle(request: Request): Promise<Response> | Response {
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
    responseMeta: ({ errors }) =>
      errors.some(({ code }) => code === "UNAUTHORIZED") ? { headers: { "www-authenticate": "Bearer" } } : {},
  });
}

export { handle as GET, handle as POST };
