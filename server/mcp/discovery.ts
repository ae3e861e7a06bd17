import { configuredOidc } from "../auth/oidc.ts";
import { publicUrl } from "../env.ts";
import { Problem } from "../errors.ts";
import { problemResponse } from "../rest/dispatch.ts";

/** How a client finds out where to get a token (RFC 9728), where tokens of an OIDC provider count at all. */
export const mcpPath = "/svc/mcp";
const wellKnown = "/.well-known/oauth-protected-resource";

/** What a 401 asks for. */
export function challenge(): string {
  if (!configuredOidc()) return "Bearer";
  return `Bearer resource_metadata="${publicUrl()}${wellKnown}${mcpPath}"`;
}

/** The metadata of the one resource that there is, at its own path and at the root. */
export function handleProtectedResource(request: Request): Response {
  const oidc = configuredOidc();
  const path = new URL(request.url).pathname;
  if (!oidc || ![wellKnown, wellKnown + mcpPath].includes(path))
    return problemResponse(new Problem("not_found", "There is nothing at this path"));
  const metadata = {
    resource: publicUrl() + mcpPath,
    authorization_servers: [oidc.issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: oidc.scope.split(/\s+/),
    resource_name: "Plumbline",
  };
  return Response.json(metadata, { headers: { "cache-control": "no-cache" } });
}
