import { detailsOf } from "./report.mjs";
import { nameOf } from "./table-name.mjs";

/** Summaries in Markdown, for the page of a pipeline's run or a comment on a pull request. */

/** @param {import("./report.mjs").Outcome[]} outcomes */
export function contractsMarkdown(outcomes) {
  const rows = outcomes.map(
    ({ name, table, overallScore, failUnder, passed, passedCount, failedCount }) =>
      `| ${passed ? "✅ passed" : "❌ failed"} | ${cell(name)} | ${cell(table)} | ${overallScore} | ${failUnder} | ${passedCount} passed, ${failedCount} failed |`,
  );
  const failed = outcomes.flatMap(({ name, ruleResults }) =>
    ruleResults
      .filter((rule) => !rule.passed)
      .map(
        (rule) =>
          `| ${cell(name)} | ${cell(rule.ruleName)} | ${rule.severity} | ${cell(detailsOf(rule).join("; "))} |`,
      ),
  );
  return [
    "### Data contracts",
    "",
    "| | contract | table | score | at least | rules |",
    "|---|---|---|---|---|---|",
    ...rows,
    ...(failed.length > 0
      ? ["", "| contract | failed rule | severity | |", "|---|---|---|---|", ...failed]
      : []),
    "",
  ].join("\n");
}

/**
 * @param {import("./scan.mjs").Scan} scan
 * @param {string} target
 */
export function scanMarkdown({ findings, skipped, rowsRead }, target) {
  const rows = findings.map(
    (finding) =>
      `| ${finding.severity} | ${Math.floor(finding.confidence * 100)}% | ${cell(nameOf(finding))} | ${cell(finding.statement)} |`,
  );
  return [
    `### What looks wrong in ${cell(target)}`,
    "",
    ...(rows.length === 0
      ? [`Nothing, in ${rowsRead} rows.`]
      : ["| severity | sure | table | finding |", "|---|---|---|---|", ...rows]),
    ...skipped.map((each) => `\nNot read: ${cell(nameOf(each))}: ${cell(each.reason)}`),
    "",
  ].join("\n");
}

/**
 * @param {any[]} incidents
 * @param {string} url
 */
export function incidentsMarkdown(incidents, url) {
  const rows = incidents.map(
    ({ id, severity, state, title, openedAt }) =>
      `| [${id}](${url}/incidents/${id}) | ${severity} | ${state} | ${openedAt} | ${cell(title)} |`,
  );
  return [
    "### Current incidents",
    "",
    ...(rows.length === 0
      ? ["None."]
      : ["| | severity | state | since | |", "|---|---|---|---|---|", ...rows]),
    "",
  ].join("\n");
}

/**
 * Text of a database or a person in a cell: on one line, and none of it Markdown, HTML, or a mention.
 * @param {string} text
 */
export const cell = (text) =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\|`*_[\]@#~!]/g, (mark) => `&#${mark.charCodeAt(0)};`);
