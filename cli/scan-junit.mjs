import { escaped } from "./junit.mjs";
import { rowsInWords } from "./scan-report.mjs";
import { nameOf } from "./table-name.mjs";

/**
 * @typedef {import("./scan.mjs").Scan} Scan
 * @typedef {import("./scan.mjs").Finding} Finding
 */

/**
 * A scan as JUnit XML: a suite per table, a case per finding. A finding is a failure, or skipped if --fail-on does not
 * include it. A table that could not be read is an error, and one without findings passes.
 * @param {Scan} scan
 * @param {string} target
 * @param {ReadonlySet<Finding>} failing
 * @param {boolean} isLimited whether --fail-on was given
 */
export function junitOfScan({ findings, skipped, tables, seconds }, target, failing, isLimited) {
  /** @type {Map<string, string[]>} */
  const suites = new Map((tables ?? []).map((table) => [nameOf(table), []]));
  const add = (/** @type {string} */ table, /** @type {string} */ text) =>
    suites.set(table, [...(suites.get(table) ?? []), text]);
  let [failures, skips] = [0, 0];
  for (const finding of findings) {
    const isFailure = !isLimited || failing.has(finding);
    if (isFailure) failures++;
    else skips++;
    add(nameOf(finding), caseOf(finding, isFailure));
  }
  for (const each of skipped)
    add(
      nameOf(each),
      `    <testcase name="can be read" classname="${escaped(nameOf(each))}"><error message="${escaped(each.reason)}"/></testcase>\n`,
    );
  if (suites.size === 0) suites.set(target, []);
  let tests = 0;
  const texts = [...suites].map(([name, cases]) => {
    const all =
      cases.length > 0
        ? cases
        : [`    <testcase name="nothing looks wrong" classname="${escaped(name)}"/>\n`];
    tests += all.length;
    const count = (/** @type {string} */ element) => all.filter((text) => text.includes(element)).length;
    return `  <testsuite name="${escaped(name)}" tests="${all.length}" failures="${count("<failure")}" errors="${count("<error")}" skipped="${count("<skipped")}">\n${all.join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="plumbline scan ${escaped(target)}" tests="${tests}" failures="${failures}" errors="${skipped.length}" skipped="${skips}" time="${seconds.toFixed(3)}">
${texts.join("")}</testsuites>
`;
}

/**
 * @param {Finding} finding
 * @param {boolean} isFailure
 */
function caseOf(finding, isFailure) {
  const { kind, columns, statement, severity, confidence } = finding;
  const name = [kind, columns.join(", ")].filter(Boolean).join(": ");
  const head = `    <testcase name="${escaped(name)}" classname="${escaped(nameOf(finding))}">`;
  if (!isFailure) return `${head}<skipped message="${escaped(`${severity}: ${statement}`)}"/></testcase>\n`;
  const details = `${statement}\n${severity}, ${Math.floor(confidence * 100)}% sure\n${rowsInWords(finding)}`;
  return `${head}
      <failure message="${escaped(statement)}" type="${escaped(kind)}">${escaped(details)}</failure>
    </testcase>
`;
}
