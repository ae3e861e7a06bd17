import { figure, plural } from "../text.ts";
import { learnedWords } from "./learned-words.ts";
import type { Finding, FindingScan, TeachQuestion } from "./schema.ts";

/** Findings and scans in a few lines, for whoever reads text alone. */

type Page = { items: readonly Finding[]; page: number; pageSize: number; totalCount: number };

export function findingsInWords({ items, page, pageSize, totalCount }: Page): string {
  if (totalCount === 0) return "No findings. Only scans find them: see scan_data_source.";
  if (items.length === 0) return `There is no page ${page}: there are ${plural(totalCount, "finding")}.`;
  const first = page * pageSize + 1;
  const isPart = items.length < totalCount;
  return [
    ...(isPart ? [`${first} to ${first + items.length - 1} of ${plural(totalCount, "finding")}:`] : []),
    ...items.map(findingInWords),
  ].join("\n");
}

function findingInWords(finding: Finding) {
  const { id, severity, confidence, status, schemaName, tableName, statement } = finding;
  const state = status === "Open" ? "" : `, ${status}`;
  const learned = learnedWords(finding);
  const note = learned === null ? "" : ` (${learned})`;
  return `${id} (${severity}, ${percent(confidence)} sure${state}) ${schemaName}.${tableName}: ${statement}${note}`;
}

const percent = (share: number) => `${Math.floor(share * 100)}%`;

/** How far a scan has come, and what comes next. */
export function scanInWords(scan: FindingScan): string {
  const { id, status, tablesDone, tablesTotal, rowsRead, skipped, notes, error, dataSourceId } = scan;
  const read = `${figure(tablesDone)} of ${plural(tablesTotal, "table")}, ${plural(rowsRead, "row")} read`;
  const left = skipped.map(
    ({ schemaName, tableName, reason }) => `- skipped ${schemaName}.${tableName}: ${reason}`,
  );
  const next = {
    Running: `Scan ${id} is in progress: ${read}. Call scan_data_source again to wait for it.`,
    Completed: `Scan ${id} is completed: ${read}. list_findings with datasource_id ${dataSourceId} says what it found.`,
    Failed: `Scan ${id} failed: ${error}. ${read}.`,
    Stopped: `Scan ${id} was stopped by someone. ${read}. list_findings with datasource_id ${dataSourceId} says what it had found.`,
  };
  return [next[status], ...notes.map((note) => `- ${note}`), ...left].join("\n");
}

/** Whether a cell is right, with its row: the cell in doubt first. */
export function questionInWords({ question, answered, maxQuestions }: TeachQuestion): string {
  const end = "scan_data_source judges the findings of the table by the answers.";
  if (question === null)
    return answered >= maxQuestions
      ? `All ${plural(answered, "question")} have been answered. ${end}`
      : `Nothing more is worth asking, after ${plural(answered, "answer")}. ${end}`;
  const { column, columns, rows, because, alike, likelihood, cell } = question;
  const [row = []] = rows;
  const written = columns.map(({ name }, index) => `${name}: ${row[index] ?? "NULL"}`);
  const others = alike > 1 ? `, like ${figure(alike - 1)} more` : "";
  return [
    `Question ${answered + 1} of at most ${maxQuestions}: is this ${column} right? ${written.join("; ")}`,
    `Asked because it ${because}${others}. It is wrong with a likelihood of ${percent(likelihood)}. Answer with column ${column} and cell ${cell}.`,
  ].join("\n");
}
