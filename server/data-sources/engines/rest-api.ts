import { type OutboundRefusal, type OutboundResponse, sendOutbound } from "../../outbound/request.ts";
import { type ConnectionWithSecretHeaders, type Engine, type Source, SourceError } from "./engine.ts";
import { brokenConnection } from "./failures.ts";

const testLimits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };

/** JSON over HTTP. It has no SQL, and so neither tables nor contracts. */
export const restApi: Engine = {
  kind: "RestApi",
  label: "REST API",
  dialect: null,
  defaultPort: 443,
  capabilities: { contracts: false, readOnlyTransactions: false },
  defaultSchema: noSql,
  quote: noSql,
  placeholder: noSql,
  open,
};

function noSql(): never {
  throw new SourceError("refused", "A REST API takes no SQL");
}

function open({ baseUrl, headers, secretHeaders }: ConnectionWithSecretHeaders): Source {
  return {
    async test() {
      const { status } = await send({
        method: "GET",
        url: new URL(baseUrl),
        headers: { accept: "application/json", "user-agent": "plumbline", ...headers, ...secretHeaders },
        ...testLimits,
      });
      return verdictOn(status);
    },
    introspect: async () => ({ items: [] }),
    session: async () => noSql(),
    // Each request has a connection of its own.
    close: async () => {},
  };
}

/** Many an API answers 404 or 405 at its root, which only says that it is there. */
function verdictOn(status: number): { message?: string } {
  if (status >= 200 && status < 300) return {};
  const unusable = (message: string) => new SourceError("unreachable", `${message} (HTTP ${status})`);
  if (status === 401 || status === 403)
    throw unusable("The API does not accept the headers that it was sent");
  if (status >= 300 && status < 400)
    throw unusable("The base URL leads on to another address: redirects are not followed, so give that one");
  if (status >= 500) throw unusable("The API has an error of its own");
  return { message: `The API answers, with HTTP ${status} at its base URL` };
}

async function send(request: Parameters<typeof sendOutbound>[0]): Promise<OutboundResponse> {
  try {
    return await sendOutbound(request);
  } catch (error) {
    if (!isRefusal(error)) throw brokenConnection(error, "The API did not answer in HTTP");
    throw new SourceError(error.reason === "timeout" ? "timeout" : "unreachable", error.message);
  }
}

/** Each door loads its own copy of the class. */
const isRefusal = (error: unknown): error is OutboundRefusal =>
  error instanceof Error && error.name === "OutboundRefusal";
