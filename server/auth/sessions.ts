import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { problemIn } from "../errors.ts";
import { log } from "../log.ts";
import { configuredOidc, type Oidc } from "./oidc.ts";
import { type Claims, identityOf } from "./oidc-claims.ts";
import { discoverProvider } from "./oidc-discovery.ts";
import { oidcProvider, oidcProviderId } from "./oidc-provider.ts";
import { addressHeader, type Context, claimedAddressHeader } from "./principal.ts";
import { admitPerson } from "./service/admit.ts";
import { signIn } from "./service/sign-in.ts";

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
      const { [addressHeader]: address = "", [claimedAddressHeader]: claimed } = request.headers ?? {};
      const user = await signIn(email, password.slice(0, 201), address, claimed);
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
