import { SourceError } from "../engine.ts";
import { brokenConnection, fieldsOf, firstLine } from "../failures.ts";

/** What the server says instead of letting somebody in, by its number. */
const refusedLogins: Record<number, string> = {
  4060: "The database does not exist, or the user may not use it",
  4064: "The user's default database cannot be opened",
  10928: "The server has no connection free",
  10929: "The server has no connection free",
  17142: "The server has been paused",
  17187: "The server is starting up and does not let anybody in yet",
  17188: "The server is shutting down",
  17809: "The server has no connection free",
  17828: "The server did not understand the login",
  17830: "The server ended the login",
  18401: "The server is in upgrade mode and does not let anybody in yet",
  18450: "The server does not allow logins with a password: it accepts Windows accounts only",
  18452: "The server does not accept this login: it asks for a Windows account that it trusts",
  18456: "The user or the password is wrong",
  18461: "The server is in single-user mode",
  18470: "The user is disabled",
  18486: "The user is locked",
  18487: "The user's password has expired",
  18488: "The user's password has to be changed first",
  40197: "The server is busy or moving: try again",
  40501: "The server is busy: try again",
  40532: "The server does not know this user or database",
  40613: "The database is not available at the moment: try again",
  40615: "The server's firewall does not let connections from here in",
  40914: "The server's firewall does not let connections from here in",
  42109: "The database is paused and is just waking up: try again",
};

const lockTimeout = 1222;
const deadlock = 1205;
/** From this severity on the server ends the connection. */
const fatal = 20;

type Said = { number?: unknown; class?: unknown; cause?: unknown; errors?: unknown; code?: unknown };

const said = (error: unknown): Said => fieldsOf(error) as Said;

/**
 * Of several errors, the first is the reason and the others follow from it; but that a statement could not be
 * described follows from the others, wherever it stands.
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
 * What the server says against a statement itself: its syntax, its names, its types, and what the login may not
 * read. Each would be said again when it is run.
 */
const faultsOfStatements = new Set([
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
 * Whether the server has found a fault in a statement that it was to describe. Whatever else it says is about
 * describing, and nothing against the statement: running it will tell.
 */
export function isFaultOfStatement(error: unknown): boolean {
  const number = errorNumberOf(error);
  return number !== null && faultsOfStatements.has(number);
}

/** Whether it refused to compare texts of two collations. */
export const isOfTwoCollations = (error: unknown): boolean => errorNumberOf(error) === 468;

/** Whether it reads a memory-optimized table only where nobody has begun a transaction. */
export const isAboutTablesInMemory = (error: unknown): boolean => errorNumberOf(error) === 41368;

/** What the driver wraps: the network's or TLS's own error. */
function rootOf(error: unknown): unknown {
  const { cause } = said(error);
  return cause === undefined ? firstOf(error) : rootOf(cause);
}

/** The number by which the server knows its error; null for what the network or the driver says. */
export function errorNumberOf(error: unknown): number | null {
  const { number } = said(firstOf(error));
  return typeof number === "number" ? number : null;
}

/** Whether the server itself said it and goes on, so that the connection still understands what it is told. */
export function isServersWord(error: unknown): boolean {
  const { class: severity } = said(firstOf(error));
  return errorNumberOf(error) !== null && !(typeof severity === "number" && severity >= fatal);
}

/** Why nobody could sign in; the numbers are what the server has said meanwhile, the first of them first. */
export function loginFailure(error: unknown, numbers: readonly number[]): SourceError {
  const root = rootOf(error);
  if (root instanceof SourceError) return root;
  const known = numbers.map((number) => refusedLogins[number]).find((message) => message !== undefined);
  if (known !== undefined) return unreachable(known);
  if (numbers[0] !== undefined) return unreachable(`The server refused the login (${numbers[0]})`);
  const { code } = said(root);
  if (code === "EENCRYPT") return unreachable("The server accepts encrypted connections only: switch SSL on");
  if (code === "ETIMEOUT") return unreachable("The server did not finish the login in time");
  if (code === "ELOGIN") return unreachable("The server refused the login");
  return brokenConnection(root, "The host could not be reached, or it is no SQL Server");
}

/** Why a statement has no result. The server's own first line stays: it names the column or the place. */
export function statementFailure(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const number = errorNumberOf(error);
  if (number === null) return brokenConnection(rootOf(error), "The connection broke");
  if (!isServersWord(error)) return unreachable("The server ended the connection");
  if (number === lockTimeout)
    return new SourceError("timeout", "The statement waited too long for rows that somebody else has locked");
  if (number === deadlock)
    return new SourceError(
      "statement",
      "The server ended the statement: it and another waited for each other",
    );
  return new SourceError("statement", withoutLogin(firstLine(fieldsOf(firstOf(error)).message)));
}

/** Who is signed in is nobody's business: `The server principal "ada" is not able to access …`. */
function withoutLogin(message: string): string {
  return message.replace(/(the server principal|user|login) (?:"[^"]*"|'[^']*')/gi, "this login");
}

const unreachable = (message: string) => new SourceError("unreachable", message);
