import { statSync } from "node:fs";
import { severities } from "./arguments.mjs";
import { write } from "./files.mjs";
import { scanMarkdown } from "./markdown.mjs";
import { sarifOfScan } from "./sarif.mjs";
import { junitOfScan } from "./scan-junit.mjs";
import { scanReportOf } from "./scan-report.mjs";
import { nameOf } from "./table-name.mjs";

/**
 * @typedef {import("./arguments.mjs").ScanCommand} ScanCommand
 * @typedef {{ schemaName: string, tableName: string }} TableName
 * @typedef {{
 *   columns: { name: string }[], rows: (string | number | boolean | null)[][], maskedColumns: string[],
 * }} Sample
 * @typedef {TableName & {
 *   id?: number, kind: string, columns: string[], confidence: number, severity: string, statement: string,
 *   failingRows: number, totalRows: number, sample: Sample | null,
 *   learned?: { accepted: number, dismissed: number, unlearned: number } | null,
 * }} Finding
 * @typedef {{
 *   findings: Finding[], rowsRead: number, tableCount: number, seconds: number, notes: string[],
 *   skipped: (TableName & { reason: string })[], lessSure?: number,
 *   tables?: (TableName & { rows: number, totalRows: number, isWhole: boolean, columnsLeftOut: number })[],
 * }} Scan The findings, worst first, and how much was read; `tables` if that is known for each.
 */

/**
 * Scans what the command names and prints the findings. Returns false if --fail-on applies to any.
 * @param {ScanCommand} command
 * @param {string} version
 */
export async function scan(command, version) {
  const progress = new ProgressLine(process.stderr);
  const startedAt = performance.now();
  /** @type {Omit<Scan, "seconds">} */
  let found;
  try {
    found = await findingsFor(command, progress);
  } finally {
    progress.clear();
  }
  const result = { ...found, seconds: (performance.now() - startedAt) / 1000 };
  if (result.tableCount === 0 && result.skipped.length > 0)
    throw new Error(
      result.skipped.map((each) => `${nameOf(each)} cannot be scanned: ${each.reason}`).join("\nplumbline: "),
    );
  const isBad = failing(result.findings, command.failOn);
  if (command.junit !== undefined)
    write(command.junit, junitOfScan(result, shownTarget(command), isBad, command.failOn !== undefined));
  const file = command.where === "file" ? command.target : undefined;
  if (command.sarif !== undefined) write(command.sarif, sarifOfScan(result, version, file));
  if (command.summary !== undefined) write(command.summary, scanMarkdown(result, shownTarget(command)));
  const { tableCount, ...shown } = result;
  process.stdout.write(
    command.json
      ? `${JSON.stringify({ ...shown, tableCount }, null, 2)}\n`
      : scanReportOf(result, shownTarget(command), lookOf(process.stdout)),
  );
  return isBad.size === 0;
}

/**
 * @param {ScanCommand} command
 * @param {ProgressLine} progress
 */
async function findingsFor(command, progress) {
  if (command.where === "service")
    return (await import("./scan-service.mjs")).scanByService(command, progress);
  if (command.where === "file") requireFile(command.target);
  return (await import("./scan-locally.mjs")).scanLocally(command, shownTarget(command), progress);
}

/** @param {string} file */
function requireFile(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Error(`${file} cannot be read (ENOENT)`);
}

/**
 * The findings that make the command exit with 1: those of at least this severity, or all if there are more than this
 * many.
 * @param {Finding[]} findings
 * @param {ScanCommand["failOn"]} failOn
 */
export function failing(findings, failOn) {
  if (failOn === undefined) return new Set();
  if (typeof failOn === "number") return new Set(findings.length > failOn ? findings : []);
  const min = severities.indexOf(failOn);
  const rank = (/** @type {Finding} */ { severity }) =>
    severities.indexOf(/** @type {any} */ (severity.toLowerCase()));
  return new Set(findings.filter((finding) => rank(finding) >= min));
}

/**
 * Without the password.
 * @param {ScanCommand} command
 */
function shownTarget({ target, where }) {
  if (where !== "database") return target;
  if (!URL.canParse(target)) return "The database";
  const { protocol, username, host, pathname } = new URL(target);
  return `${protocol}//${username && `${username}@`}${host}${pathname}`;
}

/**
 * How the output looks: colors only on a terminal whose user has not turned them off.
 * @param {NodeJS.WriteStream} stream
 */
export function lookOf(stream) {
  const isPlain = !stream.isTTY || Boolean(process.env.NO_COLOR) || process.env.TERM === "dumb";
  const columns = stream.columns ?? Number.parseInt(process.env.COLUMNS ?? "", 10);
  return { colors: !isPlain, width: columns > 0 ? Math.min(Math.max(columns, 40), 160) : 100 };
}

/** Shows the progress of a scan on a terminal. */
export class ProgressLine {
  #isShown = false;

  /** @param {NodeJS.WriteStream} stream */
  constructor(stream) {
    this.stream = stream;
  }

  /** @param {{ tablesDone: number, tablesTotal: number, rowsRead: number }} progress */
  show({ tablesDone, tablesTotal, rowsRead }) {
    if (!this.stream.isTTY) return;
    const tables = tablesTotal === 0 ? "" : `${tablesDone} of ${tablesTotal} tables, `;
    this.stream.write(`\r\u001b[KReading: ${tables}${rowsRead.toLocaleString("en")} rows`);
    this.#isShown = true;
  }

  clear() {
    if (this.#isShown) this.stream.write("\r\u001b[K");
  }
}
