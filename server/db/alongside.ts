import type { Transaction } from "./client.ts";

/**
 * Writes that a caller adds to the transaction in which a service creates or changes something, so that both happen
 * or neither. Called last, with the record's id. If it throws, everything is rolled back.
 */
export type Alongside = (tx: Transaction, id: number) => Promise<void>;
