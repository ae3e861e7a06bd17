import type { Transaction } from "../db/client.ts";
import { executionRows } from "./tables.ts";

/** Removes the hashes of rows that were kept: under a new key, every row would look new. The rows stay. */
export async function forgetRowHashes(tx: Transaction): Promise<void> {
  await tx.update(executionRows).set({ hashes: Buffer.alloc(0) });
}
