import { admin } from "./service.ts";

export type Api = (
  method: string,
  path: string,
  json?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; headers: Headers; body: unknown }>;

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);

/** Signs in without a browser, and returns the session's Cookie header. */
export async function sessionCookie(url: string, { email, password } = admin): Promise<string> {
  const csrf = await fetch(`${url}/svc/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const session = await fetch(`${url}/svc/api/auth/callback/credentials`, {
    method: "POST",
    headers: { cookie: cookiesOf(csrf).join("; ") },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  if (!session.ok) throw new Error(`Signing in answered ${session.status}`);
  return cookiesOf(session).join("; ");
}

/** A client of the REST API with its own session. */
export async function signIn(url: string, who = admin): Promise<Api> {
  const cookie = await sessionCookie(url, who);
  return async (method, path, json, headers = {}) => {
    const response = await fetch(`${url}/svc/api${path}`, {
      method,
      headers: { cookie, ...(json !== undefined && { "content-type": "application/json" }), ...headers },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
  };
}
