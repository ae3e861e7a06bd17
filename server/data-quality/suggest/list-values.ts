import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { containsEmail, containsNumberOrKey, sensitivityOf } from "../../masking.ts";
import type { ColumnProfile, ListedValue, TableProfile } from "../../profile/table-profile.ts";
import { valuesSql } from "../rules/allowed-values.sql.ts";
import { sqlScope } from "../rules/rule-sql.ts";

/** More values than these are no list, nor are long ones; and each must come again so often. */
const most = { values: 30, characters: 100, columns: 20, statementMs: 5_000, bytes: 256 * 1024 };
const least = { values: 2, rows: 20, again: 5 };

/** Whether the values read so far are few, short, and come again and again. */
const looksListed = ({ name, kind, values, different, longest, references }: ColumnProfile): boolean =>
  kind === "text" &&
  sensitivityOf(name) === null &&
  references === undefined &&
  different !== null &&
  different >= least.values &&
  different <= most.values &&
  (longest ?? 0) <= most.characters &&
  values >= Math.max(least.rows, different * least.again);

/**
 * The same profile, with all values of the columns that hold a list, counted in the whole table. A column whose values
 * cannot be read in time has none. Throws SourceError "unreachable".
 */
export async function withLists(
  session: Session,
  dialect: Dialect,
  table: { schemaName: string; tableName: string },
  profile: TableProfile,
  timeLeft: () => number,
): Promise<TableProfile> {
  const listed = new Map<string, ListedValue[]>();
  for (const { name } of profile.columns.filter(looksListed).slice(0, most.columns)) {
    const timeoutMs = Math.ceil(Math.min(timeLeft(), most.statementMs));
    if (timeoutMs <= 0) break;
    const values = await readValues(session, dialect, table, name, timeoutMs);
    if (values) listed.set(name, values);
  }
  const columns = profile.columns.map((column) => {
    const values = listed.get(column.name);
    return values ? { ...column, listed: values } : column;
  });
  return { ...profile, columns };
}

/** null if there are too many or too few, one is personal or secret, or the server does not say in time. */
async function readValues(
  session: Session,
  dialect: Dialect,
  table: { schemaName: string; tableName: string },
  column: string,
  timeoutMs: number,
): Promise<ListedValue[] | null> {
  const { sql, parameters } = sqlScope(dialect, table);
  const maxRows = most.values + 1;
  try {
    const { rows } = await session.read(
      { sql: valuesSql(sql, column, maxRows), parameters, ownSql: true },
      { timeoutMs, maxRows, maxBytes: most.bytes },
    );
    if (rows.length < least.values || rows.length > most.values) return null;
    const listed = rows.map(([value, count]) => ({ value: String(value), rows: Number(count) }));
    return listed.some(({ value }) => containsEmail(value) || containsNumberOrKey(value)) ? null : listed;
  } catch (error) {
    if (!isSourceError(error) || error.kind === "unreachable") throw error;
    return null;
  }
}
