import { TRPCError } from "@trpc/server";
import { appRouter } from "../app-router.ts";
import { configuredOidc } from "../auth/oidc.ts";
import { createContext } from "../doors/context.ts";
import { toolsFor } from "../doors/mcp/tools.ts";
import { openApiDocument } from "../doors/rest/openapi.ts";
import { env, publicUrl } from "../env.ts";
import { log } from "../telemetry/log.ts";
import { isBug } from "../trpc.ts";
import { openToPages } from "./page-services.ts";

/** Passes services to the pages, before Next renders the first one. */
export function openPages(): void {
  openToPages({
    createContext(headers) {
      const presented = new Headers(headers);
      presented.delete("authorization");
      return createContext(presented);
    },
    // Whoever renders the page only learns that a call failed, not why.
    createCaller: (context) =>
      appRouter.createCaller(context, {
        onError({ error: err, path }) {
          if (isBug(err)) log.error({ err, path }, "A page's call failed");
        },
      }),
    failureOf,
    toolsFor: (role) => toolsFor({ role, scopes: null, projectIds: null }),
    issuer: () => configuredOidc()?.issuer ?? null,
    address: () => ({ url: publicUrl(), isStated: env().PUBLIC_URL !== undefined }),
    openApiDocument,
    pageFailed: (err, page) => log.error({ err, page }, "A page could not be rendered"),
  });
}

function failureOf(error: unknown): "not-found" | "signed-out" | null {
  if (!(error instanceof TRPCError)) return null;
  if (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST") return "not-found";
  return error.code === "UNAUTHORIZED" ? "signed-out" : null;
}
