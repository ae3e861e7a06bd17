import type { OAuthConfig } from "next-auth/providers/oauth";
import type { Oidc } from "./oidc.ts";
import type { Claims } from "./oidc-claims.ts";
import type { Discovered } from "./oidc-discovery.ts";

/** The provider's id in next-auth's paths: /svc/api/auth/signin/oidc, /svc/api/auth/callback/oidc. */
export const oidcProviderId = "oidc";

/**
 * The next-auth provider: authorization code flow with PKCE, state, and nonce. Without the provider's metadata there
 * is nowhere to send users, and next-auth returns them with the error OAuthSignin.
 */
export function oidcProvider(oidc: Oidc, discovered: Discovered | null): OAuthConfig<Claims> {
  const userinfo = discovered?.userinfo_endpoint;
  return {
    id: oidcProviderId,
    name: oidc.name,
    type: "oauth",
    issuer: oidc.issuer,
    ...(discovered && {
      authorization: { url: discovered.authorization_endpoint, params: { scope: oidc.scope } },
      token: { url: discovered.token_endpoint },
      jwks_endpoint: discovered.jwks_uri,
      client: clientOf(discovered),
    }),
    userinfo: {
      ...(userinfo && { url: userinfo }),
      // Many providers keep ID tokens short and return the rest here; signed claims take precedence.
      async request({ client, tokens }) {
        const told = userinfo ? await client.userinfo(tokens as Parameters<typeof client.userinfo>[0]) : {};
        return { ...told, ...(tokens as unknown as { claims(): Claims }).claims() };
      },
    },
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    httpOptions: { timeout: 5_000 },
    profile: (claims) => ({ id: String(claims.sub) }),
  };
}

/** The default method if the provider supports it, as clients are registered with it unless configured otherwise. */
function clientOf(discovered: Discovered) {
  const algorithms = discovered.id_token_signing_alg_values_supported;
  const methods = discovered.token_endpoint_auth_methods_supported;
  return {
    id_token_signed_response_alg: algorithms.includes("RS256")
      ? "RS256"
      : (algorithms.find((each) => /^(PS|ES|Ed)/.test(each)) ?? "RS256"),
    token_endpoint_auth_method:
      methods.includes("client_secret_basic") || !methods.includes("client_secret_post")
        ? ("client_secret_basic" as const)
        : ("client_secret_post" as const),
  };
}
