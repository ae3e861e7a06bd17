import type { Transaction } from "../db/client.ts";
import { taughtCells } from "./tables.ts";

/** Removes all answers about cells: their hashes are keyed, so under a new key no cell would be found any more. */
export async function forgetTaughtCells(tx: Transaction): Promise<void> {
  await tx.delete(taughtCells);
}
