import { configuredOidc } from "../../auth/oidc.ts";
import { publicUrl } from "../../env.ts";
import { Problem } from "../../errors.ts";
import { problemResponse } from "../rest/problem-response.ts";

/** How a client finds the authorization server (RFC 9728), if OIDC tokens are accepted. */
export const protectedResourcePath = "/.well-known/oauth-protected-resource";
export const mcpPath = "/svc/mcp";

/** The challenge of a 401. */
export function challenge(): string {
  if (!configuredOidc()) return "Bearer";
  return `Bearer resource_metadata="${publicUrl()}${protectedResourcePath}${mcpPath}"`;
}

/** The metadata of the only resource, at its own path and at the root. */
export function handleProtectedResource(request: Request): Response {
  const oidc = configuredOidc();
  const path = new URL(request.url).pathname;
  if (!oidc || ![protectedResourcePath, protectedResourcePath + mcpPath].includes(path))
    return problemResponse(new Problem("not_found", "Not found"));
  const metadata = {
    resource: publicUrl() + mcpPath,
    authorization_servers: [oidc.issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: oidc.scope.split(/\s+/),
    resource_name: "Plumbline",
  };
  return Response.json(metadata, { headers: { "cache-control": "no-cache" } });
}
