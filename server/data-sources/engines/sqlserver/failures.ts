import { SourceError, type SqlPlace } from "../engine.ts";
import { brokenConnection, fieldsOf, firstLine } from "../failures.ts";

/** Login errors by server error number. */
const refusedLogins: Record<number, string> = {
  4060: "The database does not exist, or the user cannot access it",
  4064: "The user's default database cannot be opened",
  10928: "The server has too many connections",
  10929: "The server has too many connections",
  17142: "The server has been paused",
  17187: "The server is starting up and does not accept logins yet",
  17188: "The server is shutting down",
  17809: "The server has too many connections",
  17828: "The server could not parse the login",
  17830: "The server ended the login",
  18401: "The server is in upgrade mode and does not accept logins yet",
  18450: "The server does not allow password logins, only Windows accounts",
  18452: "The server does not accept this login: it requires a trusted Windows account",
  18456: "The user or password is wrong",
  18461: "The server is in single-user mode",
  18470: "The user is disabled",
  18486: "The user is locked",
  18487: "The user's password has expired",
  18488: "The user's password must be changed first",
  40197: "The server is busy or moving: try again",
  40501: "The server is busy: try again",
  40532: "The server does not know this user or database",
  40613: "The database is not available at the moment: try again",
  40615: "The server's firewall blocks connections from this host",
  40914: "The server's firewall blocks connections from this host",
  49918: "The server has too little capacity at the moment: try again",
  49919: "The server is busy with other operations: try again",
  49920: "The server is busy with other operations: try again",
  42109: "The database was paused and is resuming: try again",
};

/** Azure SQL is busy, moves a database, or limits what it does for one: the same works in a moment. */
const passing = new Set([10928, 10929, 40197, 40501, 40613, 49918, 49919, 49920]);

/** Whether the numbers of a failed login, or of a statement's error, are of that kind. */
export const isPassing = (numbers: readonly number[]): boolean => numbers.some((each) => passing.has(each));

const lockTimeout = 1222;
const deadlock = 1205;
/** From this severity on the server ends the connection. */
const fatal = 20;

type Said = { number?: unknown; class?: unknown; cause?: unknown; errors?: unknown; code?: unknown };

const said = (error: unknown): Said => fieldsOf(error) as Said;

/**
 * The first of several errors is the cause of the others, except that "cannot be described" is always a consequence.
 */
function firstOf(error: unknown): unknown {
  const { errors } = said(error);
  if (!Array.isArray(errors) || errors.length === 0) return error;
  return firstOf(errors.find((each) => !isAboutDescribing(each)) ?? errors[0]);
}

const isAboutDescribing = (error: unknown): boolean => {
  const { number } = said(error);
  return typeof number === "number" && number >= 11501 && number <= 11530;
};

/**
 * Errors about the statement itself: syntax, names, types, and missing rights. Each would occur again when running it.
 */
const statementErrors = new Set([
  // Syntax
  ...[
    102, 103, 104, 105, 108, 111, 113, 116, 120, 121, 125, 130, 137, 141, 144, 145, 147, 148, 155, 156, 157,
  ],
  ...[164, 170, 173, 174, 178, 189, 191, 195, 319, 321, 325, 336, 1008, 1033, 1035, 1038, 8120, 8121, 8127],
  // Names
  ...[207, 208, 209, 243, 252, 1011, 1013, 2715, 4104, 4121, 8155, 8156, 8158, 8159],
  // Types
  ...[203, 205, 206, 213, 245, 257, 260, 306, 402, 403, 421, 447, 448, 468, 493, 517, 529, 8114, 8116, 8117],
  // Rights
  ...[229, 230, 262, 300, 371, 916],
]);

/**
 * Whether the server rejected a statement while describing it. Other errors are about describing only; running the
 * statement will tell.
 */
export function isStatementError(error: unknown): boolean {
  const number = errorNumberOf(error);
  return number !== null && statementErrors.has(number);
}

/** Whether it could not compare texts of two collations. */
export const isOfTwoCollations = (error: unknown): boolean => errorNumberOf(error) === 468;

/** Whether it cannot read a memory-optimized table in an explicit transaction. */
export const isAboutMemoryTables = (error: unknown): boolean => errorNumberOf(error) === 41368;

/** The network or TLS error wrapped by the driver. */
function rootOf(error: unknown): unknown {
  const { cause } = said(error);
  return cause === undefined ? firstOf(error) : rootOf(cause);
}

/** The server's error number; null for network or driver errors. */
export function errorNumberOf(error: unknown): number | null {
  const { number } = said(firstOf(error));
  return typeof number === "number" ? number : null;
}

/** Whether the error came from the server and the connection is still usable. */
export function isServerError(error: unknown): boolean {
  const { class: severity } = said(firstOf(error));
  return errorNumberOf(error) !== null && !(typeof severity === "number" && severity >= fatal);
}

/** Why signing in failed; the numbers are the server's messages so far, in order. */
export function loginFailure(error: unknown, numbers: readonly number[]): SourceError {
  const root = rootOf(error);
  if (root instanceof SourceError) return root;
  const known = numbers.map((number) => refusedLogins[number]).find((message) => message !== undefined);
  if (known !== undefined) return unreachable(known);
  if (numbers[0] !== undefined) return unreachable(`The server rejected the login (${numbers[0]})`);
  const { code } = said(root);
  if (code === "EENCRYPT") return unreachable("The server only accepts encrypted connections: turn on SSL");
  if (code === "ETIMEOUT") return unreachable("The server did not finish the login in time");
  if (code === "ELOGIN") return unreachable("The server rejected the login");
  return brokenConnection(root, "The host could not be reached, or it is not SQL Server");
}

/** Why a statement failed. Keeps the server's own first line, which names the column or position. */
export function statementFailure(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const number = errorNumberOf(error);
  if (number === null) return brokenConnection(rootOf(error), "The connection was lost");
  // Nothing is wrong with the statement; whoever asked may try again.
  if (isPassing([number])) return unreachable(refusedLogins[number] ?? "The server is busy: try again");
  if (!isServerError(error)) return unreachable("The server closed the connection");
  if (number === lockTimeout)
    return new SourceError("timeout", "The statement timed out waiting for locked rows");
  if (number === deadlock)
    return new SourceError("statement", "The server canceled the statement because of a deadlock");
  return new SourceError("statement", withoutLogin(firstLine(fieldsOf(firstOf(error)).message)), {
    sentPlace: placeIn(error),
  });
}

/** Settings precede the statement on its first line. */
function placeIn(error: unknown): SqlPlace | null {
  const { lineNumber } = firstOf(error) as { lineNumber?: unknown };
  return typeof lineNumber === "number" && lineNumber >= 1 ? { line: lineNumber, column: null } : null;
}

/** Do not reveal the user: `The server principal "ada" is not able to access …`. */
function withoutLogin(message: string): string {
  return message.replace(/(the server principal|user|login) (?:"[^"]*"|'[^']*')/gi, "this login");
}

const unreachable = (message: string) => new SourceError("unreachable", message);
