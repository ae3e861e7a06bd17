import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from "@duckdb/node-api";
import type { Cell, Limits, ResultSet, Statement } from "../engine.ts";
import { sizeOf } from "../row-size.ts";
import { rowsInMessage } from "./batch.ts";
import { Refusal, RowTooLarge } from "./read-failures.ts";
import { cellOf, typeNameOf } from "./values.ts";

/** One statement that only reads, with its values. Throws Refusal, or DuckDB's own errors. */
export async function prepareRead(
  connection: DuckDBConnection,
  { sql, parameters }: Pick<Statement, "sql" | "parameters">,
): Promise<DuckDBPreparedStatement> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new Refusal("Only one statement is allowed");
  const prepared = await statements.prepare(0);
  if (prepared.statementType !== StatementType.SELECT && prepared.statementType !== StatementType.EXPLAIN)
    throw new Refusal("Only read statements are allowed");
  parameters.forEach((value, index) => {
    const position = index + 1;
    if (value === null) prepared.bindNull(position);
    else if (typeof value === "boolean") prepared.bindBoolean(position, value);
    else if (typeof value === "string") prepared.bindVarchar(position, value);
    else if (Number.isSafeInteger(value)) prepared.bindBigInt(position, BigInt(value));
    else prepared.bindDouble(position, value);
  });
  return prepared;
}

/**
 * Runs it within the limits, and passes the rows on as they come. The rest of the result is returned. With `isStrict`, a
 * row that alone exceeds the limit on bytes is an error where no result could be kept without it.
 */
export async function readPrepared(
  prepared: DuckDBPreparedStatement,
  { maxRows, maxBytes, countAll = false }: Limits,
  { pass, isStrict = false }: { pass: (rows: Cell[][]) => void; isStrict?: boolean },
): Promise<Omit<ResultSet, "rows">> {
  const result = await prepared.stream();
  const types = result.columnTypes();
  const columns = result.columnNames().map((name, index) => ({ name, type: typeNameOf(types[index]) }));

  let kept: Cell[][] = [];
  let keptCount = 0;
  let count = 0;
  let bytes = 0;
  let truncated = false;
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    count += chunk.rowCount;
    for (let index = 0; index < chunk.rowCount && !truncated; index++) {
      truncated = keptCount >= maxRows;
      if (truncated) break;
      const row = chunk.getRowValues(index).map((value, column) => cellOf(value, types[column]));
      const size = sizeOf(row);
      if (isStrict && size > maxBytes && (keptCount === 0 || countAll)) throw new RowTooLarge();
      bytes += size;
      truncated = bytes > maxBytes;
      if (truncated) break;
      kept.push(row);
      keptCount++;
      if (kept.length < rowsInMessage) continue;
      pass(kept);
      kept = [];
    }
    if (truncated && !countAll) break;
  }
  pass(kept);
  return { columns, truncated, rowCount: truncated && countAll ? count : keptCount };
}
