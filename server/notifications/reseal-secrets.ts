import { asc, eq, isNotNull } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { Reseal } from "../db/encryption.ts";
import { signingSecretOf } from "./service/recipients.ts";
import { recipients } from "./tables.ts";

/** Re-encrypts every webhook's signing secret. Returns how many there were; throws DecryptionError. */
export async function resealSigningSecrets(tx: Transaction, reseal: Reseal): Promise<number> {
  const rows = await tx
    .select({ id: recipients.id, secret: recipients.signingSecret })
    .from(recipients)
    .where(isNotNull(recipients.signingSecret))
    .orderBy(asc(recipients.id))
    .for("update");
  for (const { id, secret } of rows)
    if (secret)
      await tx
        .update(recipients)
        .set({ signingSecret: reseal(secret, signingSecretOf(id)) })
        .where(eq(recipients.id, id));
  return rows.length;
}
