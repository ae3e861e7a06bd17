import { asc, eq, isNotNull, or } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { Reseal } from "../db/encryption.ts";
import { destinationOf, signingSecretOf } from "./service/recipients.ts";
import { recipients } from "./tables.ts";

/**
 * Re-encrypts every webhook's signing secret, and every destination that is a secret. Returns how many there were; throws
 * DecryptionError.
 */
export async function resealRecipientSecrets(tx: Transaction, reseal: Reseal): Promise<number> {
  const rows = await tx
    .select({
      id: recipients.id,
      signingSecret: recipients.signingSecret,
      sealedDestination: recipients.sealedDestination,
    })
    .from(recipients)
    .where(or(isNotNull(recipients.signingSecret), isNotNull(recipients.sealedDestination)))
    .orderBy(asc(recipients.id))
    .for("update");
  for (const { id, signingSecret, sealedDestination } of rows)
    await tx
      .update(recipients)
      .set({
        signingSecret: signingSecret && reseal(signingSecret, signingSecretOf(id)),
        sealedDestination: sealedDestination && reseal(sealedDestination, destinationOf(id)),
      })
      .where(eq(recipients.id, id));
  return rows.length;
}
