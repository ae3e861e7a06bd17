import { plain } from "./report.mjs";
import { nameOf } from "./table-name.mjs";
import { cut, padded, widthOf, wrapped } from "./text-width.mjs";

/**
 * @typedef {import("./scan.mjs").Scan} Scan
 * @typedef {import("./scan.mjs").Finding} Finding
 * @typedef {{ colors: boolean, width: number }} Look
 */

/** The maximum number of rows per finding, and of characters per value. */
const max = { rows: 3, cell: 28 };

/** @type {Record<string, string>} */
const colors = { Critical: "1;31", High: "1;31", Medium: "33", Low: "36" };

/**
 * The findings of a scan, for people: by table, worst first, each with some of its rows, in which suspicious cells are
 * in brackets; then how much was read and what was skipped.
 * @param {Scan} scan
 * @param {string} target
 * @param {Look} look
 */
export function scanReportOf(scan, target, look) {
  const paint = (/** @type {string} */ code, /** @type {string} */ text) =>
    look.colors && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  const byTable = groupedByTable(scan.findings);
  const blocks = [...byTable].map(([name, findings]) =>
    [
      `${paint("1", plain(name))}: ${plural(findings.length, "finding")} in ${plural(findings[0]?.totalRows ?? 0, "row")}`,
      "",
      ...findings.flatMap((finding) => [...findingLines(finding, look, paint), ""]),
    ].join("\n"),
  );
  return `${[...blocks, ...summaryOf(scan, target, look, paint)].join("\n")}\n`;
}

/** @param {Finding[]} findings */
function groupedByTable(findings) {
  /** @type {Map<string, Finding[]>} */
  const tables = new Map();
  for (const finding of findings) {
    const name = nameOf(finding);
    tables.set(name, [...(tables.get(name) ?? []), finding]);
  }
  return tables;
}

/**
 * @param {Finding} finding
 * @param {Look} look
 * @param {(code: string, text: string) => string} paint
 */
function findingLines(finding, look, paint) {
  const { severity, confidence, statement } = finding;
  const indent = 22;
  const head = `  ${paint(colors[severity] ?? "1", padded(severity, 8))} ${padded(`${Math.floor(confidence * 100)}% sure`, 9)}  `;
  const [first = "", ...more] = wrapped(plain(statement), look.width - indent);
  return [
    head + first,
    ...more.map((line) => " ".repeat(indent) + line),
    ...learnedLines(finding, look.width - indent).map((line) => " ".repeat(indent) + line),
    ...rowLines(finding, look.width - indent, paint).map((line) => " ".repeat(indent) + line),
  ];
}

/**
 * How feedback on similar findings has changed the confidence; nothing without a service, which keeps the feedback.
 * @param {Finding} finding
 * @param {number} width
 */
function learnedLines({ confidence, learned }, width) {
  if (!learned || learned.unlearned === confidence) return [];
  const isLower = confidence < learned.unlearned;
  const count = isLower ? learned.dismissed : learned.accepted;
  const answered = `${count === 1 ? "was" : "were"} ${isLower ? "dismissed" : "accepted"}`;
  return wrapped(`Shown ${isLower ? "lower" : "higher"}: ${figure(count)} like it ${answered}`, width);
}

/**
 * The first failing rows as a table: as many columns as fit, suspicious ones first.
 * @param {Finding} finding
 * @param {number} width
 * @param {(code: string, text: string) => string} paint
 */
function rowLines({ sample, columns, failingRows }, width, paint) {
  if (!sample || sample.rows.length === 0) return [];
  const rows = sample.rows.slice(0, max.rows);
  const isDoubted = sample.columns.map(({ name }) => columns.includes(name));
  // If the whole row is suspicious, marking each of its cells says nothing.
  const isMarked = isDoubted.some((each) => !each) ? isDoubted : isDoubted.map(() => false);
  const shown = sample.columns.map(({ name }, index) => {
    const cells = rows.map((row) => cellText(row[index] ?? null, isMarked[index] ?? false));
    const head = cut(plain(name), max.cell);
    return { head, cells, isMarked: isMarked[index], width: Math.max(...[head, ...cells].map(widthOf)) };
  });
  let left = width;
  const fitting = shown.filter((column, index) => {
    left -= column.width + 2;
    return index === 0 || left >= 0;
  });
  const line = (/** @type {(column: typeof shown[number]) => string} */ text) =>
    fitting
      .map((column) => text(column))
      .join("  ")
      .trimEnd();
  const others = failingRows - rows.length;
  return [
    paint(
      "2",
      line(({ head, width: own }) => padded(head, own)),
    ),
    ...rows.map((_, row) =>
      line(({ cells, isMarked: marked, width: own }) => {
        const text = padded(cells[row] ?? "", own);
        return marked ? paint("1;31", text) : text;
      }),
    ),
    ...(others > 0 ? [paint("2", `and ${plural(others, "more row", "more rows")}`)] : []),
  ];
}

/**
 * A value on one line. Quoted if it is empty, or starts or ends with a blank.
 * @param {string | number | boolean | null} cell
 * @param {boolean} isMarked
 * @param {number} [width] of the value, in characters
 */
export function cellText(cell, isMarked, width = max.cell) {
  const text = cell === null ? "NULL" : String(cell);
  const isVisible = text !== "" && text.trim() === text;
  const short = cut(plain(isVisible ? text : JSON.stringify(text)), width);
  return isMarked ? `[${short}]` : short;
}

/**
 * The rows of a finding, for a log.
 * @param {Finding} finding
 */
export const rowsInWords = (finding) => rowLines(finding, 200, (_, text) => text).join("\n");

/**
 * @param {Scan} scan
 * @param {string} target
 * @param {Look} look
 * @param {(code: string, text: string) => string} paint
 */
function summaryOf(
  { findings, rowsRead, tableCount, seconds, notes, skipped, tables = [], lessSure = 0 },
  target,
  look,
  paint,
) {
  const found = findings.length === 0 ? "nothing looks wrong" : plural(findings.length, "finding");
  const read = `Read ${plural(rowsRead, "row")} of ${plural(tableCount, "table")} in ${seconds.toFixed(1)} s: `;
  const parts = tables.flatMap((table) => [
    ...(table.isWhole
      ? []
      : [`${nameOf(table)} was read in part: ${figure(table.rows)} of ${plural(table.totalRows, "row")}.`]),
    ...(table.columnsLeftOut > 0
      ? [
          `${nameOf(table)} has more columns than are read: the last ${figure(table.columnsLeftOut)} were left out.`,
        ]
      : []),
  ]);
  const rest = [
    ...parts,
    ...notes.map((note) => `${target}: ${note}`),
    ...skipped.map((each) => `Skipped ${nameOf(each)}: ${each.reason}`),
    ...(lessSure > 0
      ? [
          `${plural(lessSure, "more finding is", "more findings are")} less sure: --min-confidence 0.3 shows all.`,
        ]
      : []),
  ];
  return [
    read + paint(findings.length === 0 ? "32" : "1", found),
    ...rest.flatMap((text) => wrapped(plain(text), look.width)),
  ];
}

const figure = (/** @type {number} */ count) => count.toLocaleString("en");

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
const plural = (count, one, many = `${one}s`) => `${figure(count)} ${count === 1 ? one : many}`;
