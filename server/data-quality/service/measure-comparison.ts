import { performance } from "node:perf_hooks";
import type { SampleMode } from "../../data-sources/sample.ts";
import { useSource } from "../../data-sources/service/connected-sources.ts";
import { findDatabase } from "../../data-sources/service/find-database.ts";
import type { Priority } from "../../data-sources/slots.ts";
import { compareTables } from "../compare/compare-tables.ts";
import { CannotCompare, type Side, SideFailed } from "../compare/sides.ts";
import type { MeasurableRule, Target } from "../compile.ts";
import { executionFailed, isUnreachable } from "../measure-rule.ts";
import { compare } from "../rules/compare.ts";
import { optionsSchema, splitConfiguration } from "../rules/rule-options.ts";
import { couldNotRun } from "../rules/verdict.ts";
import type { MeasuredRule } from "./measurement-queue.ts";

/**
 * Measures one rule that compares the table with another one. Connections of both data sources are borrowed for a
 * statement at a time, by the priority of the evaluation. Only this table's data source can make it unreachable.
 */
export async function measureComparison<Rule extends MeasurableRule>(
  rule: Rule,
  { dataSourceId, ...target }: Target & { dataSourceId: number },
  {
    priority,
    samples,
    compareTimeoutMs,
  }: { priority: Priority; samples: SampleMode; compareTimeoutMs: number },
): Promise<MeasuredRule<Rule>> {
  const startedAt = performance.now();
  const finished = (result: Omit<MeasuredRule<Rule>, "rule" | "executionTimeMs">): MeasuredRule<Rule> => ({
    rule,
    ...result,
    executionTimeMs: Math.round(performance.now() - startedAt),
  });
  try {
    const { own, options: written } = splitConfiguration(compare, rule.configuration);
    const configuration = compare.configuration.parse(own);
    const options = optionsSchema.parse(written);
    const otherId = configuration.otherDataSourceId ?? dataSourceId;
    const [here, there] = await Promise.all([findDatabase(dataSourceId), findDatabase(otherId)]);
    if (!here || !there) {
      const which = there ? "data source" : "other data source";
      return finished({
        verdict: couldNotRun(`the ${which} does not exist, or is no database`),
        unreachableBecause: null,
      });
    }
    const sideOf = (name: Side["name"], id: number, source: typeof here, table: Target): Side => ({
      ...{ name, dialect: source.dialect, target: table, where: options.where },
      read: (statement, size) =>
        useSource(id, (_, lent) => lent.session((session) => session.read(statement, size)), priority),
    });
    const other = {
      schemaName:
        configuration.otherSchema ?? (otherId === dataSourceId ? target.schemaName : there.defaultSchema),
      tableName: configuration.otherTable,
    };
    const verdict = await compareTables({
      sides: [
        sideOf("this table", dataSourceId, here, target),
        sideOf("the other table", otherId, there, other),
      ],
      ...{ configuration, options, samples },
      otherName: `${other.schemaName}.${other.tableName}${otherId === dataSourceId ? "" : ` in ${there.name}`}`,
      timeoutMs: compareTimeoutMs,
    });
    return finished({ verdict, unreachableBecause: null });
  } catch (error) {
    const cause = error instanceof SideFailed ? error.cause : error;
    return finished({
      verdict: cause instanceof CannotCompare ? couldNotRun(cause.message) : executionFailed(cause),
      unreachableBecause: isUnreachable(cause) ? cause.message : null,
    });
  }
}
