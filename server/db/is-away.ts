/** Error codes of the driver and the system for a connection that broke or could not be opened. */
const brokenConnection =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;

/** PostgreSQL's: class 08, shutting down, crashed, starting up, and too many connections. */
const serverGone = /^(08...|57P0[1235]|53300)$/;

/**
 * Whether something failed because the service's database was briefly away or the connection was terminated. Safe to
 * retry.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && (brokenConnection.test(code) || serverGone.test(code))) return true;
  return isDatabaseAway(error.cause);
}
