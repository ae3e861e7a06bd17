import { detailsOf } from "./report.mjs";
import { nameOf } from "./table-name.mjs";

/**
 * Results as SARIF 2.1.0, which code hosts show beside a file and in their list of alerts.
 * @typedef {{ rule: string, name: string, level: "error" | "warning" | "note", message: string, table: string, kind?: "pass" | "fail" }} Result
 */

/** @type {Record<string, "error" | "warning" | "note">} */
const levels = { critical: "error", high: "error", medium: "warning", low: "note" };

/**
 * @param {import("./report.mjs").Outcome[]} outcomes
 * @param {string} version
 * @param {string} [file] where the contracts are written, if they are in a file
 */
export function sarifOfContracts(outcomes, version, file) {
  const results = outcomes.flatMap(({ name, table, ruleResults }) =>
    ruleResults
      .filter(({ passed }) => !passed)
      .map((rule) => ({
        rule: rule.ruleType,
        name: `${name}: ${rule.ruleName}`,
        level: levels[rule.severity.toLowerCase()] ?? "warning",
        message: `${name}: ${rule.ruleName}: ${detailsOf(rule).join("; ")}`,
        table,
      })),
  );
  return document(results, version, file);
}

/**
 * @param {import("./scan.mjs").Scan} scan
 * @param {string} version
 * @param {string} [file] the scanned file, if it is one
 */
export function sarifOfScan({ findings }, version, file) {
  const results = findings.map((finding) => ({
    rule: finding.kind,
    name: [finding.kind, nameOf(finding), ...finding.columns].join(" "),
    level: levels[finding.severity.toLowerCase()] ?? "warning",
    message: `${nameOf(finding)}: ${finding.statement}`,
    table: nameOf(finding),
  }));
  return document(results, version, file);
}

/**
 * @param {Result[]} results
 * @param {string} version
 * @param {string} [file]
 */
function document(results, version, file) {
  const rules = [...new Set(results.map(({ rule }) => rule))];
  const run = {
    tool: {
      driver: {
        name: "Plumbline",
        version,
        rules: rules.map((id) => ({ id, shortDescription: { text: id } })),
      },
    },
    results: results.map(({ rule, name, level, message, table }) => ({
      ruleId: rule,
      ruleIndex: rules.indexOf(rule),
      level,
      message: { text: message },
      locations: [
        {
          // A host needs a file, and a table is none: its name stands in.
          physicalLocation: {
            artifactLocation: { uri: encodeURI((file ?? table).replaceAll("\\", "/")) },
            region: { startLine: 1 },
          },
          logicalLocations: [{ fullyQualifiedName: table, kind: "table" }],
        },
      ],
      // The same fault keeps its alert from run to run.
      partialFingerprints: { "plumbline/v1": name },
    })),
  };
  const schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, null, 2)}\n`;
}
