/** Shared by several dialects. */

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
