import { expect, test } from "vitest";
import { SourceError } from "../engine.ts";
import { isServerError, isStatementError, loginFailure, statementFailure } from "./failures.ts";

/** Errors as the driver throws them. */
const connectionError = (code: string, cause?: unknown) =>
  Object.assign(new Error("Failed to connect to db.internal:1433", { cause }), { code });
const requestError = (number: number, message: string, severity = 16) =>
  Object.assign(new Error(message), { code: "EREQUEST", number, class: severity });

test.each([
  [[18456], "The user or password is wrong"],
  [[4060, 18456], "The database does not exist, or the user cannot access it"],
  [[18487], "The user's password has expired"],
  [[40615], "The server's firewall blocks connections from this host"],
  [[31337], "The server rejected the login (31337)"],
  [[], "The server rejected the login"],
])("a login that the server refuses with %j: %s", (numbers, message) => {
  expect(loginFailure(connectionError("ELOGIN"), numbers)).toMatchObject({ kind: "unreachable", message });
});

test.each([
  [connectionError("ESOCKET", { code: "ECONNREFUSED" }), /^Connection refused/],
  [connectionError("ESOCKET", { code: "ENOTFOUND" }), "Unknown host name"],
  [
    connectionError("ESOCKET", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
    /^The server's certificate is not trusted/,
  ],
  [connectionError("ESOCKET", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }), /is for another host name$/],
  [
    connectionError("ESOCKET", new SourceError("unreachable", "The host did not respond")),
    "The host did not respond",
  ],
  [connectionError("ETIMEOUT"), "The server did not finish the login in time"],
  [connectionError("EENCRYPT"), "The server only accepts encrypted connections: turn on SSL"],
  [new Error("Something at db.internal"), "The host could not be reached, or it is not SQL Server"],
])("a connection that does not come about: %s", (error, message) => {
  const failure = loginFailure(error, []);
  expect(failure).toMatchObject({ kind: "unreachable", message: expect.stringMatching(message) });
  expect(failure.message).not.toContain("db.internal");
});

test.each([
  [requestError(208, "Invalid object name 'flights'."), "statement", "Invalid object name 'flights'."],
  [requestError(102, "Incorrect syntax near 'x'.\r\nMore"), "statement", "Incorrect syntax near 'x'."],
  [
    requestError(916, 'The server principal "ada" is not able to access'),
    "statement",
    "this login is not able to access",
  ],
  [requestError(1222, "Lock request time out period exceeded."), "timeout", /^The statement timed out/],
  [requestError(1205, "Transaction (Process ID 52) was deadlocked"), "statement", /because of a deadlock$/],
  [
    requestError(596, "Cannot continue because the session is in the kill state.", 21),
    "unreachable",
    "The server closed the connection",
  ],
  [connectionError("ECLOSE"), "unreachable", "The connection was lost"],
])("a statement without a result: %s", (error, kind, message) => {
  expect(statementFailure(error)).toMatchObject({ kind, message: expect.stringMatching(message) });
});

test("of several errors the first is reported", () => {
  const all = new AggregateError([
    requestError(207, "Invalid column name 'x'."),
    requestError(8180, "Not prepared."),
  ]);
  expect(statementFailure(all)).toMatchObject({ kind: "statement", message: "Invalid column name 'x'." });
  expect(isServerError(all)).toBe(true);
});

test("the accompanying error says why a statement cannot be described; alone, error 11529 says nothing against it", () => {
  const unknown = requestError(
    11529,
    "The metadata could not be determined because every code path results in",
  );
  const reason = requestError(207, "Invalid column name 'missing'.");
  for (const errors of [
    [unknown, reason],
    [reason, unknown],
  ]) {
    const error = new AggregateError(errors);
    expect(isStatementError(error)).toBe(true);
    expect(statementFailure(error)).toMatchObject({
      kind: "statement",
      message: "Invalid column name 'missing'.",
    });
  }
  expect(isStatementError(unknown)).toBe(false);
  expect(isStatementError(new AggregateError([unknown]))).toBe(false);
  expect(isStatementError(reason)).toBe(true);
});
