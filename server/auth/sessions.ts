import type { NextAuthOptions } from "next-auth";
import { getToken } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import { problemIn } from "../errors.ts";
import { log } from "../log.ts";
import { configuredOidc, type Oidc } from "./oidc.ts";
import { type Claims, identityOf } from "./oidc-claims.ts";
import { discoverProvider } from "./oidc-discovery.ts";
import { oidcProvider, oidcProviderId } from "./oidc-provider.ts";
import { addressHeader, type Context, type Principal } from "./principal.ts";
import { admitPerson } from "./service/admit.ts";
import { findSessionPrincipal, signIn } from "./service/sign-in.ts";

/** Whom a request to next-auth concerns: the provider that its path names, and where changes are told. */
type Visit = { provider: string | undefined; record: NonNullable<Context["record"]> };

/** How next-auth works here. The OIDC provider is asked about itself only for requests that concern it. */
export async function authOptions({ provider, record }: Visit): Promise<NextAuthOptions> {
  const oidc = provider === oidcProviderId ? configuredOidc() : null;
  return {
    session: { strategy: "jwt", maxAge: 7 * 24 * 60 * 60 },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [byPassword, ...(oidc ? [oidcProvider(oidc, await discoverProvider(oidc))] : [])],
    callbacks: {
      async signIn({ user, profile }) {
        if (!oidc) return true;
        const admission = await admit((profile ?? {}) as Claims, oidc, record);
        if ("refusal" in admission) return `/sign-in?error=${admission.refusal}`;
        // next-auth hands this same object on to `jwt`.
        Object.assign(user, sessionUser(admission.user));
        return true;
      },
      // The cookie says who, never what they may do: that is read anew on every request.
      jwt({ token, user }) {
        if (user && "sessionEpoch" in user) return { sub: user.id, sessionEpoch: user.sessionEpoch };
        return token;
      },
      session: ({ session }) => ({ expires: session.expires }),
      redirect({ url, baseUrl }) {
        const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
        return target?.origin === baseUrl ? target.href : baseUrl;
      },
    },
    logger: { error: logProviderFailure, warn() {}, debug() {} },
  };
}

const byPassword = CredentialsProvider({
  credentials: { email: {}, password: {} },
  async authorize(credentials, request) {
    const { email, password } = credentials ?? {};
    if (typeof email !== "string" || typeof password !== "string") return null;
    if (email.length > 200) return null;
    try {
      // No password is longer than 200: one that is counts as a wrong try, and is not worth hashing whole.
      const user = await signIn(email, password.slice(0, 201), request.headers?.[addressHeader] ?? "");
      return user && sessionUser(user);
    } catch (error) {
      // next-auth shows this text as `error` on the sign-in page, and shows any other as it stands.
      throw new Error(problemIn(error)?.code === "rate_limited" ? "RateLimited" : "SignInFailed");
    }
  },
});

type Entered = { id: number; email: string; sessionEpoch: number };

const sessionUser = ({ id, email, sessionEpoch }: Entered) => ({ id: String(id), email, sessionEpoch });

async function admit(claims: Claims, oidc: Oidc, record: Visit["record"]): ReturnType<typeof admitPerson> {
  const identity = identityOf(claims, oidc);
  const admission = identity ? await admitPerson(identity, record) : { refusal: "NoIdentity" as const };
  if ("refusal" in admission)
    log.info({ subject: identity?.subject, refusal: admission.refusal }, "A sign-in by OIDC was refused");
  return admission;
}

/** What goes wrong between here and the OIDC provider; next-auth's other findings are about callers. */
function logProviderFailure(code: string, metadata: unknown): void {
  if (!code.includes("OAUTH")) return;
  const err = metadata instanceof Error ? metadata : (metadata as { error?: unknown }).error;
  log.warn({ err, code }, "A sign-in by OIDC failed");
}

function cookiesIn(headers: Headers): Record<string, string> {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  return Object.fromEntries(pairs.map(([name = "", ...value]) => [name, decode(value.join("="))]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A session by cookie: whose, of which epoch of theirs, and until when, in milliseconds since 1970. */
export type CookieSession = { principal: Principal; sessionEpoch: number; expiresAt: number };

/** The session whose cookie is among these headers, or null. */
export async function findCookieSession(headers: Headers): Promise<CookieSession | null> {
  const cookies = cookiesIn(headers);
  if (!Object.keys(cookies).some((name) => name.includes("next-auth.session-token"))) return null;
  const request = { cookies, headers: {} } as unknown as Parameters<typeof getToken>[0]["req"];
  const token = await getToken({ req: request });
  if (!token?.sub || typeof token.sessionEpoch !== "number") return null;
  const { sessionEpoch, exp } = token;
  const principal = await findSessionPrincipal(Number(token.sub), sessionEpoch);
  return principal && { principal, sessionEpoch, expiresAt: Number(exp) * 1000 };
}

/** Who the session cookie among these headers belongs to, or null. */
export async function findCookiePrincipal(headers: Headers): Promise<Principal | null> {
  return (await findCookieSession(headers))?.principal ?? null;
}
