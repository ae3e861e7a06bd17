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
import { beginSession, type SignInOrigin } from "./service/begin-session.ts";
import { finishSignIn, type Proof, type SecondStep, signInByPasskey } from "./service/second-sign-in-step.ts";
import { signIn } from "./service/sign-in.ts";
import { zoneCookie } from "./zone-cookie.ts";

/** What the session endpoint needs to know of a sign-in besides next-auth's response. */
export type SignInNotes = {
  /** A right password is not enough. */
  step?: SecondStep;
  /** Whose second factor was wrong. */
  wrongFactorOf?: number;
};

/** A next-auth request: the provider in its path, where it comes from, and where changes are recorded. */
type Visit = {
  notes: SignInNotes;
  provider: string | undefined;
  headers: Headers;
  record: NonNullable<Context["record"]>;
};

/** The next-auth configuration. OIDC discovery only runs for requests that need it. */
export async function authOptions({ provider, headers, record, notes }: Visit): Promise<NextAuthOptions> {
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
      ...(env().PASSWORD_SIGN_IN
        ? [byPassword, bySecondFactor, byPasskey].map((provide) =>
            provide({ ...origin, claimedAddress }, notes),
          )
        : []),
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

const byPassword = (from: Origin, notes: SignInNotes) =>
  credentialsProvider("credentials", ["email", "password"], async ({ email, password }) => {
    if (email === undefined || password === undefined || email.length > 200) return null;
    // Passwords have at most 200 characters; longer ones fail without being hashed.
    const found = await signIn(email, password.slice(0, 201), from.address, from.claimedAddress);
    if (!found) return null;
    if (found.step) {
      notes.step = found.step;
      throw new SignInRefusal("SecondFactorRequired");
    }
    return begun(found.user, { signedInBy: "Password", ...from });
  });

/** What follows a right password: a code, a recovery code, or a passkey. */
const bySecondFactor = (from: Origin, notes: SignInNotes) =>
  credentialsProvider(
    "second-factor",
    ["ticket", "code", "recoveryCode", "passkey"],
    async ({ ticket, ...presented }) => {
      const proof = proofIn(presented);
      if (ticket === undefined || proof === null) return null;
      const { user, factor } = await finishSignIn(ticket, proof, from);
      if (!user) throw new SignInRefusal("SignInExpired");
      if (factor) return begun(user, { signedInBy: "Password", secondFactor: factor, ...from });
      notes.wrongFactorOf = user.id;
      return null;
    },
  );

const byPasskey = (from: Origin) =>
  credentialsProvider("passkey", ["ticket", "passkey"], async ({ ticket, passkey }) => {
    const response = objectIn(passkey);
    const user = ticket !== undefined && response && (await signInByPasskey(ticket, response, from));
    return user ? begun(user, { signedInBy: "Passkey", ...from }) : null;
  });

/** Fields of a form. A ticket or a passkey's response has at most a few thousand characters. */
type Fields = Record<string, string | undefined>;

const credentialsProvider = (
  id: string,
  names: readonly string[],
  authorize: (fields: Fields) => Promise<{ id: string } | null>,
): CredentialsConfig => ({
  ...{ id, name: id, type: "credentials" },
  credentials: Object.fromEntries(names.map((name) => [name, {}])),
  async authorize(sent) {
    const texts = names
      .map((name) => [name, sent?.[name]] as const)
      .filter(([, text]) => typeof text === "string");
    try {
      return await authorize(Object.fromEntries(texts));
    } catch (error) {
      if (error instanceof SignInRefusal) throw error;
      // next-auth passes this text to the sign-in page as `error`, and any other text unchanged.
      throw new Error(problemIn(error)?.code === "rate_limited" ? "RateLimited" : "SignInFailed");
    }
  },
});

/** Tells the sign-in page why by its message, a single word. */
class SignInRefusal extends Error {}

async function begun(user: Parameters<typeof beginSession>[0], origin: SignInOrigin) {
  const session = await beginSession(user, origin);
  return session ? { id: String(user.id), session } : null;
}

/** What was presented; null if that is nothing, or more than one thing. */
function proofIn({ code, recoveryCode, passkey }: Fields): Proof | null {
  const response = objectIn(passkey);
  const proofs: Proof[] = [
    ...(code === undefined ? [] : [{ code: code.slice(0, 20) }]),
    ...(recoveryCode === undefined ? [] : [{ recoveryCode: recoveryCode.slice(0, 100) }]),
    ...(response ? [{ passkey: response }] : []),
  ];
  return proofs.length === 1 ? (proofs[0] ?? null) : null;
}

function objectIn(json: string | undefined): object | null {
  try {
    const value: unknown = JSON.parse(json ?? "null");
    return typeof value === "object" ? value : null;
  } catch {
    // Not JSON, so not from a browser's passkey.
    return null;
  }
}

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
