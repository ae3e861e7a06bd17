type SignIn = {
  domain?: string | undefined;
  entraTenant?: string | undefined;
  managedIdentity?: boolean | undefined;
};
type Way = {
  host: string;
  port: number;
  user: string;
  ssl: boolean;
  trustServerCertificate?: boolean | undefined;
  caCertificate?: string | undefined;
  sqlServer?: SignIn | undefined;
};

/** Who can read a password in transit: 0 anyone on the network, 1 an impostor of the server, 2 only the server. */
const protection = ({ ssl, trustServerCertificate }: Way): number =>
  ssl ? (trustServerCertificate ? 1 : 2) : 0;

/**
 * Why the stored password of a database must be entered again; null if it can stay. It is only ever sent to the server
 * and login that it was given for, with at least the same protection.
 */
export function reasonToRequirePassword(stored: Way, now: Way): string | null {
  if (stored.sqlServer?.managedIdentity && !now.sqlServer?.managedIdentity)
    return "the managed identity is no longer used";
  if (stored.host !== now.host || stored.port !== now.port || stored.user !== now.user)
    return "host, port, or user changes";
  if (stored.sqlServer?.domain !== now.sqlServer?.domain) return "the domain changes";
  if (stored.sqlServer?.entraTenant !== now.sqlServer?.entraTenant) return "the Entra tenant changes";
  if (protection(now) < protection(stored)) return "TLS or certificate verification is turned off";
  const wasVerified = protection(stored) === 2;
  return wasVerified && isOtherAuthority(stored.caCertificate, now.caCertificate)
    ? "the CA certificate changes"
    : null;
}

/** Whether others than before could say who the server is. Line ends and spaces around them do not matter. */
export const isOtherAuthority = (stored = "", now = ""): boolean =>
  stored.replace(/\s+/g, "") !== now.replace(/\s+/g, "");

type Key = { endpoint?: string | undefined; accessKeyId?: string | undefined };

/** Whether a secret access key would sign for another key ID, or for another storage. */
export const isOtherKey = (stored: Key, now: Key): boolean =>
  stored.endpoint !== now.endpoint || stored.accessKeyId !== now.accessKeyId;

/** Whether secret headers would be sent to a server that they were not sent to before. */
export function hasOtherServer(stored: readonly string[], now: readonly string[]): boolean {
  const known = new Set(stored.map((address) => new URL(address).origin));
  return now.some((address) => URL.canParse(address) && !known.has(new URL(address).origin));
}

type Login = { account: string; user: string; authentication: string };

/** Whether a key or token would sign in to another account of Snowflake, as another user, or in another way. */
export const isOtherLogin = (stored: Login, now: Login): boolean =>
  stored.account.toLowerCase() !== now.account.toLowerCase() ||
  stored.user !== now.user ||
  stored.authentication !== now.authentication;
