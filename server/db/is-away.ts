/** The driver's codes, and the system's, for a connection that broke or could not be made. */
const brokenConnection =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;

/** PostgreSQL's: class 08, that it shuts down, has crashed or is starting, and that it takes no more connections. */
const serverGone = /^(08...|57P0[1235]|53300)$/;

/**
 * Whether something failed because the service's own database was away for a moment, or somebody ended the
 * connection to it: nothing is wrong with what was tried, and it may be tried again.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && (brokenConnection.test(code) || serverGone.test(code))) return true;
  return isDatabaseAway(error.cause);
}
