/**
 * @typedef {{
 *   ruleName: string, ruleType: string, severity: string, weight: number, passed: boolean, couldRun: boolean, score: number,
 *   expectedValue: string | null, actualValue: string | null, message: string | null, executionTimeMs: number,
 *   samples?: { columns: { name: string }[], rows: (string | number | boolean | null)[][] } | null,
 * }} RuleResult
 * @typedef {{
 *   contractId?: number, evaluationId?: number, name: string, table: string, overallScore: number,
 *   failUnder: number, passed: boolean, passedCount: number, failedCount: number, executionTimeMs: number,
 *   evaluatedAt: string, ruleResults: RuleResult[],
 * }} Outcome
 */

/**
 * The results, for people who read a log.
 * @param {Outcome[]} outcomes
 */
export function reportOf(outcomes) {
  return outcomes.map(contractText).join("");
}

/** @param {Outcome} outcome */
function contractText({ name, table, overallScore, failUnder, passed, ruleResults }) {
  const head = `${plain(name)} (${plain(table)}): ${overallScore}, ${passed ? "at least" : "below"} ${failUnder}`;
  return [head, ...ruleResults.map(ruleText), ""].join("\n");
}

/** @param {RuleResult} rule */
function ruleText(rule) {
  if (rule.passed) return `  passed  ${plain(rule.ruleName)}`;
  const head = `  FAILED  ${plain(rule.ruleName)}: ${plain(detailsOf(rule).join("; "))}`;
  return [head, ...rowLines(rule)].join("\n");
}

const maxRows = 5;

/**
 * The first failing rows, if they are known.
 * @param {RuleResult} rule
 */
function rowLines({ samples }) {
  if (!samples) return [];
  const { columns, rows } = samples;
  return rows.slice(0, maxRows).map((row) => {
    const cells = row.map((cell, index) => `${columns[index]?.name}: ${cell === null ? "NULL" : cell}`);
    return `            ${plain(cells.join(", "))}`;
  });
}

/**
 * Why a rule failed, in short parts.
 * @param {RuleResult} rule
 */
export function detailsOf({ score, expectedValue, actualValue, message }) {
  return [
    `score ${score}`,
    ...(expectedValue === null ? [] : [`expected ${expectedValue}`]),
    ...(actualValue === null ? [] : [`found ${actualValue}`]),
    ...(message === null ? [] : [message]),
  ];
}

/**
 * On one line, without characters that a terminal would interpret.
 * @param {string} text
 */
export const plain = (text) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
