import { eq } from "drizzle-orm";
import { CannotStart } from "../errors.ts";
import { db, type Transaction } from "./client.ts";
import { DecryptionError, decrypt, encrypt, type Reseal, secretKey } from "./encryption.ts";
import { installation } from "./tables.ts";

const known = "plumbline";
const bound = "installation:1";

/**
 * Verifies that ENCRYPTION_KEY is the key of this database's secrets, by decrypting a known text stored on first
 * start. Throws CannotStart.
 */
export async function verifyEncryptionKey(): Promise<void> {
  await db
    .insert(installation)
    .values({ id: 1, keyCheck: encrypt(known, bound) })
    .onConflictDoNothing();
  const [row] = await db.select().from(installation).where(eq(installation.id, 1));
  try {
    if (row && decrypt(row.keyCheck, bound) === known) return;
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
  }
  throw new CannotStart(
    "this database's secrets were encrypted with a different ENCRYPTION_KEY: set the previous key",
  );
}

/** Whether the known text was encrypted with this key. */
export function isOpenedBy(keyCheck: Uint8Array, key: string): boolean {
  try {
    return decrypt(keyCheck, bound, secretKey(key)) === known;
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    return false;
  }
}

/** Re-encrypts the known text with a new key. Returns whether that was not its key before. Throws DecryptionError. */
export async function resealEncryptionCheck(
  tx: Transaction,
  reseal: Reseal,
  newKey: string,
): Promise<boolean> {
  const [row] = await tx.select().from(installation).where(eq(installation.id, 1)).for("update");
  if (!row || isOpenedBy(row.keyCheck, newKey)) return false;
  await tx
    .update(installation)
    .set({ keyCheck: reseal(row.keyCheck, bound) })
    .where(eq(installation.id, 1));
  return true;
}
