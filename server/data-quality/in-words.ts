import type { Evaluation, GroupResults } from "./evaluations/schema.ts";
import { ruleSentence } from "./rules/rule-sentence.ts";
import type { Contract } from "./schema.ts";

/** Contracts and evaluations in a few lines of text, for text-only readers. */

const maxShown = 100;

type Summary = Pick<
  Contract,
  "id" | "name" | "dataSourceName" | "schemaName" | "tableName" | "measured" | "outage" | "enabled"
>;

export function contractsInWords(contracts: readonly Summary[]): string {
  if (contracts.length === 0) return "No contracts.";
  const more = contracts.length > maxShown ? [`and ${contracts.length - maxShown} more`] : [];
  return [...contracts.slice(0, maxShown).map(summary), ...more].join("\n");
}

function summary({ id, name, dataSourceName, schemaName, tableName, measured, outage, enabled }: Summary) {
  const score = outage
    ? `could not be evaluated since ${outage.since} (${outage.reason}); ${measured ? `last measured score ${measured.score}` : "never measured"}`
    : measured
      ? `score ${measured.score}, ${measured.trend}`
      : "never evaluated";
  return `${id}: ${name} (${dataSourceName}, ${schemaName}.${tableName}): ${score}${enabled ? "" : ", disabled"}`;
}

export function contractInWords(contract: Contract): string {
  const rules = contract.rules.map((rule) => `- ${rule.name} (${rule.type}): ${ruleSentence(rule)}`);
  const schedule = `${contract.cronExpression} ${contract.timezone}, threshold ${contract.failureThreshold}`;
  return [summary(contract), schedule, ...rules].join("\n");
}

export function evaluationsInWords(evaluations: readonly Evaluation[]): string {
  return evaluations.length === 0
    ? "Never evaluated."
    : evaluations.slice(0, maxShown).map(evaluationInWords).join("\n");
}

/** The worst few of them. */
function groupsInWords({ columns, worst }: GroupResults): string | null {
  const named = worst.slice(0, 3).map(({ values, actualValue }) => {
    const key = columns.map(({ name }, place) => `${name} ${values[place] ?? "NULL"}`).join(", ");
    return `${key} (${actualValue ?? "–"})`;
  });
  return named.length === 0 ? null : `worst: ${named.join("; ")}`;
}

/** Its figures, and the reason for each failed rule. */
export function evaluationInWords(evaluation: Evaluation): string {
  const { id, status, progress, overallScore, passedCount, failedCount, evaluatedAt, ruleResults } =
    evaluation;
  if (evaluation.notEvaluatedBecause !== null)
    return `${id} at ${evaluatedAt}: could not be evaluated: ${evaluation.notEvaluatedBecause}`;
  if (status === "Running")
    return `Evaluation ${id} is in progress: ${progress.done} of ${progress.total} rules`;
  const failed = ruleResults
    .filter(({ passed }) => !passed)
    .map(({ ruleName, score, expectedValue, actualValue, message, groups }) => {
      const values = [
        expectedValue && `expected ${expectedValue}`,
        actualValue && `found ${actualValue}`,
        message,
        groups && groupsInWords(groups),
      ];
      return `  - failed: ${[`${ruleName}, score ${score}`, ...values].filter(Boolean).join("; ")}`;
    });
  const known = ruleResults
    .filter(({ passed, knownFailures }) => passed && knownFailures.length > 0)
    .map(({ ruleName, message }) => `  - known: ${ruleName}; ${message ?? ""}`);
  const head = `${id} at ${evaluatedAt}: score ${overallScore}, ${passedCount} passed, ${failedCount} failed`;
  return [head, ...failed, ...known].join("\n");
}
