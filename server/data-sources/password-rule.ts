type Way = {
  host: string;
  port: number;
  user: string;
  ssl: boolean;
  trustServerCertificate?: boolean | undefined;
  caCertificate?: string | undefined;
};

/** Who can read a password in transit: 0 anyone on the network, 1 an impostor of the server, 2 only the server. */
const protection = ({ ssl, trustServerCertificate }: Way): number =>
  ssl ? (trustServerCertificate ? 1 : 2) : 0;

/**
 * Why the stored password of a database must be entered again; null if it can stay. It is only ever sent to the server
 * and login that it was given for, with at least the same protection.
 */
export function reasonToRequirePassword(stored: Way, now: Way): string | null {
  if (stored.host !== now.host || stored.port !== now.port || stored.user !== now.user)
    return "host, port, or user changes";
  if (protection(now) < protection(stored)) return "TLS or certificate verification is turned off";
  const wasVerified = protection(stored) === 2;
  return wasVerified && isOtherAuthority(stored.caCertificate, now.caCertificate)
    ? "the CA certificate changes"
    : null;
}

/** Whether others than before could say who the server is. Line ends and spaces around them do not matter. */
export const isOtherAuthority = (stored = "", now = ""): boolean =>
  stored.replace(/\s+/g, "") !== now.replace(/\s+/g, "");
