import type { Check, Statement } from "../../data-sources/engines/engine.ts";

/**
 * What servers said of the statements of rules when they planned them, so that a rule is planned once for each of its
 * versions rather than each time. What has changed on a server since is noticed by running the statement, and changes no
 * verdict: a scan that fails is repeated rule by rule, and a rule that is answered by an index no longer only takes longer.
 */

const checks = new Map<string, { check: Check; until: number }>();
const maxKept = 20_000;
/** An index that is created or dropped is noticed after this many milliseconds. */
const keptMs = 60 * 60_000;

const keyOf = (dataSourceId: number, { sql, parameters }: Statement) =>
  JSON.stringify([dataSourceId, sql, parameters.map(String)]);

export async function rememberedCheck(
  dataSourceId: number,
  statement: Statement,
  ask: () => Promise<Check>,
): Promise<Check> {
  const key = keyOf(dataSourceId, statement);
  const kept = checks.get(key);
  if (kept && kept.until > performance.now()) return kept.check;
  const check = await ask();
  checks.delete(key);
  checks.set(key, { check, until: performance.now() + keptMs });
  for (const oldest of checks.keys()) {
    if (checks.size <= maxKept) break;
    checks.delete(oldest);
  }
  return check;
}

/** The next time, the server is asked again. */
export function forgetCheck(dataSourceId: number, statement: Statement): void {
  checks.delete(keyOf(dataSourceId, statement));
}
