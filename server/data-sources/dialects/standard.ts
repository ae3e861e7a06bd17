import type { PublicConnection } from "../connections/connection.ts";

/** Shared by several dialects. */

/** The schema of servers whose databases are their schemas. */
export const databaseIn = (connection: PublicConnection) =>
  "database" in connection ? connection.database : "";

/** Turns any text into one identifier, with closing quotes doubled. */
export const quotedBy =
  (opening: string, closing = opening) =>
  (identifier: string) =>
    `${opening}${identifier.replaceAll(closing, closing + closing)}${closing}`;

/** The `sslmode` convention of most tools: no encryption unless requested. */
export function encryptsBySslMode(parameters: URLSearchParams): boolean {
  const mode = parameters.get("sslmode") ?? parameters.get("ssl-mode");
  return mode !== null && !/^disabled?$/i.test(mode);
}

/** A number in full digits, without an exponent; null for non-finite ones. */
export const numberLiteral = (value: number) =>
  Number.isFinite(value)
    ? value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 100 })
    : null;

export const textLiteral = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** The kind whose pattern matches a type, ignoring case. */
export const kindBy =
  <Kind>(patterns: readonly (readonly [RegExp, Kind])[], otherwise: Kind) =>
  (type: string): Kind =>
    patterns.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? otherwise;

/** A POSIX regular expression for the dates that exist, since year 1; 29 February in leap years only. */
export const existingDay = [
  "([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))",
  "([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29",
].join("|");
