import type { AppRouter } from "../app-router.ts";
import type { Context } from "../auth/principal.ts";
import type { Role } from "../auth/schema.ts";
import type { Tool } from "../doors/mcp/tools.ts";
import type { openApiDocument } from "../doors/rest/openapi.ts";

/**
 * What pages get from the process. Next bundles pages separately, so importing server modules would load each of them
 * twice, with separate state and classes. Pages use this handle instead, which the process sets before Next starts.
 * This file is part of both and therefore only imports types.
 */
export type PageServices = {
  /** The caller of a page's request. API keys are ignored. */
  createContext(headers: Headers): Promise<Context>;
  /** The procedures, called with this context. */
  createCaller: AppRouter["createCaller"];
  /** What a failed procedure call means for its page; null for a bug. */
  failureOf(error: unknown): "not-found" | "signed-out" | null;
  /** The MCP tools available to a role, without a key or project that restricts them. */
  toolsFor(role: Role): readonly Tool[];
  /** The issuer of the OIDC provider; null without one. */
  issuer(): string | null;
  /** The service's public URL. `isStated` if it comes from a setting instead of a guess. */
  address(): { url: string; isStated: boolean };
  openApiDocument: typeof openApiDocument;
  /** Logs why a page could not be rendered; `page` is its route. */
  pageFailed(error: unknown, page: string): void;
};

const key = Symbol.for("plumbline.page-services");
const shared = globalThis as { [key]?: PageServices };

/** Called once, by the process. */
export function openToPages(services: PageServices): void {
  shared[key] = services;
}

/** For pages, while a request is served. Not available at build time. */
export function pageServices(): PageServices {
  const services = shared[key];
  if (!services) throw new Error("Pages can only be rendered in the service's process");
  return services;
}
