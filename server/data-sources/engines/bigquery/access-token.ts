import { importPKCS8, SignJWT } from "jose";
import { sendOutbound } from "../../../outbound/request.ts";
import { SourceError } from "../engine.ts";
import { fieldsIn, outboundFailure } from "../outbound-failure.ts";
import { type ServiceAccount, unusable } from "./service-account.ts";

const scope = "https://www.googleapis.com/auth/bigquery";
const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const lifetimeSeconds = 3600;
/** A token that ends within a minute is replaced. */
const marginMs = 60_000;
const limits = { timeoutMs: 15_000, maxBytes: 64 * 1024 };

/** Tokens of one service account; each is used until it ends. */
export class AccessTokens {
  readonly #account: ServiceAccount;
  readonly #address: string;
  #held: Promise<{ token: string; until: number }> | null = null;

  constructor(account: ServiceAccount, address: string) {
    this.#account = account;
    this.#address = address;
  }

  async get(): Promise<string> {
    const held = await this.#held?.catch(() => null);
    if (held && held.until > Date.now()) return held.token;
    this.#held = fetchToken(this.#account, this.#address);
    return (await this.#held).token;
  }

  /** The server did not accept the token: the next one is a new one. */
  forget(): void {
    this.#held = null;
  }
}

async function fetchToken(account: ServiceAccount, address: string) {
  const body = new URLSearchParams({ grant_type: grant, assertion: await assertion(account, address) });
  const answer = await sendOutbound({
    method: "POST",
    url: new URL(address),
    headers: { "content-type": "application/x-www-form-urlencoded", "accept-encoding": "identity" },
    body: body.toString(),
    ...limits,
  }).catch((error) => {
    throw outboundFailure(error);
  });
  const { access_token: token, expires_in: seconds, error } = fieldsIn(answer.body);
  if (answer.status === 200 && typeof token === "string" && /^[\x21-\x7e]+$/.test(token))
    return { token, until: Date.now() + Number(seconds ?? lifetimeSeconds) * 1000 - marginMs };
  if (answer.status >= 500 || answer.status === 429)
    throw new SourceError("unreachable", "Google's sign-in is not available at the moment");
  throw new SourceError(
    "unreachable",
    error === "invalid_grant"
      ? "The login failed: the service account key is not accepted. It may have been deleted, or the clock of this machine is wrong"
      : `The login failed: the token endpoint responded with HTTP ${answer.status}`,
  );
}

async function assertion({ email, privateKey, keyId }: ServiceAccount, audience: string): Promise<string> {
  const key = await importPKCS8(privateKey, "RS256").catch(() => {
    throw unusable("its private_key is not an RSA key in PKCS #8");
  });
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(key);
}
