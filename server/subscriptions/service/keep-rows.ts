import { sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { derivedKey } from "../../db/encryption.ts";
import type { QueryResult } from "../../queries/service/run.ts";
import { log } from "../../telemetry/log.ts";
import { type KeptRows, keptRowsOf } from "../kept-rows.ts";
import { executionRows } from "../tables.ts";

/** The rows to keep of a result; null if there are none, or if they cannot be kept, which never fails the run. */
export function rowsToKeep({ execution }: Of, result: QueryResult): KeptRows | null {
  try {
    // Equal rows of two subscriptions have different hashes.
    return keptRowsOf(result, derivedKey(`rows of subscription ${execution.subscriptionId}`));
  } catch (err) {
    warn(execution.id, err);
    return null;
  }
}

type Of = { execution: { id: number; subscriptionId: number } };

export async function keepRows(
  tx: Transaction,
  all: readonly { executionId: number; kept: KeptRows }[],
): Promise<void> {
  if (all.length === 0) return;
  const rows = all.map(({ executionId, kept: { sample, hashes } }) => ({
    ...{ id: executionId, sample: JSON.stringify(sample), hashes: hashes.toString("hex") },
  }));
  try {
    await tx.execute(sql`
      insert into ${executionRows} (execution_id, sample, hashes)
      select id, sample::jsonb, decode(hashes, 'hex')
      from json_to_recordset(${JSON.stringify(rows)}::json) as given (id integer, sample text, hashes text)`);
  } catch (error) {
    throw new RowsNotKept("The rows were not kept", { cause: error });
  }
}

/** The transaction failed because of the rows. */
export class RowsNotKept extends Error {}

/** Runs the transaction, and once more without the rows if only they could not be stored. */
export async function withRowsIfPossible<T>(
  executionId: number,
  kept: KeptRows | null,
  store: (kept: KeptRows | null) => Promise<T>,
): Promise<T> {
  try {
    return await store(kept);
  } catch (error) {
    if (!(error instanceof RowsNotKept)) throw error;
    warn(executionId, error.cause);
    return store(null);
  }
}

const warn = (execution: number, err: unknown) =>
  log.warn({ err, execution }, "The rows of an execution could not be kept");
