import type { NextAuthOptions } from "next-auth";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { env } from "../env.ts";
import { problemIn } from "../errors.ts";
import { addressHeader, claimedAddressHeader } from "../request-headers.ts";
import { log } from "../telemetry/log.ts";
import { cookiesIn } from "./cookie-session.ts";
import { configuredOidc, type Oidc } from "./oidc.ts";
import { type Claims, identityOf } from "./oidc-claims.ts";
import { discoverProvider } from "./oidc-discovery.ts";
import { oidcProvider, oidcProviderId } from "./oidc-provider.ts";
import type { Context } from "./principal.ts";
import { readZone } from "./read-zone.ts";
import { admitPerson } from "./service/admit.ts";
import { beginSession } from "./service/begin-session.ts";
import { signIn } from "./service/sign-in.ts";
import { zoneCookie } from "./zone-cookie.ts";

/** A next-auth request: the provider in its path, where it comes from, and where changes are recorded. */
type Visit = {
  provider: string | undefined;
  headers: Headers;
  record: NonNullable<Context["record"]>;
};

/** The next-auth configuration. OIDC discovery only runs for requests that need it. */
export async function authOptions({ provider, headers, record }: Visit): Promise<NextAuthOptions> {
  const oidc = provider === oidcProviderId ? configuredOidc() : null;
  const address = headers.get(addressHeader) ?? "";
  const claimedAddress = headers.get(claimedAddressHeader) ?? undefined;
  const timeZone = readZone(cookiesIn(headers)[zoneCookie]);
  const origin = { address, userAgent: headers.get("user-agent") ?? "", timeZone };
  return {
    // The row decides how long a session lasts; the cookie must only not expire before.
    session: { strategy: "jwt", maxAge: env().SESSION_MAX_DAYS * 24 * 60 * 60 },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [
      ...(env().PASSWORD_SIGN_IN ? [byPassword({ ...origin, claimedAddress })] : []),
      ...(oidc ? [oidcProvider(oidc, await discoverProvider(oidc))] : []),
    ],
    callbacks: {
      async signIn({ user, profile }) {
        if (!oidc) return true;
        const admission = await admit((profile ?? {}) as Claims, oidc, record);
        if ("refusal" in admission) return `/sign-in?error=${admission.refusal}`;
        const session = await beginSession(admission.user, { signedInBy: "Oidc", ...origin });
        if (session === null) return "/sign-in?error=Disabled";
        // next-auth passes this same object to `jwt`.
        Object.assign(user, { session });
        return true;
      },
      // The cookie only identifies the session; the user and role are read on every request.
      jwt: ({ token, user }) => (user && "session" in user ? { session: user.session } : token),
      redirect({ url, baseUrl }) {
        const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
        return target?.origin === baseUrl ? target.href : baseUrl;
      },
    },
    logger: { error: logProviderFailure, warn() {}, debug() {} },
  };
}

type Origin = {
  address: string;
  claimedAddress: string | undefined;
  userAgent: string;
  timeZone: string | null;
};

const byPassword = ({ claimedAddress, ...origin }: Origin): CredentialsConfig => ({
  ...{ id: "credentials", name: "Credentials", type: "credentials" },
  credentials: { email: {}, password: {} },
  async authorize(credentials) {
    const { email, password } = credentials ?? {};
    if (typeof email !== "string" || typeof password !== "string") return null;
    if (email.length > 200) return null;
    try {
      // Passwords have at most 200 characters; longer ones fail without being hashed.
      const user = await signIn(email, password.slice(0, 201), origin.address, claimedAddress);
      const session = user && (await beginSession(user, { signedInBy: "Password", ...origin }));
      return user && session ? { id: String(user.id), session } : null;
    } catch (error) {
      // next-auth passes this text to the sign-in page as `error`, and any other text unchanged.
      throw new Error(problemIn(error)?.code === "rate_limited" ? "RateLimited" : "SignInFailed");
    }
  },
});

async function admit(claims: Claims, oidc: Oidc, record: Visit["record"]): ReturnType<typeof admitPerson> {
  const identity = identityOf(claims, oidc);
  const admission = identity ? await admitPerson(identity, record) : { refusal: "NoIdentity" as const };
  if ("refusal" in admission)
    log.info({ subject: identity?.subject, refusal: admission.refusal }, "An OIDC sign-in was rejected");
  return admission;
}

/** Problems with the OIDC provider; next-auth's other errors are about callers. */
function logProviderFailure(code: string, metadata: unknown): void {
  if (!code.includes("OAUTH")) return;
  const err = metadata instanceof Error ? metadata : (metadata as { error?: unknown }).error;
  log.warn({ err, code }, "An OIDC sign-in failed");
}
