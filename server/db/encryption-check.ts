import { eq } from "drizzle-orm";
import { CannotStart } from "../cannot-start.ts";
import { bytesOfKey, DecryptionError, decrypt, encrypt, type Reseal } from "../encryption.ts";
import { db, type Transaction } from "./client.ts";
import { installation } from "./tables.ts";

const known = "plumbline";
const bound = "installation:1";

/**
 * Whether ENCRYPTION_KEY is the one that this database's secrets were encrypted with: the first start leaves
 * a known text behind, which every later start opens. Throws CannotStart when it does not open.
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
    "ENCRYPTION_KEY is not the one that this database's secrets were encrypted with: set the former key",
  );
}

/** Whether this is the key that the known text was encrypted with. */
export function isOpenedBy(keyCheck: Uint8Array, key: string): boolean {
  try {
    return decrypt(keyCheck, bound, bytesOfKey(key)) === known;
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    return false;
  }
}

/** Puts the known text under another key, once it opens with the former one. */
export async function resealEncryptionCheck(tx: Transaction, reseal: Reseal): Promise<void> {
  const [row] = await tx.select().from(installation).where(eq(installation.id, 1)).for("update");
  if (!row) return;
  await tx
    .update(installation)
    .set({ keyCheck: reseal(row.keyCheck, bound) })
    .where(eq(installation.id, 1));
}
