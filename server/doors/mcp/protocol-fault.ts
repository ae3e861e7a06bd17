/** Error codes of MCP; the others are JSON-RPC's. Up to 2025-11-25, -32002 was a resource that is not found. */
const codes = {
  invalidParams: -32602,
  methodNotFound: -32601,
  resourceNotFound: -32002,
  refused: -32000,
  bug: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
};

/** Returned as a JSON-RPC error with exactly this message; the SDK's class would add a prefix. */
export class ProtocolFault extends Error {
  override readonly name = "ProtocolFault";
  readonly kind: keyof typeof codes;
  readonly code: number;
  readonly data: Record<string, unknown> | undefined;

  constructor(kind: keyof typeof codes, message: string, data?: Record<string, unknown>) {
    super(message);
    this.kind = kind;
    this.data = data;
    this.code = codes[kind];
  }
}
