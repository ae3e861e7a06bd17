import type { SignedIn } from "../../auth/principal.ts";
import type { FailingRows } from "../../data-quality/compile.ts";
import { relationIn } from "../../data-sources/dialects/clauses.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { problemIn } from "../../errors.ts";
import { maskRows } from "../../masking.ts";
import { type ObservedTable, observe } from "../../profile/observed-table.ts";
import { textsOf } from "../../profile/read-sql.ts";
import { findTable } from "../../profile/service/find-table.ts";
import { columnsOf, readLimits, readTable, type TableToRead } from "../../profile/service/read-table.ts";
import { findSegments, type Observed } from "../find-segments.ts";
import { segmentInWords } from "../in-words.ts";
import { type Parent, withParents } from "../parents.ts";
import type { ReadCauses } from "../schema.ts";
import type { Part, Segment, SegmentCounts } from "../segment.ts";
import { type SegmentTable, segmentSql } from "../segment-sql.ts";
import { countSince, type Since } from "../since.ts";
import { surpriseOf } from "../surprise.ts";

/** What is read for one answer. Failing rows beyond this number are not looked at, but counted. */
const limits = { failingRows: 20_000, parents: 3, readMs: 30_000, countMs: 30_000, shown: 5, share: 0.2 };

export type Asked = {
  dataSourceId: number;
  table: TableToRead;
  failing(dialect: Dialect): FailingRows;
  /** The columns that the failure is about. */
  about: readonly string[];
  mode: Exclude<SampleMode, "Off">;
};

/** What is known of failing rows: segments, best first, and whether they fail since some moments. */
export type Explained = {
  segments: { parts: Part[]; counts: SegmentCounts }[];
  /** For each moment that was asked about; null if nothing says when rows came. */
  since: Since[] | null;
  failingRows: number;
  totalRows: number;
  isExact: boolean;
};

/**
 * What failing rows have in common and others do not: segments by the table's columns and those of up to three tables
 * that it declares references to, found in the rows that are read (`readLimits`) and counted in the whole table. Values are
 * masked as samples are. Throws what a data source that does not respond throws.
 */
export async function explainRows(ctx: SignedIn, asked: Asked): Promise<ReadCauses> {
  const { segments, failingRows, totalRows, isExact } = await readExplained(ctx, asked, []);
  return {
    segments: segments.map(({ parts, counts }) => ({
      parts,
      statement: segmentInWords({ parts }, counts),
      failingRows: counts.failing,
      rows: counts.rows,
    })),
    ...{ failingRows, totalRows, isExact },
    note: segments.length > 0 ? null : whyNothing(failingRows, totalRows),
    readAt: new Date(),
  };
}

/** The same, and how many of the rows came since each of some moments. */
export async function readExplained(
  ctx: SignedIn,
  asked: Asked,
  moments: readonly Date[],
): Promise<Explained> {
  try {
    const parents = await findParents(ctx, asked);
    return await useDatabase(
      asked.dataSourceId,
      (dialect, source) =>
        source.session((session) => explain(session, dialect, { ...asked, parents, moments })),
      "person",
    );
  } catch (error) {
    throw asProblem(error);
  }
}

async function explain(
  session: Session,
  dialect: Dialect,
  asked: Asked & { parents: readonly ToRead[]; moments: readonly Date[] },
): Promise<Explained> {
  const failing = asked.failing(dialect);
  const read = await readRows(session, dialect, asked.table, failing);
  const parents = await readParents(session, dialect, asked.parents);
  const { observed, parentColumns } = withParents(read, parents);
  const isExplained = observed.failing.rowCount > 0;
  const found = isExplained
    ? findSegments(observed, { about: asked.about, mayShow: mayShow(asked.mode) })
    : [];
  const table: SegmentTable = { ...observed.all, dialect, parentColumns };
  const counted = await countExactly(session, table, failing, found);
  const counts = counted ?? found.map((each) => each.counts);
  const total = counted?.[0] ?? (await countTotal(session, dialect, failing));
  const segments = found
    .map(({ parts }, place) => ({ parts: [...parts], counts: counts[place] as SegmentCounts }))
    .filter(({ counts }) => counts.failing >= counts.allFailing * limits.share && surpriseOf(counts) > 0)
    .sort((one, other) => surpriseOf(other.counts) - surpriseOf(one.counts))
    .slice(0, limits.shown);
  const { allFailing: failingRows, allRows: totalRows } = total ?? {
    allFailing: observed.failing.rowCount,
    allRows: observed.all.totalRows,
  };
  return {
    ...{ segments, failingRows, totalRows },
    since: countSince(read, asked.moments, { about: asked.about }),
    isExact: total !== null,
  };
}

/** How many rows of a table fail, and how many there are; null if the server refuses it or takes too long. */
export async function countFailing(
  dataSourceId: number,
  failing: (dialect: Dialect) => FailingRows | null,
): Promise<{ failing: number; rows: number } | null> {
  try {
    return await useDatabase(
      dataSourceId,
      (dialect, source) =>
        source.session(async (session) => {
          const rows = failing(dialect);
          const total = rows && (await countTotal(session, dialect, rows));
          return total && { failing: total.allFailing, rows: total.allRows };
        }),
      "person",
    );
  } catch (error) {
    throw asProblem(error);
  }
}

export function whyNothing(failing: number, all: number): string {
  if (failing === 0) return "No row fails any more";
  if (failing < 5) return "Too few rows fail to tell what they have in common";
  if (failing === all) return "All rows fail";
  return "Nothing sets the failing rows apart from the others";
}

/** Both with the same columns. */
async function readRows(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  { table: about, join, condition, conditionAcrossCollations, parameters, ownSql }: FailingRows,
): Promise<Observed> {
  const columns = columnsOf(dialect, table);
  const target = { schemaName: table.schemaName, tableName: table.tableName, columns };
  const texts = textsOf(dialect, columns);
  const isWhole = about === relationIn(dialect, table.schemaName, table.tableName);
  const { rows } = readLimits;
  const size = { maxBytes: readLimits.bytes, timeoutMs: limits.readMs };
  const readSome = async (): Promise<ObservedTable> => {
    const sql = dialect.someRows(texts, `${about} as checked`, { maxRows: rows + 1, spreadOver: null });
    const some = await session.read({ sql, parameters: [], ownSql }, { ...size, maxRows: rows });
    return observe(target, some.rows, { isWhole: !some.truncated });
  };
  const all = isWhole ? await readTable(session, dialect, table, limits) : await readSome();
  const { top, limit } = dialect.limit(limits.failingRows);
  const where = (failing: string) =>
    `select ${top}${texts.join(", ")} from ${about} as checked ${join} where ${failing}${limit}`;
  const statement = {
    sql: where(condition),
    ...(conditionAcrossCollations && { sqlAcrossCollations: where(conditionAcrossCollations) }),
    ...{ parameters, ownSql },
  };
  const fails = await session.read(statement, { ...size, maxRows: limits.failingRows });
  return { all, failing: observe(target, fails.rows) };
}

type ToRead = { via: string; key: string; table: TableToRead };

/** The tables that the database says the rows refer to, if they are not too large to be read whole. */
async function findParents(ctx: SignedIn, { dataSourceId, table, about }: Asked): Promise<ToRead[]> {
  const found: ToRead[] = [];
  for (const { name: via, references } of table.columns) {
    if (!references || about.includes(via) || found.length >= limits.parents) continue;
    const isItself = references.schemaName === table.schemaName && references.tableName === table.tableName;
    if (isItself) continue;
    const parent = await findTable(ctx, dataSourceId, references).catch((error) => {
      // The login may not be allowed to read it.
      if (problemIn(error)?.code !== "not_found") throw error;
      return null;
    });
    if (parent && (parent.rowEstimate ?? 0) <= readLimits.rows)
      found.push({ via, key: references.columnName, table: parent });
  }
  return found;
}

async function readParents(session: Session, dialect: Dialect, wanted: readonly ToRead[]): Promise<Parent[]> {
  const parents: Parent[] = [];
  for (const { table, ...parent } of wanted) {
    const read = await orNull(() => readTable(session, dialect, table, limits));
    if (read?.isWhole) parents.push({ ...parent, table: read });
  }
  return parents;
}

/** The rows of each segment in the whole table, in one look at it. null if the server refuses it or takes too long. */
async function countExactly(
  session: Session,
  table: SegmentTable,
  failing: FailingRows,
  segments: readonly Segment[],
): Promise<SegmentCounts[] | null> {
  if (segments.length === 0) return null;
  const { dialect } = table;
  const counted = await countFlags(session, dialect, failing, {
    flags: segments.map((each) => segmentSql(table, each)),
    counts: segments.flatMap((_, place) => [`fails = 1 and s${place} = 1`, `s${place} = 1`]),
  });
  if (!counted) return null;
  const { others, ...total } = counted;
  return segments.map((_, place) => ({
    ...{ failing: others[place * 2] ?? 0, rows: others[place * 2 + 1] ?? 0, ...total },
  }));
}

/** How many rows there are, and how many fail; null as for `countExactly`. */
const countTotal = (session: Session, dialect: Dialect, failing: FailingRows) =>
  countFlags(session, dialect, failing, { flags: [], counts: [] });

/** Counts rows by conditions over flags `s0`, `s1` …, and `fails`. */
async function countFlags(
  session: Session,
  dialect: Dialect,
  { table, join, condition, conditionAcrossCollations, parameters, ownSql }: FailingRows,
  { flags, counts }: { flags: readonly string[]; counts: readonly string[] },
): Promise<{ allFailing: number; allRows: number; others: number[] } | null> {
  const flag = (sql: string, name: string) => `case when ${sql} then 1 else 0 end as ${name}`;
  const counted = ["fails = 1", ...counts].map((each) => dialect.countWhere(each));
  const sqlWith = (failing: string) =>
    `select ${[...counted, dialect.count()].join(", ")}
    from (select ${[flag(failing, "fails"), ...flags.map((each, place) => flag(each, `s${place}`))].join(",\n      ")}
      from ${table} as checked ${join}) as flagged`;
  const answer = await orNull(() =>
    session.read(
      {
        sql: sqlWith(condition),
        ...(conditionAcrossCollations && { sqlAcrossCollations: sqlWith(conditionAcrossCollations) }),
        ...{ parameters, ownSql, answersOneRow: true },
      },
      { timeoutMs: limits.countMs, maxRows: 1, maxBytes: 64 * 1024 },
    ),
  );
  const found = (answer?.rows[0] ?? []).map(Number);
  if (!answer) return null;
  return { allFailing: found[0] ?? 0, allRows: found.at(-1) ?? 0, others: found.slice(1, -1) };
}

/** null for what the server refuses or cannot do in time. Throws SourceError when it cannot be reached. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isSourceError(error) || error.kind === "unreachable") throw error;
    return null;
  }
}

export const mayShow =
  (mode: Asked["mode"]) =>
  (column: string, value: string): boolean => {
    const name = column.split(".").at(-1) ?? column;
    const masked = mode === "Full" ? value : maskRows({ columns: [{ name }], rows: [[value]] }).rows[0]?.[0];
    return masked === value;
  };
