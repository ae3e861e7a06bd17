import { z } from "zod";
import { identifier, momentOut, pageOf, paging, text } from "../db/schema-parts.ts";
import { principalKinds } from "./principal-kinds.ts";

export const auditEntrySchema = z
  .object({
    id: z.int().meta({
      description: "Unique. Negative for a key's reads in an hour, which are not stored as a row",
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
    address: z.string().nullable().meta({ description: "The address of the caller" }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof auditEntrySchema>;

const moment = z.iso
  .datetime({ offset: true, message: "must be a date and time with a zone, such as 2030-01-31T12:00:00Z" })
  .transform((moment) => new Date(moment))
  // Converted to UTC, the first or last moments may fall into a year that PostgreSQL formats differently.
  .refine((moment) => moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999, {
    message: "must be between the years 1 and 9999",
  });

export const auditLogInput = z.strictObject({
  ...paging,
  principalKind: z.enum(principalKinds).optional(),
  principalId: identifier.optional(),
  action: text(200).optional(),
  objectKind: text(200).optional(),
  objectId: identifier.optional(),
  /** Start, inclusive. */
  from: moment.optional(),
  /** End, exclusive, so that adjacent periods share no entry. */
  to: moment.optional(),
});
export type AuditFilter = z.output<typeof auditLogInput>;

export const auditLogSchema = pageOf(auditEntrySchema);

/** The filter options: values that occur in the log. */
export const auditChoicesSchema = z.object({
  actions: z.array(z.string()),
  objectKinds: z.array(z.string()),
});
