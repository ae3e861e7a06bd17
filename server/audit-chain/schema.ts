import { z } from "zod";
import { momentOut } from "../db/schema-parts.ts";

/** What was noted elsewhere of the chain's end, such as by a SIEM: it must still be there. */
export const verifyAuditInput = z.strictObject({
  position: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits")
    .optional(),
});
export type VerifyAuditInput = z.output<typeof verifyAuditInput>;

export const auditProblemKinds = ["Removed", "Changed", "Added", "Broken", "NotSigned", "Shortened"] as const;

export const auditVerificationSchema = z
  .object({
    ok: z.boolean().meta({ description: "Whether nothing was found" }),
    links: z.int().meta({ description: "The number of links that were checked" }),
    waiting: z.int().meta({ description: "Entries that will be in the chain within a minute" }),
    problemCount: z.int(),
    problems: z
      .array(
        z.object({
          kind: z.enum(auditProblemKinds).meta({
            description:
              "Removed, Changed: an entry. Added: an entry that is not in the chain. Broken: a link that does not fit the one before. NotSigned: by the service's key. Shortened: the given end is not there",
          }),
          entryId: z.int().nullable(),
          at: momentOut.nullable().meta({ description: "When the entry was added" }),
          action: z
            .string()
            .nullable()
            .meta({ description: "What the entry is about, if it is still there" }),
          position: z.int().nullable().meta({ description: "In the chain" }),
        }),
      )
      .meta({ description: "The first 100" }),
    end: z
      .object({ position: z.int(), hash: z.string() })
      .meta({ description: "The chain's end: note it elsewhere, and send it to a later verification" }),
    from: momentOut.nullable().meta({ description: "The time of the oldest entry that was checked" }),
    to: momentOut.nullable().meta({ description: "The time of the newest" }),
    startedAt: momentOut.nullable().meta({
      description: "When the chain was begun: later than expected, if it was removed and begun anew",
    }),
    removedBefore: momentOut.nullable().meta({ description: "Older entries have been removed by age" }),
    publicKey: z.string().nullable().meta({ description: "The Ed25519 key of the signatures, as PEM" }),
    exported: z
      .object({
        position: z.int().meta({ description: "The last link that the receiver accepted" }),
        behind: z.int().meta({ description: "Links that are still to be sent" }),
        at: momentOut.nullable(),
        lastError: z.string().nullable(),
      })
      .nullable()
      .meta({ description: "How far the log was exported; null if it never was" }),
  })
  .meta({ id: "AuditVerification" });
export type AuditVerification = z.input<typeof auditVerificationSchema>;
export type AuditProblem = AuditVerification["problems"][number];
