import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider, { type AccountClaims } from "oidc-provider";

/**
 * A real OpenID Connect provider on this machine, whose users only have the claims that a test gives them.
 *
 * People sign in on its pages with any password. A pipeline gets a JWT for Plumbline's API with its client credentials.
 */
export type OidcProvider = {
  issuer: string;
  client: { id: string; secret: string };
  /** The claims about a person, by sign-in name; can be changed at any time. */
  people: Map<string, Record<string, unknown>>;
  /** A JWT as the token endpoint returns it to a pipeline with these roles. */
  pipelineToken(roles: string[], audience?: string): Promise<string>;
  /** Any JWT, signed with its key. */
  sign(claims: JWTPayload, header?: { alg?: string; typ?: string; kid?: string }): Promise<string>;
  /** How often its keys and its metadata were requested. */
  asked(): { keys: number; discovery: number };
  close(): Promise<void>;
};

export const audience = "https://plumbline.example/api";

/** On the given port, otherwise on a free one. */
export async function anOidcProvider(callbackUrl: string, port = 0): Promise<OidcProvider> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const client = { id: "plumbline", secret: "a secret that only tests use" };
  const people: OidcProvider["people"] = new Map();
  let pipelineRoles: string[] = [];

  const provider = new Provider(issuer, {
    clients: [
      { client_id: client.id, client_secret: client.secret, redirect_uris: [callbackUrl] },
      {
        client_id: "pipeline",
        client_secret: client.secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "first", alg: "RS256", use: "sig" }] },
    cookies: { keys: ["cookies of the provider"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people.get(id) }) as AccountClaims,
    }),
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, _client, oneOf) => oneOf ?? [],
        getResourceServerInfo: (_context, resource) => ({
          scope: "",
          audience: resource,
          accessTokenFormat: "jwt",
          accessTokenTTL: 60,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    extraTokenClaims: (_context, token) =>
      token.kind === "ClientCredentials" ? { groups: pipelineRoles } : undefined,
  });
  const asked = { keys: 0, discovery: 0 };
  server.on("request", (request, response) => {
    if (request.url === "/jwks") asked.keys += 1;
    if (request.url?.startsWith("/.well-known/")) asked.discovery += 1;
    provider.callback()(request, response);
  });

  return {
    issuer,
    client,
    people,
    asked: () => ({ ...asked }),
    async pipelineToken(roles, resource = audience) {
      pipelineRoles = roles;
      const answer = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`pipeline:${encodeURIComponent(client.secret)}`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "first", ...header }).sign(privateKey),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
