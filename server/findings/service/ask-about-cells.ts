import type { SignedIn } from "../../auth/principal.ts";
import { getContractSource } from "../../data-quality/service/contract-sources.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { trimSample } from "../../data-sources/trim-sample.ts";
import { valueAt } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { findTable } from "../../profile/service/find-table.ts";
import { readClock, readTable } from "../../profile/service/read-table.ts";
import { limits } from "../limits.ts";
import type { TaughtTable, TeachQuestion } from "../schema.ts";
import { Lesson, maxQuestions, type Question } from "../teach/lesson.ts";
import type { RowHashes } from "../teach/taught-cell.ts";
import { detectApart } from "./detect-apart.ts";
import { listTaughtCells, rowHashesOf } from "./taught-cells.ts";

/** A table that was read to ask about it. */
type Prepared = { table: ObservedTable; lesson: Lesson; hashes: RowHashes };

/** The latest tables that were asked about, the one asked about last at the end: between two questions nothing is read. */
const prepared = new Map<string, { at: number; reading: Promise<Prepared> }>();

/**
 * The cell of a table whose answer tells the most about the others, after what was answered. Reads the table when it
 * was not asked about lately, beside no others. Throws not_found for a table that is not there, rejected for what is no
 * database, and what a data source that does not answer throws.
 */
export async function nextQuestion(ctx: SignedIn, asked: TaughtTable): Promise<TeachQuestion> {
  await getContractSource(ctx, asked.dataSourceId);
  const { table, lesson, hashes } = await preparedFor(ctx, asked);
  const kept = await listTaughtCells(asked.dataSourceId, asked);
  const answers = hashes.answersIn(kept);
  const next = kept.length < maxQuestions ? lesson.next(answers) : null;
  const likelihood = next ? lesson.likelihoodAt(next.column, next.row, lesson.after(answers)) : 0;
  return {
    answered: kept.length,
    maxQuestions,
    question: next && { ...shownRow(table, next), cell: hashes.cellOf(next), likelihood },
  };
}

function shownRow(table: ObservedTable, { column, row, reason }: Question) {
  const { columns } = table;
  const keyColumns = columns.flatMap(({ name, isPrimaryKey }) => (isPrimaryKey ? name : []));
  const rows = [columns.map((each) => valueAt(each, row))];
  const sample = trimSample({ columns: [...columns], rows }, { keyColumns, column, mode: "Masked" });
  return { ...sample, column, because: reason.because, alike: reason.rows.length };
}

function preparedFor(ctx: SignedIn, asked: TaughtTable): Promise<Prepared> {
  const key = JSON.stringify([asked.dataSourceId, asked.schemaName, asked.tableName]);
  const known = prepared.get(key);
  prepared.delete(key);
  const isFresh = known !== undefined && performance.now() - known.at < limits.teachMs;
  const entry = isFresh ? known : { at: performance.now(), reading: prepare(ctx, asked) };
  prepared.set(key, entry);
  for (const oldest of prepared.keys()) if (prepared.size > limits.teachTables) prepared.delete(oldest);
  entry.reading.catch(() => {
    if (prepared.get(key) === entry) prepared.delete(key);
  });
  return entry.reading;
}

async function prepare(ctx: SignedIn, asked: TaughtTable): Promise<Prepared> {
  try {
    const found = await findTable(ctx, asked.dataSourceId, asked);
    const read = <T>(work: Parameters<typeof useDatabase<T>>[1]) =>
      useDatabase(asked.dataSourceId, work, "person");
    const table = await read((dialect, source) =>
      source.session((session) => readTable(session, dialect, found)),
    );
    const now = await read((dialect, source) => source.session((session) => readClock(session, dialect)));
    const { reasons } = await detectApart({ tables: [table], now }, { explained: [table] });
    const lesson = new Lesson(table.rowCount, reasons.get(table) ?? []);
    return { table, lesson, hashes: rowHashesOf(table) };
  } catch (error) {
    throw asProblem(error);
  }
}
