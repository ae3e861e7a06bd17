/** What the network says, in words; without the address, which may hold a secret. */
const words: Record<string, string> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "broke the connection off",
  EPIPE: "broke the connection off",
  ESOCKET: "broke the connection off",
  ETLS: "offers no TLS that can be trusted",
  ECONNECTION: "broke the connection off",
  ENOTFOUND: "has no address: its name is not known",
  EAI_AGAIN: "has no address: its name could not be looked up",
  EDNS: "has no address: its name could not be looked up",
  ETIMEDOUT: "did not answer in time",
  ABORT_ERR: "did not answer in time",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a certificate that nobody vouches for",
  SELF_SIGNED_CERT_IN_CHAIN: "has a certificate that nobody vouches for",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has a certificate that nobody vouches for",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "has a certificate that nobody vouches for",
};

/** `who` did what, as the beginning of a sentence: "The receiver refused the connection". */
export function networkFailure(who: string, error: unknown): string {
  return `${who} ${codesIn(error).flatMap((code) => words[code] ?? [])[0] ?? "could not be talked to"}`;
}

/** The codes of an error and of those behind it; trying several addresses ends in one error of many. */
function codesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const inside = error instanceof AggregateError ? error.errors.flatMap(codesIn) : [];
  const behind = codesIn(error.cause);
  return [...inside, ...behind, ...own];
}
