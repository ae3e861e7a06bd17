import { findCookiePrincipal, sessionCookieIn } from "../auth/cookie-session.ts";
import { addressHeader, type Principal } from "../auth/principal.ts";
import { email } from "../db/schema-parts.ts";
import { byOf, type Entry, recordEntry, recordOnceInAWhile } from "./service.ts";

/**
 * Signing in and out, which next-auth serves: what happened is read off its answer, so that an entry says what the
 * caller was told, by whichever provider. The password is never looked at.
 */

const anonymous = byOf(null);

/**
 * Looks at a request to next-auth before its body is used up; `former` is who its cookie belongs to. The function that
 * it returns takes the answer, and records it where it begins, refuses or ends a session; it throws when it cannot.
 */
export function watchSignIn(
  request: Request,
  [action, provider = ""]: readonly string[],
  former: Principal | null,
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
      const detail = [provider === "credentials" ? "by password" : `by ${provider}`, by && `as ${by.role}`];
      const entry = { ...sessionOf(by?.userId ?? null), detail: detail.filter(Boolean).join(", ") };
      return recordEntry({ ...entry, by: byOf(by), address, action: "session.signIn" });
    }
    const failure = await failureIn(response);
    if (failure === null) return;
    const entry = { ...sessionOf(null), by: anonymous, address };
    if (provider !== "credentials") {
      const detail = `by ${provider}: ${/^[A-Za-z]{1,40}$/.test(failure) ? failure : "failed"}`;
      return recordOnceInAWhile({ ...entry, action: "session.signInRefused", detail });
    }
    return recordFailure(entry, failure, await emailIn(tried));
  };
}

const sessionOf = (userId: number | null) => ({ objectKind: "user", objectId: userId });

/**
 * A wrong password is an entry each time: the limit on attempts bounds them. What the limit does not bound, attempts
 * beyond it and those without an e-mail address, must not fill a row each.
 */
function recordFailure(entry: Omit<Entry, "action">, failure: string, tried: string | null): Promise<void> {
  const detail = tried ?? "not an e-mail address";
  if (failure === "RateLimited")
    return recordOnceInAWhile({ ...entry, detail, action: "session.signInLimited" });
  const record = tried === null ? recordOnceInAWhile : recordEntry;
  return record({ ...entry, detail, action: "session.signInFailed" });
}

/** Why next-auth refused, as it stands in the address that it sends the caller on to; null when it did not. */
async function failureIn(response: Response): Promise<string | null> {
  const { url } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { url?: unknown };
  const target = response.headers.get("location") ?? url;
  if (typeof target !== "string" || !URL.canParse(target, "http://localhost")) return null;
  return new URL(target, "http://localhost").searchParams.get("error");
}

/** The e-mail address that was tried; null for what is none: it may be a password in the wrong field. */
async function emailIn(request: Request | null): Promise<string | null> {
  const { email: typed } = fieldsOf(await request?.text().catch(() => ""));
  // Blanks around it count here: what is too long as it was typed is not looked up, so no limit counts it.
  const parsed = email.safeParse(String(typed).length > 200 ? null : typed);
  return parsed.success ? parsed.data : null;
}

/** A form's fields, or JSON's: next-auth takes either. */
function fieldsOf(body = ""): { email?: unknown } {
  try {
    return Object(JSON.parse(body));
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}
