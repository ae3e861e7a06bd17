import { handleRest } from "../rest.ts";

type Call = { cookie?: string; json?: unknown; body?: string; headers?: Record<string, string> };

/** Calls the REST door as a client would, without a network. */
export async function rest(method: string, path: string, { cookie, json, body, headers }: Call = {}) {
  const sent = json === undefined ? body : JSON.stringify(json);
  const response = await handleRest(
    new Request(`http://localhost:3000/svc/api${path}`, {
      method,
      headers: {
        host: "localhost:3000",
        ...(cookie && { cookie }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}
