import { isSourceError, type ResultSet, type Session } from "../../data-sources/engines/engine.ts";
import { sampleSize } from "../../data-sources/trim-sample.ts";
import { log } from "../../telemetry/log.ts";
import type { Condition } from "../condition.ts";
import { countSql, rowsSql, type SqlTable } from "../condition-sql.ts";
import {
  countedAnswer,
  countedRowsSql,
  type Doubted,
  isOfOneRow,
  sharedAnswer,
  sharedCountSql,
  sharedRowsSql,
} from "../count-together-sql.ts";
import { limits } from "../limits.ts";

/** The rows of a condition in the whole table; `rows` are some of them, null where they could not be had. */
export type Counted = { count: number; rows: Doubted["rows"] | null };

/** `countMs`: for a statement; by default, those that share a look have several times as long as one alone. */
type Wanted = { countMs?: number | undefined; withRows: boolean };

/**
 * Counts the rows of each condition where the data is, and fetches some of them if wanted. All that is decided row by
 * row shares one look at the table; where that fails, such as for one condition that the server refuses, each is a
 * statement of its own. null where the server refuses it or takes too long. Throws SourceError when it cannot be
 * reached.
 */
export async function countDoubted(
  session: Session,
  table: SqlTable,
  conditions: readonly Condition[],
  wanted: Wanted,
): Promise<(Counted | null)[]> {
  const counted: (Counted | null)[] = conditions.map(() => null);
  const sharing = [...conditions.keys()].filter((place) => isOfOneRow(conditions[place] as Condition));
  const shared = await countTogether(
    session,
    table,
    sharing.map((place) => conditions[place] as Condition),
    wanted,
  );
  for (const [index, place] of sharing.entries()) counted[place] = shared?.[index] ?? null;
  for (const [place, condition] of conditions.entries())
    if (shared === null || !isOfOneRow(condition))
      counted[place] = await countAlone(session, table, condition, wanted);
  return counted;
}

/** null where the conditions have to be counted one by one. */
async function countTogether(
  session: Session,
  table: SqlTable,
  conditions: readonly Condition[],
  { countMs, withRows }: Wanted,
): Promise<Counted[] | null> {
  if (conditions.length === 0) return [];
  const sql = withRows
    ? sharedRowsSql(table, conditions, sampleSize.rows)
    : sharedCountSql(table, conditions);
  const timeoutMs = countMs ?? limits.countMs * Math.min(conditions.length, limits.sharedCounts);
  const answer = await orNull(table, () =>
    session.read(
      { sql, parameters: [], ownSql: true },
      { timeoutMs, maxRows: limits.sharedRows, maxBytes: limits.sharedBytes },
    ),
  );
  return answer === null || answer.truncated ? null : sharedAnswer(answer, conditions.length);
}

async function countAlone(
  session: Session,
  table: SqlTable,
  condition: Condition,
  { countMs = limits.countMs, withRows }: Wanted,
): Promise<Counted | null> {
  const read = (sql: string, timeoutMs: number, maxRows: number) =>
    orNull(table, () =>
      session.read(
        { sql, parameters: [], ownSql: true },
        { timeoutMs, maxRows, maxBytes: limits.sampleBytes },
      ),
    );
  const rowsWith = (answer: ResultSet | null) =>
    answer !== null && (answer.rows.length > 0 || !answer.truncated) ? answer : null;
  if (withRows) {
    const answer = rowsWith(
      await read(countedRowsSql(table, condition, sampleSize.rows), countMs, sampleSize.rows),
    );
    if (answer) return countedAnswer(answer);
  }
  const count = await countRowsOf(session, table, condition, countMs);
  if (count === null) return null;
  if (!withRows || count === 0) return { count, rows: null };
  const some = await read(rowsSql(table, condition, sampleSize.rows), limits.sampleMs, sampleSize.rows);
  return { count, rows: some };
}

/** How many rows a condition holds for; null where the server refuses it or takes too long. */
export async function countRowsOf(
  session: Session,
  table: SqlTable,
  condition: Condition,
  timeoutMs = limits.countMs,
): Promise<number | null> {
  const statement = { sql: countSql(table, condition), parameters: [], answersOneRow: true, ownSql: true };
  const answer = await orNull(table, () =>
    session.read(statement, { timeoutMs, maxRows: 1, maxBytes: 1024 }),
  );
  return answer === null ? null : Number(answer.rows[0]?.[0] ?? 0);
}

/** null for what the server refuses or cannot do in time. */
async function orNull(table: SqlTable, read: () => Promise<ResultSet>): Promise<ResultSet | null> {
  try {
    return await read();
  } catch (err) {
    if (!isSourceError(err) || err.kind === "unreachable") throw err;
    log.info({ err, table: table.tableName }, "The rows of a finding could not be counted");
    return null;
  }
}
