import { eq } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { Reseal } from "../db/encryption.ts";
import { signingKeyOf } from "./service/seal-chain.ts";
import { auditChainState } from "./tables.ts";

/** Re-encrypts the key that signs the audit log's chain; its signatures stay valid. Throws DecryptionError. */
export async function resealAuditKey(tx: Transaction, reseal: Reseal): Promise<void> {
  const [state] = await tx.select().from(auditChainState).for("update");
  if (!state) return;
  await tx
    .update(auditChainState)
    .set({ signingKey: reseal(state.signingKey, signingKeyOf) })
    .where(eq(auditChainState.id, 1));
}
