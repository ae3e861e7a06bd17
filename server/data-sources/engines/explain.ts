import type { CheckLimits, Limits, ResultSet, Statement } from "./engine.ts";

/** Asks the server for the plan of one statement; `how` is the engine's EXPLAIN prefix. */
export type Explain = (how: string) => Promise<ResultSet>;

const planLimits = { maxRows: 100, maxBytes: 1024 * 1024 };

/**
 * Shared by all engines with EXPLAIN; each engine's `plan.ts` has the prefix and reads the output. The statement has
 * passed the gates. Its parameters are included, since they affect planning.
 */
export const explaining =
  (
    { sql, parameters }: Statement,
    { timeoutMs }: CheckLimits,
    read: (explained: Statement, limits: Limits) => Promise<ResultSet>,
  ): Explain =>
  (how) =>
    read({ sql: `${how} ${sql}`, parameters }, { ...planLimits, timeoutMs });
