import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import type { SecondFactor } from "@/server/auth/schema.ts";

/** Signing in and out through next-auth's endpoints. */

const auth = "/svc/api/auth";

async function csrfToken(): Promise<string> {
  const response = await fetch(`${auth}/csrf`, { cache: "no-store" });
  if (!response.ok) throw new Error(`csrf answered ${response.status}`);
  return ((await response.json()) as { csrfToken: string }).csrfToken;
}

async function post(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`${auth}${path}`, {
    method: "POST",
    body: new URLSearchParams({ ...fields, csrfToken: await csrfToken(), json: "true" }),
  });
}

/** What remains to be done after a right password, as the service sends it. */
export type SecondStep = {
  ticket: string;
  methods: SecondFactor[];
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
};

/** null on success; otherwise why not, or what else is needed. */
export type SignInResult = null | { failure: string } | { step: SecondStep };

/** A sign-in with the password, which may be only the first step. */
export function signIn(email: string, password: string): Promise<SignInResult> {
  return present("/callback/credentials", { email, password }, "The email address or password is incorrect.");
}

/** The second step, with one of `code`, `recoveryCode`, and `passkey`. */
export function presentFactor(
  ticket: string,
  proof: { code: string } | { recoveryCode: string } | { passkey: string },
): Promise<SignInResult> {
  const wrong =
    "passkey" in proof
      ? "This passkey was not accepted. Sign in again from the start."
      : "This code is incorrect, expired, or already used.";
  return present("/callback/second-factor", { ticket, ...proof }, wrong);
}

/** A sign-in with a passkey alone. */
export function presentPasskey(ticket: string, passkey: string): Promise<SignInResult> {
  return present(
    "/callback/passkey",
    { ticket, passkey },
    "This passkey was not accepted. Sign in with your password.",
  );
}

async function present(path: string, fields: Record<string, string>, wrong: string): Promise<SignInResult> {
  try {
    const response = await post(path, fields);
    if (response.status === 403) return { failure: ((await response.json()) as { detail: string }).detail };
    if (response.status === 429) return { failure: "Too many attempts. Wait 15 minutes, then try again." };
    const { url, secondFactor } = (await response.json().catch(() => ({}))) as {
      url?: string;
      secondFactor?: SecondStep;
    };
    if (secondFactor) return { step: secondFactor };
    const failure = url ? new URL(url, window.location.origin).searchParams.get("error") : null;
    if (response.ok && !failure) return null;
    if (failure === "SignInExpired")
      return { failure: "This sign-in took too long, or the password has changed. Start again." };
    if (response.status === 401 && failure !== "SignInFailed") return { failure: wrong };
    return { failure: "Sign-in failed. Try again in a moment." };
  } catch {
    return { failure: "The service did not answer. Check the connection, then try again." };
  }
}

/** The provider's sign-in URL, which returns to `callbackUrl`; null if the server has none. */
export async function oidcAddress(callbackUrl: string): Promise<string | null> {
  try {
    const response = await post("/signin/oidc", { callbackUrl });
    const { url } = (await response.json()) as { url?: string };
    return url ?? null;
  } catch {
    return null;
  }
}

export async function signOut(): Promise<void> {
  await post("/signout", {});
}
