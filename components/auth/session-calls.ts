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

/** null on success, otherwise the error message. */
export async function signIn(email: string, password: string): Promise<string | null> {
  try {
    const response = await post("/callback/credentials", { email, password });
    if (response.status === 403) return ((await response.json()) as { detail: string }).detail;
    if (response.status === 429) return "Too many attempts. Wait 15 minutes, then try again.";
    const { url } = (await response.json().catch(() => ({}))) as { url?: string };
    const failure = url ? new URL(url, window.location.origin).searchParams.get("error") : null;
    if (response.ok && !failure) return null;
    if (response.status === 401 && failure !== "SignInFailed")
      return "The email address or password is incorrect.";
    return "Sign-in failed. Try again in a moment.";
  } catch {
    return "The service did not answer. Check the connection, then try again.";
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
