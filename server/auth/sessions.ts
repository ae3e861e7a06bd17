import type { NextAuthOptions } from "next-auth";
import { getToken } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import { problemIn } from "../errors.ts";
import { addressHeader, type Principal } from "./principal.ts";
import { findSessionPrincipal, signIn } from "./service/sign-in.ts";

export const authOptions: NextAuthOptions = {
  session: { strategy: "jwt", maxAge: 7 * 24 * 60 * 60 },
  pages: { signIn: "/sign-in", error: "/sign-in" },
  providers: [
    CredentialsProvider({
      credentials: { email: {}, password: {} },
      async authorize(credentials, request) {
        const { email, password } = credentials ?? {};
        if (typeof email !== "string" || typeof password !== "string") return null;
        if (email.length > 200 || password.length > 200) return null;
        try {
          const user = await signIn(email, password, request.headers?.[addressHeader] ?? "");
          return user && { id: String(user.id), email: user.email, sessionEpoch: user.sessionEpoch };
        } catch (error) {
          // next-auth shows this text as `error` on the sign-in page, and shows any other as it stands.
          throw new Error(problemIn(error)?.code === "rate_limited" ? "RateLimited" : "SignInFailed");
        }
      },
    }),
  ],
  callbacks: {
    // The cookie says who, never what they may do: that is read anew on every request.
    jwt({ token, user }) {
      if (user && "sessionEpoch" in user) return { sub: user.id, sessionEpoch: user.sessionEpoch };
      return token;
    },
    session: ({ session }) => ({ expires: session.expires }),
  },
  logger: { error() {}, warn() {}, debug() {} },
};

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

/** Who the session cookie among these headers belongs to, or null. */
export async function findCookiePrincipal(headers: Headers): Promise<Principal | null> {
  const cookies = cookiesIn(headers);
  if (!Object.keys(cookies).some((name) => name.includes("next-auth.session-token"))) return null;
  const request = { cookies, headers: {} } as unknown as Parameters<typeof getToken>[0]["req"];
  const token = await getToken({ req: request });
  if (!token?.sub || typeof token.sessionEpoch !== "number") return null;
  return findSessionPrincipal(Number(token.sub), token.sessionEpoch);
}
