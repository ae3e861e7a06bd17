import { call } from "./client.mjs";
import { keysOf } from "./keys.mjs";
import { plain } from "./report.mjs";
import { lookOf, ProgressLine } from "./scan.mjs";
import { cellText } from "./scan-report.mjs";
import { dataSourceNamed, openFindings, scanAgain, tablesNamed } from "./scan-service.mjs";
import { nameOf } from "./table-name.mjs";
import { cut, padded, widthOf, wrapped } from "./text-width.mjs";

/**
 * @typedef {import("./arguments.mjs").TeachCommand} TeachCommand
 * @typedef {import("./scan.mjs").Finding} Finding
 * @typedef {import("./scan-report.mjs").Look} Look
 * @typedef {import("./scan-service.mjs").Service} Service
 * @typedef {{
 *   column: string, cell: string, because: string, likelihood: number, alike: number,
 *   columns: { name: string }[], rows: (string | number | boolean | null)[][], maskedColumns: string[],
 * }} Question
 * @typedef {{ answered: number, maxQuestions: number, question: Question | null }} Asked
 */

/** @type {Record<string, "Right" | "Wrong" | "Unsure">} */
const verdicts = { r: "Right", w: "Wrong", u: "Unsure" };
const keys = "r right   w wrong   u unsure   z undo   q stop";
/** The maximum number of columns shown of a row. */
const maxColumns = 16;

/**
 * Asks about single cells of a table, one key each, then has the table scanned again and prints what the answers have
 * changed. Off a terminal, the keys are read from standard input.
 * @param {TeachCommand} command
 */
export async function teach(command) {
  const service = { url: command.url, key: command.key, deadline: Date.now() + command.timeoutMs };
  const { id: dataSourceId } = await dataSourceNamed(service, command.source);
  const table = onlyTable(await tablesNamed(service, dataSourceId, [command.table]), command.table);
  const look = lookOf(process.stdout);
  const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

  const before = await findingsOf(service, dataSourceId, table);
  say(
    `Are these cells of ${plain(nameOf(table))} right? Each answer counts for all cells in doubt for the same reason.\n`,
  );
  const changes = await ask(service, { dataSourceId, ...table }, look, say);
  if (changes === 0) return say("Nothing was answered.");

  const progress = new ProgressLine(process.stderr);
  try {
    await scanAgain(service, { dataSourceId, tables: [table] }, progress);
  } finally {
    progress.clear();
  }
  say(changedText(before, await findingsOf(service, dataSourceId, table), look));
}

/**
 * Asks until nothing is left to ask, or until the person stops. Returns how many keys changed something.
 * @param {Service} service
 * @param {{ dataSourceId: number, schemaName: string, tableName: string }} table
 * @param {Look} look
 * @param {(text: string) => void} say
 */
async function ask(service, table, look, say) {
  const path = "/data-quality/findings/teach";
  const query = new URLSearchParams({ ...table, dataSourceId: String(table.dataSourceId) });
  const input = keysOf(process.stdin);
  let changes = 0;
  try {
    for (;;) {
      const asked = /** @type {Asked} */ (await call(service, "GET", `${path}?${query}`));
      const { question, answered, maxQuestions } = asked;
      if (!question) {
        say(answered === 0 ? "Nothing in this table is worth asking about." : "No more questions.");
        return changes;
      }
      say(questionText(question, `${answered + 1} of at most ${maxQuestions}`, look));
      const key = await input.next(["r", "w", "u", "q", ...(answered > 0 ? ["z"] : [])]);
      if (key === null || key === "q") return changes;
      const verdict = verdicts[key];
      if (verdict) {
        const json = { ...table, column: question.column, cell: question.cell, verdict };
        await call(service, "POST", `${path}/answers`, { json });
      } else await call(service, "POST", `${path}/undo`, { json: table });
      say(`  ${verdict ?? "Undone"}\n`);
      changes += 1;
    }
  } finally {
    input.close();
  }
}

/**
 * @param {{ schemaName: string, tableName: string }[] | null} found
 * @param {string} name
 */
function onlyTable(found, name) {
  const [table, ...others] = found ?? [];
  if (!table) throw new Error(`There is no table ${name}`);
  if (others.length > 0) throw new Error(`There are several tables named ${name}: name the schema, too`);
  return table;
}

/**
 * @param {Service} service
 * @param {number} dataSourceId
 * @param {{ schemaName: string, tableName: string }} table
 * @returns {Promise<Finding[]>}
 */
const findingsOf = (service, dataSourceId, table) =>
  openFindings(service, String(new URLSearchParams({ ...table, dataSourceId: String(dataSourceId) })));

/**
 * @param {Question} question
 * @param {string} place
 * @param {Look} look
 */
function questionText({ column, because, likelihood, alike, columns, rows }, place, { width, colors }) {
  const bold = (/** @type {string} */ text) => (colors ? `\u001b[1m${text}\u001b[0m` : text);
  const at = columns.findIndex(({ name }) => name === column);
  const first = Math.max(0, Math.min(at - maxColumns + 2, columns.length - maxColumns));
  const shown = columns.slice(first, first + maxColumns);
  const head = Math.min(30, Math.max(...shown.map(({ name }) => widthOf(plain(name)))));
  const lines = shown.map(({ name }, index) => {
    const isAsked = first + index === at;
    const value = cellText(rows[0]?.[first + index] ?? null, isAsked, Math.max(10, width - head - 8));
    const line = `${isAsked ? ">" : " "} ${padded(cut(plain(name), head), head)}  ${value}`;
    return isAsked ? bold(line) : line;
  });
  const others = columns.length - shown.length;
  const like = alike > 1 ? `, like ${(alike - 1).toLocaleString("en")} more` : "";
  return [
    bold(`${place}: is this ${plain(column)} right?`),
    ...lines,
    ...(others > 0 ? [`  and ${others} more ${others === 1 ? "column" : "columns"}`] : []),
    ...wrapped(
      plain(
        `Asked because it ${because}${like}. Wrong with a likelihood of ${Math.round(likelihood * 100)} % so far.`,
      ),
      width,
    ),
    keys,
  ].join("\n");
}

/**
 * What the answers have changed in the table's findings.
 * @param {Finding[]} before
 * @param {Finding[]} after
 * @param {Look} look
 */
function changedText(before, after, { width }) {
  const known = new Map(before.map((finding) => [finding.id, finding]));
  const left = new Set(after.map(({ id }) => id));
  const sure = (/** @type {Finding} */ { confidence }) => `${Math.floor(confidence * 100)}% sure`;
  const lines = [
    ...after
      .filter(({ id }) => !known.has(id))
      .map((finding) => `New, ${sure(finding)}: ${finding.statement}`),
    ...after.flatMap((finding) => {
      const old = known.get(finding.id);
      if (!old || sure(old) === sure(finding)) return [];
      return [`${sure(finding)}, was ${sure(old)}: ${finding.statement}`];
    }),
    ...before.filter(({ id }) => !left.has(id)).map(({ statement }) => `No longer shown: ${statement}`),
  ];
  if (lines.length === 0) return "Your answers changed no finding.";
  return lines.flatMap((line) => wrapped(plain(line), width)).join("\n");
}
