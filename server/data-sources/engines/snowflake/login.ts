import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { type SnowflakeConnectionWithSecret, SourceError } from "../engine.ts";

/** How long a token is made for, and used: Snowflake takes none of more than an hour. */
const tokenSeconds = 3_000;
const renewSeconds = 600;

/** Signs in: by a token of our own that the private key signs, or by the OAuth access token that was given. */
export class Login {
  readonly #target: SnowflakeConnectionWithSecret;
  #token: { text: string; until: number } | null = null;

  constructor(target: SnowflakeConnectionWithSecret) {
    this.#target = target;
  }

  /** Throws SourceError "unreachable" for a key that cannot be read. */
  async headers(): Promise<Record<string, string>> {
    const isOAuth = this.#target.authentication === "OAuth";
    return {
      authorization: `Bearer ${isOAuth ? this.#accessToken() : await this.#keyToken()}`,
      "x-snowflake-authorization-token-type": isOAuth ? "OAUTH" : "KEYPAIR_JWT",
    };
  }

  #accessToken(): string {
    const token = this.#target.secrets.token?.trim() ?? "";
    if (token === "") throw unusable("There is no OAuth access token");
    if (!/^[\x21-\x7e]+$/.test(token)) throw unusable("The OAuth access token is not one");
    return token;
  }

  async #keyToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    if (this.#token && now < this.#token.until) return this.#token.text;
    const { account, user } = this.#target;
    const key = privateKeyOf(this.#target.secrets);
    // Of an account with its region, only the first label is its name.
    const subject = `${account.split(".")[0]}.${user}`.toUpperCase();
    const text = await new SignJWT()
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuer(`${subject}.${fingerprintOf(key)}`)
      .setSubject(subject)
      .setIssuedAt(now)
      .setExpirationTime(now + tokenSeconds)
      .sign(key);
    this.#token = { text, until: now + tokenSeconds - renewSeconds };
    return text;
  }
}

/** As DESCRIBE USER shows it: `SHA256:…`. */
export const fingerprintOf = (key: KeyObject): string =>
  `SHA256:${createHash("sha256")
    .update(createPublicKey(key).export({ type: "spki", format: "der" }))
    .digest("base64")}`;

/** The errors of the library may hold parts of the key, so none of them is passed on. */
function privateKeyOf({ privateKey = "", passphrase }: SnowflakeConnectionWithSecret["secrets"]): KeyObject {
  if (privateKey.trim() === "") throw unusable("There is no private key");
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: privateKey, format: "pem", ...(passphrase && { passphrase }) });
  } catch {
    throw unusable(
      /ENCRYPTED/.test(privateKey)
        ? "The private key cannot be read: the passphrase is missing or wrong"
        : "The private key cannot be read: it must be an RSA key in PEM format",
    );
  }
  if (key.asymmetricKeyType !== "rsa") throw unusable("The private key must be an RSA key");
  return key;
}

const unusable = (message: string) => new SourceError("unreachable", message);
