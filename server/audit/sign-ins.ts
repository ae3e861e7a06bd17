import { findCookiePrincipal, sessionCookieIn } from "../auth/cookie-session.ts";
import type { Principal } from "../auth/principal.ts";
import { email } from "../db/schema-parts.ts";
import { addressHeader } from "../request-headers.ts";
import { byOf, type Entry, recordEntry, recordThrottled } from "./service.ts";

/**
 * Records signing in and out, which next-auth serves, based on its responses, so that an entry matches what the caller
 * was told, for any provider. The password is never read.
 */

const anonymous = byOf(null);

/** How each provider is called in an entry. */
const ways: Record<string, string> = {
  credentials: "by password",
  "second-factor": "by password and second factor",
  passkey: "by passkey",
};

/**
 * Reads a request to next-auth before its body is consumed; `former` is the user of its cookie, and `notes` are what the
 * sign-in leaves about itself. The returned function takes the response and records it if it begins, denies, or ends a
 * session; it throws if that fails.
 */
export function watchSignIn(
  request: Request,
  [action, provider = ""]: readonly string[],
  { former, notes }: { former: Principal | null; notes: { wrongFactorOf?: number } },
) {
  const isPost = request.method === "POST";
  const address = request.headers.get(addressHeader) ?? "";
  const tried = isPost && action === "callback" ? request.clone() : null;

  return async (response: Response): Promise<void> => {
    const cookie = sessionCookieIn(response);
    if (action === "signout") {
      const by = cookie === "" ? former : null;
      if (by)
        await recordEntry({ ...sessionOf(by.userId), by: byOf(by), address, action: "session.signOut" });
      return;
    }
    if (action !== "callback") return;
    if (cookie) {
      const by = await findCookiePrincipal(new Headers({ cookie }));
      const detail = [ways[provider] ?? `by ${provider}`, by && `as ${by.role}`];
      const entry = { ...sessionOf(by?.userId ?? null), detail: detail.filter(Boolean).join(", ") };
      return recordEntry({ ...entry, by: byOf(by), address, action: "session.signIn" });
    }
    const failure = await failureIn(response);
    // The second step has its own entry.
    if (failure === null || failure === "SecondFactorRequired") return;
    const entry = { ...sessionOf(null), by: anonymous, address };
    if (provider === "second-factor" || provider === "passkey") {
      const failed = {
        ...entry,
        ...sessionOf(notes.wrongFactorOf ?? null),
        detail: ways[provider] ?? provider,
      };
      if (failure === "RateLimited") return recordThrottled({ ...failed, action: "session.signInLimited" });
      // The limit on attempts bounds those with a valid ticket; others must not add a row each.
      const record = notes.wrongFactorOf === undefined ? recordThrottled : recordEntry;
      return record({ ...failed, action: "session.signInFailed" });
    }
    if (provider !== "credentials") {
      const detail = `by ${provider}: ${/^[A-Za-z]{1,40}$/.test(failure) ? failure : "failed"}`;
      return recordThrottled({ ...entry, action: "session.signInRefused", detail });
    }
    return recordFailure(entry, failure, await emailIn(tried));
  };
}

const sessionOf = (userId: number | null) => ({ objectKind: "user", objectId: userId });

/**
 * Every wrong password is an entry: the limit on attempts bounds their number. What the limit does not bound,
 * attempts beyond it and those without an email address, must not add a row each.
 */
function recordFailure(entry: Omit<Entry, "action">, failure: string, tried: string | null): Promise<void> {
  const detail = tried ?? "not an email address";
  if (failure === "RateLimited")
    return recordThrottled({ ...entry, detail, action: "session.signInLimited" });
  const record = tried === null ? recordThrottled : recordEntry;
  return record({ ...entry, detail, action: "session.signInFailed" });
}

/** The reason for a denial, from the URL that next-auth redirects to; null if it was not denied. */
async function failureIn(response: Response): Promise<string | null> {
  const { url } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { url?: unknown };
  const target = response.headers.get("location") ?? url;
  if (typeof target !== "string" || !URL.canParse(target, "http://localhost")) return null;
  return new URL(target, "http://localhost").searchParams.get("error");
}

/** The email address that was tried; null if it is not one: it may be a password in the wrong field. */
async function emailIn(request: Request | null): Promise<string | null> {
  const { email: typed } = fieldsOf(await request?.text().catch(() => ""));
  // Untrimmed: an input that is too long is not looked up, so no limit counts it.
  const parsed = email.safeParse(String(typed).length > 200 ? null : typed);
  return parsed.success ? parsed.data : null;
}

/** The fields of a form or a JSON body: next-auth accepts either. */
function fieldsOf(body = ""): { email?: unknown } {
  try {
    return Object(JSON.parse(body));
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}
