import { expect } from "vitest";
import { handleRest } from "../doors/rest/dispatch.ts";
import { openApiDocument } from "../doors/rest/openapi.ts";
import { findRoute } from "../doors/rest/routes.ts";
import { addressHeader, localHeader } from "../request-headers.ts";

type Call = {
  cookie?: string;
  json?: unknown;
  body?: string;
  headers?: Record<string, string>;
  /** Set if the test breaks what the service depends on: no document has a 500. */
  mayBreak?: boolean;
};

/**
 * Calls the REST API as a client would, without a network. Every response must be documented in the OpenAPI document,
 * so each test that uses this verifies the document.
 */
export async function rest(
  method: string,
  path: string,
  { cookie, json, body, headers, mayBreak }: Call = {},
) {
  const sent = json === undefined ? body : JSON.stringify(json);
  const response = await handleRest(
    new Request(`http://localhost:3000/svc/api${path}`, {
      method,
      headers: {
        host: "localhost:3000",
        // Set by the process for a call from its own machine.
        ...{ [addressHeader]: "127.0.0.1", [localHeader]: "yes" },
        ...(cookie && { cookie }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    }),
  );
  if (!mayBreak || response.status !== 500) expectDocumented(method, path, response.status);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.endsWith("json");
  const read = isJson ? JSON.parse(text) : text || null;
  return { status: response.status, headers: response.headers, body: read };
}

function expectDocumented(method: string, path: string, status: number): void {
  const { match } = findRoute(method, path.split("?")[0] ?? "");
  if (!match) return;
  const item = openApiDocument().paths?.[match.route.path] as Record<string, { responses: object }>;
  const documented = Object.keys(item[method.toLowerCase()]?.responses ?? {});
  expect(documented, `${method} ${match.route.path}`).toContain(String(status));
}
