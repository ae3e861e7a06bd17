import { OutboundRefusal, type OutboundResponse, sendOutbound } from "../../outbound/request.ts";
import type { RestConnection } from "../connections/rest-api.ts";
import {
  type ConnectionWithSecretHeaders,
  type Limits,
  type RequestEngine,
  type ResultSet,
  type Source,
  SourceError,
  type SourceRequest,
} from "./engine.ts";
import { brokenConnection, namingCa } from "./failures.ts";
import { addressBelow, pathFault } from "./rest-api/path.ts";
import { rowsIn } from "./rest-api/rows.ts";

const testLimits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };

/** JSON over HTTP. Without SQL, there are no tables or contracts. */
export const restApi: RequestEngine = {
  kind: "RestApi",
  dialect: null,
  open,
};

function noSql(): never {
  throw new SourceError("refused", "A REST API does not accept SQL");
}

function open(connection: ConnectionWithSecretHeaders): Source {
  const { baseUrl, headers, secretHeaders, caCertificate } = connection;
  const own = { accept: "application/json", "accept-encoding": "identity", "user-agent": "plumbline" };
  const allHeaders = { ...own, ...headers, ...secretHeaders };
  return {
    async test() {
      const url = new URL(baseUrl);
      const { status } = await send({
        method: "GET",
        url,
        headers: allHeaders,
        caCertificate,
        ...testLimits,
      });
      return verdictOn(status);
    },
    introspect: async () => ({ items: [] }),
    session: async () => noSql(),
    request: (request, limits) => fetchRows({ ...connection, headers: allHeaders }, request, limits),
    // Each request has its own connection.
    close: async () => {},
  };
}

async function fetchRows(
  { baseUrl, headers, caCertificate }: RestConnection,
  { method, path, query = {}, body, rowsPath }: SourceRequest,
  limits: Limits,
): Promise<ResultSet> {
  const fault = pathFault(path);
  if (fault !== null) throw new SourceError("refused", `The path ${fault}`);
  if (method !== "POST" && body !== undefined)
    throw new SourceError("refused", "Only a POST request has a body");
  const { status, body: answer } = await send({
    method,
    url: addressBelow(baseUrl, path, query),
    headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    caCertificate,
    timeoutMs: limits.timeoutMs,
    maxBytes: limits.maxBytes,
  });
  requireSuccess(status);
  return rowsIn(jsonIn(answer), rowsPath, limits);
}

/** The text of a response, if all of it is valid JSON. */
function jsonIn(answer: Buffer): string {
  if (answer.length === 0)
    throw new SourceError("statement", "The API returned an empty response instead of JSON");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(answer);
    JSON.parse(text);
    return text;
  } catch {
    throw new SourceError("statement", "The API response is not JSON");
  }
}

/** An error response may echo the request, so its body is not shown. */
function requireSuccess(status: number): void {
  if (status >= 200 && status < 300) return;
  if (status === 404) throw new SourceError("statement", "The API returned 404 Not Found for this path");
  if (status === 429) throw new SourceError("unreachable", "The API is rate limiting requests (HTTP 429)");
  if (status >= 400 && status < 500 && status !== 401 && status !== 403)
    throw new SourceError("statement", `The API rejected the request (HTTP ${status})`);
  verdictOn(status);
  throw new SourceError("unreachable", `The API did not return a final response (HTTP ${status})`);
}

/** Many APIs respond 404 or 405 at their root, which still shows that they are reachable. */
function verdictOn(status: number): { message?: string } {
  if (status >= 200 && status < 300) return {};
  const unusable = (message: string) => new SourceError("unreachable", `${message} (HTTP ${status})`);
  if (status === 401 || status === 403) throw unusable("The API rejected the request headers");
  if (status >= 300 && status < 400)
    throw unusable(
      "This address redirects to another one. Redirects are not followed; use the other address",
    );
  if (status >= 500) throw unusable("The API failed with a server error");
  return { message: `The API responds with HTTP ${status} at its base URL` };
}

async function send(request: Parameters<typeof sendOutbound>[0]): Promise<OutboundResponse> {
  try {
    return await sendOutbound(request);
  } catch (error) {
    if (!isRefusal(error)) throw namingCa(brokenConnection(error, "The response is not HTTP"), request);
    throw new SourceError(kindOf[error.reason], error.message);
  }
}

const kindOf = {
  timeout: "timeout",
  size: "statement",
  address: "unreachable",
  protocol: "unreachable",
} as const;

const isRefusal = (error: unknown): error is OutboundRefusal => error instanceof OutboundRefusal;
