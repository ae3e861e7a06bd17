import { asc, eq } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { Reseal } from "../db/encryption.ts";
import { totpSecretOf } from "./service/factors-of-user.ts";
import { totpFactors } from "./tables.ts";

/** Re-encrypts the secret of every authenticator app. Returns how many there were; throws DecryptionError. */
export async function resealTotpSecrets(tx: Transaction, reseal: Reseal): Promise<number> {
  const rows = await tx.select().from(totpFactors).orderBy(asc(totpFactors.userId)).for("update");
  for (const { userId, secret } of rows)
    await tx
      .update(totpFactors)
      .set({ secret: reseal(secret, totpSecretOf(userId)) })
      .where(eq(totpFactors.userId, userId));
  return rows.length;
}
