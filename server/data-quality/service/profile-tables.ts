import {
  type Dialect,
  type Engine,
  isSourceError,
  type Limits,
  type Session,
} from "../../data-sources/engines/engine.ts";
import type { DatabaseSchema } from "../../data-sources/schema.ts";
import { useSource } from "../../data-sources/service.ts";
import { Problem } from "../../errors.ts";
import { compileRule } from "../compile.ts";
import { type Arrivals, arrivalColumns, arrivalLimits, arrivalSql, arrivalsOf } from "../suggest/arrivals.ts";
import {
  type ColumnProfile,
  canSpread,
  newestSql,
  type ProfileTarget,
  profileOf,
  profileSql,
  rowsToRead,
  sampled,
  sortOf,
  type TableColumn,
  type TableProfile,
  textSql,
} from "../suggest/profile.ts";

/**
 * One scan, one count, and one look at a column's times, in milliseconds; and how much is looked at. Tests shorten
 * the times.
 */
export const profileLimits = { scanMs: 15_000, countMs: 10_000, newestMs: 5_000, columns: 200, tables: 30 };

export type TableToProfile = { schemaName: string } & Pick<
  DatabaseSchema["items"][number]["tables"][number],
  "tableName" | "kind" | "rowEstimate" | "columns"
>;

/** One text for a table, whatever its names are made of. */
export const tableKey = (schemaName: string, tableName: string): string =>
  JSON.stringify([schemaName, tableName]);

/**
 * Profiles as many tables as there is time for, in the order given, one after another and as scheduled work. No
 * values of texts are read. What is counted beyond a suggestion's profile: the rows of a large table, the newest of its
 * times, and when rows came lately. A table that fails or takes too long is left out. Throws SourceError
 * "unreachable", not_found for the data source and rejected for one that does not speak SQL; whether the caller may
 * see it is the caller's business.
 */
export async function profileTables(
  dataSourceId: number,
  tables: readonly TableToProfile[],
  { totalMs }: { totalMs: number },
): Promise<Map<string, TableProfile>> {
  const deadline = performance.now() + totalMs;
  const timeLeft = () => Math.floor(deadline - performance.now());
  const profiles = new Map<string, TableProfile>();
  for (const table of tables.slice(0, profileLimits.tables)) {
    if (timeLeft() <= 0) break;
    // A session each, so that others are let in between two tables.
    const profile = await useSource(
      dataSourceId,
      (engine, source) => {
        if (!speaksSql(engine)) throw new Problem("rejected", "Only tables of a database can be profiled");
        return source.session((session) => orNull(profileTable(session, engine, table, timeLeft)));
      },
      "schedule",
    );
    if (profile) profiles.set(tableKey(table.schemaName, table.tableName), profile);
  }
  return profiles;
}

const speaksSql = (engine: Engine): engine is Engine & { dialect: Dialect } => engine.dialect !== null;

type TimeLeft = () => number;

async function profileTable(
  session: Session,
  engine: ProfileTarget["engine"],
  { schemaName, tableName, rowEstimate, kind, columns }: TableToProfile,
  timeLeft: TimeLeft,
): Promise<TableProfile | null> {
  if (timeLeft() <= 0) return null;
  const target = { engine, schemaName, tableName, rowEstimate, isTable: kind === "Table" };
  const read = columns.slice(0, profileLimits.columns);
  const patience = (most: number) => Math.max(1, Math.min(most, timeLeft()));
  const profile = await readProfile(session, target, read, {
    texts: false,
    scanMs: patience(profileLimits.scanMs),
  });
  const whole = profile.isWhole ? profile : await completed(session, target, profile, patience);
  return { ...whole, columns: await withArrivals(session, target, whole.columns, patience) };
}

type Patience = (most: number) => number;

/** What a part of a large table does not tell: how many rows there are, and the newest of its times. */
async function completed(
  session: Session,
  target: ProfileTarget,
  profile: TableProfile,
  patience: Patience,
): Promise<TableProfile> {
  const totalRows = await countRows(session, target, patience(profileLimits.countMs));
  const columns: ColumnProfile[] = [];
  for (const column of profile.columns)
    columns.push(
      column.newest === null
        ? column
        : { ...column, ...(await readNewest(session, target, column, patience)) },
    );
  return { ...profile, totalRows, columns };
}

async function readNewest(
  session: Session,
  target: ProfileTarget,
  { name }: TableColumn,
  patience: Patience,
) {
  const answer = await orNull(
    session.read(
      { sql: newestSql(target, name), parameters: [], answersOneRow: true, ownSql: true },
      within(patience(profileLimits.newestMs), { maxRows: 1, maxBytes: 1024 }),
    ),
  );
  const [newest = null, age = null] = answer?.rows[0] ?? [];
  // Of some rows only the newest says nothing about how old the data is.
  return {
    newest: newest === null ? null : String(newest),
    ageSeconds: age === null ? null : Number(age),
  };
}

async function withArrivals(
  session: Session,
  target: ProfileTarget,
  columns: readonly ColumnProfile[],
  patience: Patience,
): Promise<ColumnProfile[]> {
  const arrivals = new Map<string, Arrivals | null>();
  for (const { name } of arrivalColumns(columns)) {
    const answer = await orNull(
      session.read(
        { sql: arrivalSql(target, name), parameters: [], ownSql: true },
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

/** null for what the server refuses or cannot do in time. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isSourceError(error) && error.kind !== "unreachable") return null;
    throw error;
  }
}

/**
 * One scan of a table, a large one in part, with some of its texts unless they are not wanted. Throws SourceError.
 */
export async function readProfile(
  session: Session,
  target: ProfileTarget,
  columns: readonly TableColumn[],
  { texts: wantsTexts = true, scanMs = profileLimits.scanMs } = {},
): Promise<TableProfile> {
  const { dialect } = target.engine;
  const maxRows = rowsToRead(columns.length);
  const texts = wantsTexts ? columns.filter(({ type }) => sortOf(type, dialect) === "text") : [];
  const read = async (spread: boolean) => {
    const scan = {
      sql: profileSql(target, columns, maxRows, spread),
      parameters: [],
      answersOneRow: true,
      ownSql: true,
    };
    const answer = await session.read(scan, within(scanMs, { maxRows: 1, maxBytes: 1024 * 1024 }));
    const samples = texts.length === 0 ? [] : await readTexts(session, target, texts, spread);
    const samplesOf = ({ name }: TableColumn) => samples[texts.findIndex((text) => text.name === name)] ?? [];
    return profileOf(answer, columns, dialect, { maxRows, spread, samplesOf });
  };
  if (!canSpread(target, maxRows)) return read(false);
  try {
    const profile = await read(true);
    if (profile.rows > 0) return profile;
  } catch (error) {
    // Not every table can be read in random parts: a foreign one cannot.
    if (!isSourceError(error) || error.kind !== "statement") throw error;
  }
  return read(false);
}

/** Some texts of each column. Where they were cut they say nothing about their end, so none is answered. */
async function readTexts(
  session: Session,
  target: ProfileTarget,
  texts: readonly TableColumn[],
  spread: boolean,
) {
  const { rows } = await session.read(
    { sql: textSql(target, texts, spread), parameters: [], ownSql: true },
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

/** null when that would take too long. */
export async function countRows(
  session: Session,
  target: ProfileTarget,
  timeoutMs: number,
): Promise<number | null> {
  const rule = { type: "Volume", configuration: { minRows: 0 } } as const;
  try {
    const { statement } = compileRule(rule, target, target.engine);
    const { rows } = await session.read(statement, within(timeoutMs, { maxRows: 1, maxBytes: 1024 }));
    return Number(rows[0]?.[0] ?? 0);
  } catch (error) {
    if (isSourceError(error) && error.kind === "timeout") return null;
    throw error;
  }
}
