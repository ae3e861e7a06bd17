import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Limits, type Session } from "../../data-sources/engines/engine.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { arrivalColumns, arrivalLimits, arrivalSql, arrivalsOf } from "../arrivals.ts";
import type { ColumnFacts } from "../observed-column.ts";
import {
  newestSql,
  profileOf,
  profileSql,
  rowsToRead,
  sampled,
  spreadOverOf,
  textSql,
} from "../profile-sql.ts";
import type { Arrivals, ColumnProfile, TableProfile } from "../table-profile.ts";
import { columnsOf, countRows, type TableToRead } from "./read-table.ts";

/**
 * Time limits for a scan, a count, and a query of a column's times, in milliseconds; and the maximum number of tables.
 * Tests shorten the times.
 */
export const profileLimits = { scanMs: 15_000, countMs: 10_000, newestMs: 5_000, tables: 30 };

/** An unambiguous key for a table. */
export const tableKey = (schemaName: string, tableName: string): string =>
  JSON.stringify([schemaName, tableName]);

/**
 * Profiles tables until the time is up, in the given order, one at a time and at scheduled priority. Reads no text
 * values. Compared with a suggestion's profile it adds the row count of a large table, its newest times, and when rows
 * arrived recently. A table that fails or takes too long is left out. Throws SourceError "unreachable", not_found for
 * the data source, and rejected for one that does not run SQL; the caller checks access.
 */
export async function profileTables(
  dataSourceId: number,
  tables: readonly TableToRead[],
  { totalMs }: { totalMs: number },
): Promise<Map<string, TableProfile>> {
  const deadline = performance.now() + totalMs;
  const timeLeft = () => Math.floor(deadline - performance.now());
  const profiles = new Map<string, TableProfile>();
  for (const table of tables.slice(0, profileLimits.tables)) {
    if (timeLeft() <= 0) break;
    // One session per table, so that others get a turn in between.
    const profile = await useDatabase(
      dataSourceId,
      (dialect, source) =>
        source.session((session) => orNull(profileTable(session, dialect, table, timeLeft))),
      "schedule",
    );
    if (profile) profiles.set(tableKey(table.schemaName, table.tableName), profile);
  }
  return profiles;
}

type TimeLeft = () => number;

async function profileTable(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  timeLeft: TimeLeft,
): Promise<TableProfile | null> {
  if (timeLeft() <= 0) return null;
  const patience = (most: number) => Math.max(1, Math.min(most, timeLeft()));
  const profile = await readProfile(session, dialect, table, {
    texts: false,
    scanMs: patience(profileLimits.scanMs),
  });
  const whole = profile.isWhole ? profile : await completed(session, dialect, table, profile, patience);
  return { ...whole, columns: await withArrivals(session, dialect, table, whole.columns, patience) };
}

type Patience = (most: number) => number;

/** What a sample of a large table cannot show: the row count, and the newest value of each time column. */
async function completed(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  profile: TableProfile,
  patience: Patience,
): Promise<TableProfile> {
  const totalRows = await countRows(session, dialect, table, patience(profileLimits.countMs));
  const columns: ColumnProfile[] = [];
  for (const column of profile.columns)
    columns.push(
      column.newest === null
        ? column
        : { ...column, ...(await readNewest(session, dialect, table, column, patience)) },
    );
  return { ...profile, totalRows, columns };
}

async function readNewest(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  { name }: ColumnFacts,
  patience: Patience,
) {
  const answer = await orNull(
    session.read(
      { sql: newestSql(dialect, table, name), parameters: [], answersOneRow: true, ownSql: true },
      within(patience(profileLimits.newestMs), { maxRows: 1, maxBytes: 1024 }),
    ),
  );
  const [newest = null, age = null] = answer?.rows[0] ?? [];
  // The newest value of a sample says nothing about the data's age.
  return {
    newest: newest === null ? null : String(newest),
    ageSeconds: age === null ? null : Number(age),
  };
}

async function withArrivals(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  columns: readonly ColumnProfile[],
  patience: Patience,
): Promise<ColumnProfile[]> {
  const arrivals = new Map<string, Arrivals | null>();
  for (const { name } of arrivalColumns(columns)) {
    const answer = await orNull(
      session.read(
        { sql: arrivalSql(dialect, table, name), parameters: [], ownSql: true },
        within(patience(profileLimits.newestMs), arrivalLimits),
      ),
    );
    if (answer) arrivals.set(name, arrivalsOf(answer.rows));
  }
  return columns.map((column) => {
    const found = arrivals.get(column.name);
    return found === undefined ? column : { ...column, arrivals: found };
  });
}

/** null if the server rejects the statement or times out. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isSourceError(error) && error.kind !== "unreachable") return null;
    throw error;
  }
}

/** One scan of a table, sampled if large, with some of its texts on request. Throws SourceError. */
export async function readProfile(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  { texts: wantsTexts = true, scanMs = profileLimits.scanMs } = {},
): Promise<TableProfile> {
  const columns = columnsOf(dialect, table);
  const maxRows = rowsToRead(columns.length);
  const texts = wantsTexts ? columns.filter(({ kind }) => kind === "text") : [];
  const read = async (spreadOver: number | null) => {
    const scan = {
      sql: profileSql(dialect, table, columns, { maxRows, spreadOver }),
      parameters: [],
      answersOneRow: true,
      ownSql: true,
    };
    const answer = await session.read(scan, within(scanMs, { maxRows: 1, maxBytes: 1024 * 1024 }));
    const samples = texts.length === 0 ? [] : await readTexts(session, dialect, table, texts, spreadOver);
    const samplesOf = ({ name }: ColumnFacts) => samples[texts.findIndex((text) => text.name === name)] ?? [];
    return profileOf(answer, columns, { maxRows, spreadOver, samplesOf });
  };
  const spreadOver = spreadOverOf(dialect, table, maxRows);
  if (spreadOver === null) return read(null);
  try {
    const profile = await read(spreadOver);
    if (profile.rows > 0) return profile;
  } catch (error) {
    // Some tables cannot be sampled, such as foreign ones.
    if (!isSourceError(error) || error.kind !== "statement") throw error;
  }
  return read(null);
}

/** Some texts of each column; none for a column in which any was truncated, since its end is unknown. */
async function readTexts(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  texts: readonly ColumnFacts[],
  spreadOver: number | null,
) {
  const { rows } = await session.read(
    { sql: textSql(dialect, table, texts, { spreadOver }), parameters: [], ownSql: true },
    within(profileLimits.scanMs, { maxRows: sampled.rows, maxBytes: 8 * 1024 * 1024 }),
  );
  return texts.map((_, index) => {
    const values = rows.flatMap((row) => (typeof row[index] === "string" ? row[index] : []));
    const step = Math.ceil(values.length / sampled.values);
    return values.some((value) => value.length >= sampled.length)
      ? []
      : values.filter((_, position) => position % step === 0);
  });
}

const within = (timeoutMs: number, size: Omit<Limits, "timeoutMs">): Limits => ({ timeoutMs, ...size });
