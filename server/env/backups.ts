import { z } from "zod";
import type { Refuse, Values } from "./values.ts";

/** How backups are encrypted. */
export const backupSettings = {
  BACKUP_PASSPHRASE: z
    .string()
    .min(12, "must have at least 12 characters")
    .optional()
    .describe("Encrypts backups, and decrypts them for a restore. Only those two commands use it."),
  BACKUP_RECIPIENTS: z
    .string()
    .regex(/^age1[0-9a-z]+(,\s*age1[0-9a-z]+)*$/, "must be recipients of age (age1…), separated by commas")
    .transform((text) => text.split(",").map((each) => each.trim()))
    .optional()
    .describe(
      "Instead of BACKUP_PASSPHRASE: encrypts backups for these recipients of age, whose private keys need not be on this machine.",
    ),
  BACKUP_IDENTITY_FILE: z
    .string()
    .optional()
    .describe("A file with the private key of one of these recipients, for a restore."),
};

/** Refuses two ways to encrypt. */
export function checkBackups(s: Values<typeof backupSettings>, refuse: Refuse): void {
  if (s.BACKUP_PASSPHRASE && s.BACKUP_RECIPIENTS)
    refuse("BACKUP_PASSPHRASE", "and BACKUP_RECIPIENTS are mutually exclusive: set one");
}
