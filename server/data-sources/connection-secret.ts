import { Problem } from "../errors.ts";
import type { Engine, OpenConnection } from "./engines/engine.ts";
import { whyPasswordIsRequired } from "./password-rule.ts";
import { type GivenConnection, isRest, type PublicConnection } from "./schema.ts";

/** What may be shown, and apart from it the secret as it is sealed: undefined when left out, "" for none. */
export type Parted = { connection: PublicConnection; secret: string | undefined };

/** A password is its own text; secret headers are written as JSON. What was left unsaid is as the engine has it. */
export function parted(
  given: GivenConnection,
  { encryptsByDefault, serverNamed }: Pick<Engine, "encryptsByDefault" | "serverNamed">,
): Parted {
  if (isRest(given)) {
    const { secretHeaders, ...connection } = given;
    return { connection, secret: secretHeaders && textOf(secretHeaders) };
  }
  const { password, ssl = encryptsByDefault, ...connection } = given;
  return { connection: { ...connection, ssl, ...serverNamed?.(connection.host) }, secret: password };
}

export function withSecret(connection: PublicConnection, secret: string): OpenConnection {
  if (!isRest(connection)) return { ...connection, password: secret };
  return { ...connection, secretHeaders: secret === "" ? {} : JSON.parse(secret) };
}

export const secretText = (open: OpenConnection): string =>
  isRest(open) ? textOf(open.secretHeaders) : open.password;

const textOf = (headers: Record<string, string>) =>
  Object.keys(headers).length === 0 ? "" : JSON.stringify(headers);

/** A data source stays of its kind. Throws invalid. */
export function refuseOtherKind(stored: PublicConnection, now: PublicConnection): void {
  if (isRest(stored) !== isRest(now))
    throw invalid("connection", "must be the connection of this kind of data source");
}

/** A stored secret is only told to whom it was given for. Throws invalid where it must be given anew. */
export function refuseOtherReceiver(stored: OpenConnection, now: PublicConnection): void {
  if (isRest(stored) && isRest(now)) {
    // Nothing is told where nothing is kept.
    if (stored.baseUrl !== now.baseUrl && secretText(stored) !== "")
      throw invalid("connection.secretHeaders", "is required when the base URL changes");
  } else if (!isRest(stored) && !isRest(now)) {
    const why = whyPasswordIsRequired(stored, now);
    if (why !== null) throw invalid("connection.password", `is required when ${why}`);
  }
}

const invalid = (path: string, message: string) =>
  new Problem("invalid", `${path} ${message}`, { errors: [{ path, message }] });
