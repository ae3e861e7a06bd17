import { z } from "zod";
import { flag } from "./values.ts";

/** What the audit log has, and where it is sent. */
export const auditLogSettings = {
  AUDIT_READS: flag
    .default(false)
    .describe(
      "on|off: the audit log also has what people read: one entry per person, procedure, object, and hour.",
    ),
  AUDIT_EXPORT_URL: z
    .url({
      protocol: /^(https?|syslog\+(tls|tcp))$/,
      message: "must be an https, http, syslog+tls, or syslog+tcp address",
    })
    .refine((address) => URL.canParse(address) && new URL(address).hostname !== "", "must name a host")
    .refine(
      (address) => URL.canParse(address) && !new URL(address).username && !new URL(address).password,
      "must be without user and password",
    )
    .optional()
    .describe(
      "Where the audit log is sent as it grows, each minute: JSON lines by POST to an https address, or syslog (RFC 5424) to syslog+tls://host:6514 or syslog+tcp://host:601.",
    ),
  AUDIT_EXPORT_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)?$/, "must be a token, or a scheme and a token")
    .optional()
    .describe("Sent to an https address as a bearer token, or with its own scheme, such as Splunk 0123."),
};
