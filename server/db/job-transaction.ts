import pLimit from "p-limit";
import { ifJobAfterRequests } from "../requests-first.ts";
import { workContext } from "../telemetry/work-context.ts";
import { isInTransaction } from "./ambient.ts";
import { db, poolSize, type Transaction } from "./client.ts";

/**
 * Jobs store in so many transactions at once. When everything goes wrong in the same minute, hundreds of them have something to
 * store, and what a person asks for would wait for a connection behind all of them.
 */
const atOnce = pLimit(Math.max(1, Math.floor(poolSize * 0.4)));

/**
 * A transaction that jobs as well as requests begin. A job's waits for its turn and while a request is being answered; a
 * request's begins at once.
 */
export async function jobTransaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  if (workContext()?.job === undefined || isInTransaction()) return db.transaction(work);
  return atOnce(async () => {
    await ifJobAfterRequests();
    return db.transaction(work);
  });
}
