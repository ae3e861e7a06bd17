import { X509Certificate } from "node:crypto";
import { Problem } from "../../errors.ts";
import type { GivenConnection } from "../connections/connection.ts";

/** Throws invalid for a CA certificate that is none: it would be refused only when something is connected to. */
export function rejectUnreadableCertificate(connection: GivenConnection): void {
  const text = "caCertificate" in connection ? (connection.caCertificate ?? "") : "";
  const fault = text
    .split(/(?<=-----END CERTIFICATE-----)/)
    .filter((part) => part.trim() !== "")
    .map(faultOf)
    .find((each) => each !== null);
  if (fault === undefined) return;
  const path = "connection.caCertificate";
  throw new Problem("invalid", `${path} ${fault}`, { errors: [{ path, message: fault }] });
}

/** A server's own certificate may be given, too, if it is self-signed. */
function faultOf(pem: string): string | null {
  try {
    const certificate = new X509Certificate(pem);
    return certificate.ca || certificate.checkIssued(certificate)
      ? null
      : "contains a certificate that is not a CA's, but a server's";
  } catch {
    return "contains a certificate that cannot be read";
  }
}
