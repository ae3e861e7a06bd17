/** What the protocol has a code of its own for; others are JSON-RPC's. */
const codes = { invalidParams: -32602, resourceNotFound: -32002, refused: -32000, bug: -32603 };

/** Answered as a JSON-RPC error with this very message; the SDK's own class would put words before it. */
export class ProtocolFault extends Error {
  override readonly name = "ProtocolFault";
  readonly code: number;

  constructor(
    kind: keyof typeof codes,
    message: string,
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
    this.code = codes[kind];
  }
}
