type Way = {
  host: string;
  port: number;
  user: string;
  ssl: boolean;
  trustServerCertificate?: boolean | undefined;
};

/** Who can read a password on its way: 0 whoever is in between, 1 whoever poses as the server, 2 the server alone. */
const protection = ({ ssl, trustServerCertificate }: Way): number =>
  ssl ? (trustServerCertificate ? 1 : 2) : 0;

/**
 * Why the stored password of a database must be given again, which is only ever sent to the server and login that it
 * was given for, and no less protected than before; null where it may stay.
 */
export function whyPasswordIsRequired(stored: Way, now: Way): string | null {
  if (stored.host !== now.host || stored.port !== now.port || stored.user !== now.user)
    return "host, port or user changes";
  return protection(now) < protection(stored) ? "TLS or the check of the certificate is turned off" : null;
}
