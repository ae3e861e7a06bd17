import { z } from "zod";
import { record, text } from "../../db/schema-parts.ts";

/** What connections of several kinds have in common. */

const certificates = /^(-----BEGIN CERTIFICATE-----\s[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** What the certificates say is checked by the server, which can read them (service/ca-certificates.ts). */
export const caCertificate = text(300_000)
  .trim()
  .regex(certificates, "must be certificates in PEM format: -----BEGIN CERTIFICATE----- and so on")
  .meta({
    description:
      "The CA certificates, in PEM format, that the server's certificate must be issued by, in place of the well-known ones",
  });

/** Set by the client that sends the request, or specific to the connection. */
const ownHeaders =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect)$/i;
export const headerValue = text(4000).regex(
  /^[\t\x20-\x7e\x80-\xff]*$/,
  "must be one line of Latin characters",
);
export const headerFields = record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "is not a header name"),
  headerValue,
)
  .refine((headers) => Object.keys(headers).length <= 50, "must be at most 50")
  .refine((headers) => !Object.keys(headers).some((name) => ownHeaders.test(name)), {
    message: "must not contain a header that the service sets itself, such as Host or Content-Length",
  })
  .refine((headers) => new Set(namesOf(headers)).size === namesOf(headers).length, {
    message: "must not contain a header twice",
  });

export const namesOf = (headers: Record<string, string>) =>
  Object.keys(headers).map((name) => name.toLowerCase());

export const baseUrl = text(2000)
  .trim()
  .refine((address) => {
    if (!URL.canParse(address)) return false;
    const { protocol, username, password, search, hash } = new URL(address);
    return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
  }, "must be an http or https URL without user, password, query, or fragment");
