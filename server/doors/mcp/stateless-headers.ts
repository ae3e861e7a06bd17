import { ProtocolFault } from "./protocol-fault.ts";

/** Where the body has what `Mcp-Name` repeats. */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/**
 * Checks the headers that repeat parts of the body, so that no proxy decides by other values than we do. Throws
 * ProtocolFault. The version and the method, where they are given, have been compared before.
 */
export function checkRepeatedHeaders(
  headers: Headers,
  { method, params }: { method: string; params?: Record<string, unknown> | undefined },
): void {
  if (headers.get("mcp-protocol-version") === null) throw mismatch("MCP-Protocol-Version is missing");
  if (headers.get("mcp-method") === null) throw mismatch("Mcp-Method is missing");
  const source = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined;
  const named = source === undefined ? undefined : params?.[source];
  if (typeof named !== "string") return;
  const header = headers.get("mcp-name");
  if (header === null) throw mismatch("Mcp-Name is missing");
  if (decoded(header) !== named) throw mismatch(`Mcp-Name does not match params.${source}`);
}

const mismatch = (what: string) => new ProtocolFault("headerMismatch", `Header mismatch: ${what}`);

/** Values that do not fit a header are sent as `=?base64?…?=`. null if that cannot be read. */
function decoded(value: string): string | null {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") !== base64) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
