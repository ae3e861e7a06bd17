import { detailsOf } from "./report.mjs";

/**
 * @typedef {import("./report.mjs").Outcome} Outcome
 * @typedef {import("./report.mjs").RuleResult} RuleResult
 */

/**
 * The results as JUnit XML: a suite per contract, a case per rule. A rule that could not run is an error; one that did
 * not pass is a failure.
 * @param {Outcome[]} outcomes
 */
export function junitOf(outcomes) {
  const suites = outcomes.map(suiteOf);
  const all = outcomes.flatMap(({ ruleResults }) => ruleResults);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="plumbline" ${countsOf(all)} time="${seconds(outcomes)}">
${suites.join("")}</testsuites>
`;
}

/** @param {Outcome} outcome */
function suiteOf(outcome) {
  const { name, table, overallScore, failUnder, evaluatedAt, ruleResults } = outcome;
  const properties = { score: overallScore, failUnder, table };
  return `  <testsuite name="${escaped(name)}" ${countsOf(ruleResults)} time="${seconds([outcome])}" timestamp="${escaped(evaluatedAt)}">
    <properties>
${Object.entries(properties)
  .map(([key, value]) => `      <property name="${key}" value="${escaped(String(value))}"/>\n`)
  .join("")}    </properties>
${ruleResults.map((rule) => caseOf(rule, name)).join("")}  </testsuite>
`;
}

/**
 * @param {RuleResult} rule
 * @param {string} contract
 */
function caseOf(rule, contract) {
  const head = `    <testcase name="${escaped(rule.ruleName)}" classname="${escaped(contract)}" time="${seconds([rule])}"`;
  if (rule.passed) return `${head}/>\n`;
  const element = isError(rule) ? "error" : "failure";
  const details = detailsOf(rule);
  return `${head}>
      <${element} message="${escaped(details.slice(1).join("; ") || "failed")}" type="${escaped(rule.ruleType)}">${escaped(details.join("\n"))}</${element}>
    </testcase>
`;
}

/** @param {RuleResult} rule */
const isError = ({ couldRun }) => couldRun === false;

/** @param {RuleResult[]} rules */
function countsOf(rules) {
  const errors = rules.filter(isError).length;
  const failed = rules.filter(({ passed }) => !passed).length;
  return `tests="${rules.length}" failures="${failed - errors}" errors="${errors}" skipped="0"`;
}

/** @param {{ executionTimeMs: number }[]} timed */
const seconds = (timed) =>
  (timed.reduce((sum, { executionTimeMs }) => sum + executionTimeMs, 0) / 1000).toFixed(3);

/** @type {Record<string, string>} */
const entities = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

/**
 * Escapes for text and attributes. What XML cannot represent at all, such as NUL, becomes a replacement character.
 * @param {string} text
 */
export function escaped(text) {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll(/[&<>"'\n\r\t]/g, (character) => entities[character] ?? character);
}
