import { type OutboundRefusal, type OutboundResponse, sendOutbound } from "../../outbound/request.ts";
import {
  type ConnectionWithSecretHeaders,
  type Engine,
  type Limits,
  type ResultSet,
  type Source,
  SourceError,
  type SourceRequest,
} from "./engine.ts";
import { brokenConnection } from "./failures.ts";
import { addressBelow, pathFault } from "./rest-api/path.ts";
import { rowsIn } from "./rest-api/rows.ts";

const testLimits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };

/** JSON over HTTP. It has no SQL, and so neither tables nor contracts. */
export const restApi: Engine = {
  kind: "RestApi",
  label: "REST API",
  dialect: null,
  defaultPort: 443,
  encryptsByDefault: false,
  capabilities: { contracts: false, readOnlyTransactions: false, requests: true },
  defaultSchema: noSql,
  quote: noSql,
  placeholder: noSql,
  open,
};

function noSql(): never {
  throw new SourceError("refused", "A REST API takes no SQL");
}

function open({ baseUrl, headers, secretHeaders }: ConnectionWithSecretHeaders): Source {
  const own = { accept: "application/json", "accept-encoding": "identity", "user-agent": "plumbline" };
  const allHeaders = { ...own, ...headers, ...secretHeaders };
  return {
    async test() {
      const url = new URL(baseUrl);
      const { status } = await send({ method: "GET", url, headers: allHeaders, ...testLimits });
      return verdictOn(status);
    },
    introspect: async () => ({ items: [] }),
    session: async () => noSql(),
    request: (request, limits) => fetchRows(baseUrl, allHeaders, request, limits),
    // Each request has a connection of its own.
    close: async () => {},
  };
}

async function fetchRows(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
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
    timeoutMs: limits.timeoutMs,
    maxBytes: limits.maxBytes,
  });
  refuseUnlessSuccess(status);
  return rowsIn(jsonIn(answer), rowsPath, limits);
}

/** The text of an answer that is JSON as a whole. */
function jsonIn(answer: Buffer): string {
  if (answer.length === 0) throw new SourceError("statement", "The API answered with nothing, not with JSON");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(answer);
    JSON.parse(text);
    return text;
  } catch {
    throw new SourceError("statement", "The API answered with something that is not JSON");
  }
}

/** What the API says beside its status may repeat what it was sent, so it stays unsaid. */
function refuseUnlessSuccess(status: number): void {
  if (status >= 200 && status < 300) return;
  if (status === 404) throw new SourceError("statement", "The API has nothing at this path (HTTP 404)");
  if (status === 429)
    throw new SourceError("unreachable", "The API wants fewer requests for a while (HTTP 429)");
  if (status >= 400 && status < 500 && status !== 401 && status !== 403)
    throw new SourceError("statement", `The API did not accept the request (HTTP ${status})`);
  verdictOn(status);
  throw new SourceError("unreachable", `The API gave no final answer (HTTP ${status})`);
}

/** Many an API answers 404 or 405 at its root, which only says that it is there. */
function verdictOn(status: number): { message?: string } {
  if (status >= 200 && status < 300) return {};
  const unusable = (message: string) => new SourceError("unreachable", `${message} (HTTP ${status})`);
  if (status === 401 || status === 403)
    throw unusable("The API does not accept the headers that it was sent");
  if (status >= 300 && status < 400)
    throw unusable("This address leads on to another one: redirects are not followed, so give that one");
  if (status >= 500) throw unusable("The API has an error of its own");
  return { message: `The API answers, with HTTP ${status} at its base URL` };
}

async function send(request: Parameters<typeof sendOutbound>[0]): Promise<OutboundResponse> {
  try {
    return await sendOutbound(request);
  } catch (error) {
    if (!isRefusal(error)) throw brokenConnection(error, "The API did not answer in HTTP");
    throw new SourceError(kindOf[error.reason], error.message);
  }
}

const kindOf = {
  timeout: "timeout",
  size: "statement",
  address: "unreachable",
  protocol: "unreachable",
} as const;

/** Each door loads its own copy of the class. */
const isRefusal = (error: unknown): error is OutboundRefusal =>
  error instanceof Error && error.name === "OutboundRefusal";
