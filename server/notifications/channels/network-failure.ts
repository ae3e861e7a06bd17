/** A network error in words, without the address, which may contain a secret. */
const words: Record<string, string> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection",
  EPIPE: "closed the connection",
  ESOCKET: "closed the connection",
  ETLS: "offers no trusted TLS",
  ECONNECTION: "closed the connection",
  ENOTFOUND: "has no address: the host name is unknown",
  EAI_AGAIN: "has no address: the host name could not be resolved",
  EDNS: "has no address: the host name could not be resolved",
  ETIMEDOUT: "did not respond in time",
  ABORT_ERR: "did not respond in time",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has an untrusted certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "has an untrusted certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has an untrusted certificate",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "has an untrusted certificate",
};

/** `who` is the subject of the sentence: "The receiver refused the connection". */
export function networkFailure(who: string, error: unknown): string {
  return `${who} ${codesIn(error).flatMap((code) => words[code] ?? [])[0] ?? "failed"}`;
}

/** The codes of an error and its causes; trying several addresses results in one aggregate error. */
function codesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const inside = error instanceof AggregateError ? error.errors.flatMap(codesIn) : [];
  const behind = codesIn(error.cause);
  return [...inside, ...behind, ...own];
}
