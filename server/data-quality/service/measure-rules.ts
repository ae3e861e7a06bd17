import { performance } from "node:perf_hooks";
import type { Session } from "../../data-sources/engines/engine.ts";
import { useSource } from "../../data-sources/service.ts";
import type { MeasurableRule, SqlEngine, Target } from "../compile.ts";
import { limits } from "../limits.ts";
import { executionFailed, isUnreachable, measureRule } from "../measure.ts";
import type { Verdict } from "../rules/rule.ts";
import { LeaseLost } from "./leases.ts";

export type MeasuredRule<Rule> = { rule: Rule; verdict: Verdict; executionTimeMs: number };

/**
 * Measures rules one after the other on one session. What goes wrong with a rule is that rule's verdict. When
 * its connection broke, the others get a new one; when there is none to be had, they fail with the reason.
 * `report` is told how many are done; LeaseLost from it ends the work.
 */
export async function measureRules<Rule extends MeasurableRule>(
  { dataSourceId, rules, ...target }: Target & { dataSourceId: number; rules: readonly Rule[] },
  report: (rulesDone: number) => Promise<void>,
): Promise<MeasuredRule<Rule>[]> {
  const measured: MeasuredRule<Rule>[] = [];
  let broke = false;
  while (measured.length < rules.length) {
    try {
      await useSource(dataSourceId, (engine, source) =>
        source.session(async (session) => {
          if (broke) await askForSignOfLife(session);
          broke = false;
          for (const rule of rules.slice(measured.length)) {
            const result = await measureAlone(session, engine, target, rule);
            measured.push(result);
            await report(measured.length);
            broke = result.broke;
            if (broke) return;
          }
        }),
      );
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      for (const rule of rules.slice(measured.length))
        measured.push({ rule, verdict: executionFailed(error), executionTimeMs: 0 });
    }
  }
  return measured;
}

/** Never rejects: whatever is thrown is the verdict. */
async function measureAlone<Rule extends MeasurableRule>(
  session: Session,
  engine: SqlEngine,
  { schemaName, tableName }: Target,
  rule: Rule,
) {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const verdict = await measureRule(session, engine, { schemaName, tableName }, rule);
    return { rule, verdict, executionTimeMs: elapsed(), broke: false };
  } catch (error) {
    return { rule, verdict: executionFailed(error), executionTimeMs: elapsed(), broke: isUnreachable(error) };
  }
}

/** Throws SourceError when the data source cannot be reached. */
async function askForSignOfLife(session: Session): Promise<void> {
  await session.read(
    { sql: "select 1", parameters: [] },
    { timeoutMs: limits.ruleTimeoutMs, maxRows: 1, maxBytes: 1024 },
  );
}
