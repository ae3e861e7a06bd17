import { admin } from "./service.ts";

export type Api = (
  method: string,
  path: string,
  json?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; headers: Headers; body: unknown }>;

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);

/** Signs in as a program would, and answers a client of the REST API that carries the session. */
export async function signIn(url: string, { email, password } = admin): Promise<Api> {
  const csrf = await fetch(`${url}/svc/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const session = await fetch(`${url}/svc/api/auth/callback/credentials`, {
    method: "POST",
    headers: { cookie: cookiesOf(csrf).join("; ") },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  if (!session.ok) throw new Error(`Signing in answered ${session.status}`);
  const cookie = cookiesOf(session).join("; ");
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
