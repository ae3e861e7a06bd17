/** Error codes of MCP; the others are JSON-RPC's. */
const codes = { invalidParams: -32602, resourceNotFound: -32002, refused: -32000, bug: -32603 };

/** Returned as a JSON-RPC error with exactly this message; the SDK's class would add a prefix. */
export class ProtocolFault extends Error {
  override readonly name = "ProtocolFault";
  readonly code: number;
  readonly data: Record<string, unknown> | undefined;

  constructor(kind: keyof typeof codes, message: string, data?: Record<string, unknown>) {
    super(message);
    this.data = data;
    this.code = codes[kind];
  }
}
