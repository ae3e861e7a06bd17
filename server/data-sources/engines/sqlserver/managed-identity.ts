import { env } from "../../../env.ts";
import { allowedBy } from "../../../outbound/addresses.ts";
import { sendOutbound } from "../../../outbound/request.ts";
import { SourceError } from "../engine.ts";
import { fieldsIn, outboundFailure } from "../outbound-failure.ts";
import type { Cloud } from "./entra-token.ts";
import { heldToken, isToken, type Token } from "./held-tokens.ts";

/**
 * Signing in with the managed identity of the machine that the service runs on: Azure gives it a token for SQL Server, at an
 * address that only this machine has. By Microsoft's descriptions of both endpoints. Which data sources may is decided
 * before (managed-identity-servers.ts).
 */

/** Azure's Instance Metadata Service: of virtual machines, scale sets, and what runs in them. */
const metadataService = "http://169.254.169.254";
const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 };

/** `clientId` is null for the machine's own, system-assigned identity. Throws SourceError. */
export function identityToken(
  clientId: string | null,
  { resource }: Cloud,
  imds = metadataService,
): Promise<string> {
  const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: header } = env();
  const asked = { resource: `${resource}/`, ...(clientId !== null && { client_id: clientId }) };
  // App Service and Container Apps have an endpoint of their own, and say where.
  const request: { base: string; version: string; headers: Record<string, string> } =
    endpoint !== undefined && header !== undefined
      ? { base: endpoint, version: "2019-08-01", headers: { "x-identity-header": header } }
      : {
          base: `${imds}/metadata/identity/oauth2/token`,
          version: "2018-02-01",
          headers: { metadata: "true" },
        };
  const url = new URL(request.base);
  for (const [name, value] of Object.entries({ "api-version": request.version, ...asked }))
    url.searchParams.set(name, value);
  return heldToken(["managed identity", url.href], () => fetchToken(url, request.headers));
}

async function fetchToken(url: URL, headers: Record<string, string>): Promise<Token> {
  // The address is the platform's, not one that someone typed: it is not public, and stays out of OUTBOUND_ALLOW.
  const answer = await sendOutbound(
    { method: "GET", url, headers: { ...headers, "accept-encoding": "identity" }, ...limits },
    allowedBy(url.hostname),
  ).catch((error) => {
    throw outboundFailure(error, "This machine has no managed identity: Azure's endpoint did not answer");
  });
  const { access_token: token, expires_on: ends, error_description: said } = fieldsIn(answer.body);
  if (answer.status === 200 && isToken(token)) return { token, until: (Number(ends) || 0) * 1000 };
  if (answer.status >= 500 || [404, 410, 429].includes(answer.status))
    throw new SourceError("unreachable", "Azure gives no token at the moment: try again");
  const isUnknown = /identity not found|no .*identity/i.test(String(said));
  throw new SourceError(
    "unreachable",
    isUnknown
      ? "This machine has no managed identity with this client ID"
      : `Azure gave no token for the managed identity: HTTP ${answer.status}`,
  );
}
