import { z } from "zod";
import { identifier, momentOut, pageOf, paging, text } from "../db/schema-parts.ts";

/** Who did it: a person by session, key or token; the service itself; or somebody who has not signed in. */
export const principalKinds = ["User", "ApiKey", "Jwt", "System", "Anonymous"] as const;

export const auditEntrySchema = z
  .object({
    id: z.int().meta({
      description:
        "Unique among the entries; negative for an hour of a key's reading, which is no row of the log",
    }),
    at: momentOut,
    principal: z.object({
      kind: z.enum(principalKinds),
      id: identifier.nullable().meta({ description: "The user's id, or the key's" }),
      name: z.string(),
      userId: identifier.nullable().meta({ description: "The user to whom the key belongs" }),
    }),
    action: z.string().meta({ description: "As `dataQuality.createContract` or `session.signIn`" }),
    objectKind: z.string(),
    objectId: identifier.nullable(),
    detail: z.string().nullable(),
    address: z.string().nullable().meta({ description: "The address that the request came from" }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof auditEntrySchema>;

const moment = z.iso
  .datetime({ offset: true, message: "must be a date and time with its zone, as 2030-01-31T12:00:00Z" })
  .transform((moment) => new Date(moment))
  // With its zone taken off, a moment at either end may lie in a year that PostgreSQL does not write like ours.
  .refine((moment) => moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999, {
    message: "must lie between the years 1 and 9999",
  });

export const auditLogInput = z.strictObject({
  ...paging,
  principalKind: z.enum(principalKinds).optional(),
  principalId: identifier.optional(),
  action: text(200).optional(),
  objectKind: text(200).optional(),
  objectId: identifier.optional(),
  /** From this moment on, itself included. */
  from: moment.optional(),
  /** Up to this moment, itself not included, so that two periods that meet share no entry. */
  to: moment.optional(),
});
export type AuditFilter = z.output<typeof auditLogInput>;

export const auditLogSchema = pageOf(auditEntrySchema);

/** What the filters can choose from: whatever stands in the log. */
export const auditChoicesSchema = z.object({
  actions: z.array(z.string()),
  objectKinds: z.array(z.string()),
});
