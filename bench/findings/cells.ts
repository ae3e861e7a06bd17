import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { findingsIn } from "../../server/findings/find.ts";
import type { Judged } from "../../server/findings/merge.ts";
import { type CorpusTable, columnsOf, observedDatabase } from "./corpus.ts";
import { taughtCells } from "./taught.ts";

export type CellScore = {
  detected: number;
  hits: number;
  precision: number;
  recall: number;
  f1: number;
  /** The number of cells per column that are wrong, detected, and both. */
  byColumn: readonly { column: string; wrong: number; detected: number; hits: number }[];
};

export type DataSetScore = {
  name: string;
  cells: number;
  wrong: number;
  /** Without any answer. */
  untaught: CellScore;
  /** After the questions of Teach were answered from the clean copy, and how many these were. */
  taught: CellScore & { questions: number };
};

/** All subfolders with a `dirty.csv` and a `clean.csv` that have the same rows in the same order. */
export const dataSetsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

/**
 * Scores a published data set, cell by cell. Detected cells are the rows of each finding shown, in the columns that it
 * names. Everything is text; empty is NULL. Throws Error if dirty and clean differ in shape.
 */
export function cellScoreOf(folder: string, name: string, threshold: number): DataSetScore {
  const [header = [], ...dirty] = recordsOf(join(folder, name, "dirty.csv"));
  const [cleanHeader = [], ...clean] = recordsOf(join(folder, name, "clean.csv"));
  if (dirty.length !== clean.length || header.length !== cleanHeader.length)
    throw new Error(`${name}: dirty.csv and clean.csv differ in their rows or columns`);
  const table: CorpusTable = {
    name,
    columns: columnsOf(Object.fromEntries(header.map((column) => [column, "text"]))),
    rows: dirty.map((record) => header.map((_, index) => record[index] || null)),
  };
  const database = observedDatabase({ name, now: Date.now(), tables: [table] });
  const [observed] = database.tables;
  if (!observed) throw new Error(`${name} has no table`);
  const isWrong = (column: string, row: number) => {
    const index = header.indexOf(column);
    return (dirty[row]?.[index] ?? "") !== (clean[row]?.[index] ?? "");
  };
  const wrongIn = (column: string) => dirty.filter((_, row) => isWrong(column, row)).length;
  const wrong = header.reduce((sum, column) => sum + wrongIn(column), 0);
  const scoreOf = (cells: ReadonlyMap<string, ReadonlySet<number>>): CellScore => {
    const byColumn = header.map((column) => {
      const rows = [...(cells.get(column) ?? [])];
      const hits = rows.filter((row) => isWrong(column, row)).length;
      return { column, wrong: wrongIn(column), detected: rows.length, hits };
    });
    const sum = (key: "detected" | "hits") => byColumn.reduce((all, column) => all + column[key], 0);
    const [detected, hits] = [sum("detected"), sum("hits")];
    const [precision, recall] = [detected === 0 ? 0 : hits / detected, wrong === 0 ? 0 : hits / wrong];
    const f1 = hits === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    return { detected, hits, precision, recall, f1, byColumn };
  };
  const { answers, cells } = taughtCells(observed, database.now, { threshold, isWrong });
  return {
    name,
    cells: dirty.length * header.length,
    wrong,
    untaught: scoreOf(detectedCells(findingsIn(database), header, threshold)),
    taught: { ...scoreOf(cells), questions: answers.length },
  };
}

const recordsOf = (file: string): string[][] =>
  parse(readFileSync(file, "utf8"), { bom: true, relax_column_count: true, relax_quotes: true });

function detectedCells(
  findings: readonly Judged[],
  header: readonly string[],
  threshold: number,
): Map<string, Set<number>> {
  const cells = new Map(header.map((column) => [column, new Set<number>()]));
  for (const { candidate, confidence } of findings) {
    if (confidence < threshold) continue;
    for (const column of candidate.columns) for (const row of candidate.rows) cells.get(column)?.add(row);
  }
  return cells;
}
