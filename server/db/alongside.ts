import type { Transaction } from "./client.ts";

/**
 * What a caller has written in the very transaction in which a service makes or changes a thing: both are there, or
 * neither. It is called last, with the thing's id; what it throws undoes the thing.
 */
export type Alongside = (tx: Transaction, id: number) => Promise<void>;
