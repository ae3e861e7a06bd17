import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { readClock, readTable, type TableToRead } from "../../profile/service/read-table.ts";
import { limits } from "../limits.ts";
import type { Merged } from "../merge.ts";
import type { Look } from "../review.ts";
import type { TableName } from "../tables.ts";
import type { Taught } from "../teach/lesson.ts";
import { taughtFindings } from "../teach/taught-findings.ts";
import { detectApart } from "./detect-apart.ts";
import { type Verified, verifyFindings } from "./verify-findings.ts";

/** What is scanned: its tables, and a session for each piece of work. */
export type Scanned = {
  introspect(): Promise<DatabaseSchema>;
  withSession<T>(work: (session: Session, dialect: Dialect) => Promise<T>): Promise<T>;
  /** Aborted when the scan is stopped. */
  signal?: AbortSignal;
  /** What a language model says of the findings, before they are counted. */
  look?: Look | null;
  /** Whether it is a copy, as a file is, into which nothing comes any more. */
  isCopy?: boolean;
  /** Whether its reader sees values as they are. */
  samples?: Exclude<SampleMode, "Off">;
  /** What people have answered about cells of a table that was read, where there is someone to answer. */
  answered?(table: ObservedTable): Promise<Taught[]>;
  /** Has what was found follow what people have answered, where there is someone to answer. */
  learn?<Found extends Merged>(found: readonly Found[]): Promise<Found[]>;
};

/** What becomes of the tables, one after the other. A table is settled after it was read, at some time. */
export type ScanSteps = {
  listed(total: number): Promise<void>;
  /** In an earlier attempt. */
  isDone(table: TableName): boolean;
  skipped(table: TableName, reason: string): Promise<void>;
  read(table: ObservedTable): Promise<void>;
  settled(table: ObservedTable, found: readonly Verified[]): Promise<void>;
};

/**
 * Reads tables one after the other, looks at what was read together, and counts each finding where the data is: that
 * takes a while, and the next tables are read meanwhile. What cannot be read is skipped with its reason. Answers all tables that were to be read. Throws SourceError when the
 * source cannot be reached any more.
 */
export async function scanTables(
  source: Scanned,
  requested: readonly TableName[] | null,
  steps: ScanSteps,
): Promise<TableName[]> {
  const deadline = performance.now() + limits.totalMs;
  const { items } = await source.introspect();
  const { tables, missing } = tablesOf(items, requested);
  await steps.listed(tables.length + missing.length);
  for (const table of missing)
    await steps.skipped(table, "There is no such table, or the login cannot read it");
  const toRead = tables.filter((table) => !steps.isDone(table));
  let batch: ObservedTable[] = [];
  let settling: Promise<void> = Promise.resolve();
  try {
    for (const [index, table] of toRead.entries()) {
      const read =
        performance.now() < deadline ? await tryTable(source, table) : "There was no time left for it";
      if (typeof read === "string") await steps.skipped(table, read);
      else {
        batch.push(read);
        await steps.read(read);
      }
      if (batch.length > 0 && (index === toRead.length - 1 || valuesIn(batch) > limits.values)) {
        await settling;
        settling = settle(source, batch, steps);
        // It is awaited below; until then, a failure is nobody's fault yet.
        settling.catch(() => {});
        batch = [];
      }
    }
    await settling;
  } finally {
    // Nothing goes on behind a scan that has ended.
    await settling.catch(() => {});
  }
  return tables;
}

/** What is wrong with the tables of a batch, counted on the source. */
async function settle(source: Scanned, tables: readonly ObservedTable[], steps: ScanSteps): Promise<void> {
  const now = await source.withSession(readClock);
  const answers = new Map<ObservedTable, Taught[]>();
  for (const table of tables) {
    const own = (await source.answered?.(table)) ?? [];
    if (own.length > 0) answers.set(table, own);
  }
  const explained = [...answers.keys()];
  const detected = await detectApart(
    { tables, now, isCopy: source.isCopy ?? false },
    { signal: source.signal, explained },
  );
  const found = Map.groupBy(detected.found, ({ candidate }) => candidate.table);
  for (const table of tables) {
    const answered = answers.get(table);
    const judgedFirst = found.get(table) ?? [];
    const reasons = detected.reasons.get(table) ?? [];
    const own = answered ? taughtFindings(table, judgedFirst, reasons, answered) : judgedFirst;
    // Without a connection: a model takes its time.
    const reviewed = source.look ? await source.look(table, own) : own;
    const judged = source.learn ? await source.learn(reviewed) : reviewed;
    const verified = await twice(() =>
      source.withSession((session, dialect) =>
        verifyFindings(session, dialect, table, judged, {
          samples: source.samples ?? "Masked",
        }),
      ),
    );
    await steps.settled(table, verified);
  }
}

/** The table, or why it cannot be read. Throws SourceError when the source is gone. */
async function tryTable(source: Scanned, table: TableToRead): Promise<ObservedTable | string> {
  try {
    return await twice(() => source.withSession((session, dialect) => readTable(session, dialect, table)));
  } catch (error) {
    if (!isSourceError(error) || error.kind === "unreachable") throw error;
    return error.message;
  }
}

/** A connection that broke is no source that is gone. */
async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSourceError(error) || error.kind !== "unreachable") throw error;
    return work();
  }
}

const valuesIn = (tables: readonly ObservedTable[]) =>
  tables.reduce((sum, { rowCount, columns }) => sum + rowCount * columns.length, 0);

/**
 * The tables to read. What is wrong in a view is wrong in its tables, so views are only read where they are asked for,
 * and in schemas that show nothing else.
 */
function tablesOf(items: DatabaseSchema["items"], requested: readonly TableName[] | null) {
  const all = items.flatMap(({ schemaName, tables }) => tables.map((table) => ({ ...table, schemaName })));
  if (requested === null) {
    const withTables = new Set(all.flatMap(({ kind, schemaName }) => (kind === "Table" ? schemaName : [])));
    return {
      tables: all.filter(({ kind, schemaName }) => kind === "Table" || !withTables.has(schemaName)),
      missing: [],
    };
  }
  const tables = requested.flatMap((each) => all.find((table) => isSameTable(table, each)) ?? []);
  return {
    tables: [...new Set(tables)],
    missing: requested.filter((each) => !all.some((table) => isSameTable(table, each))),
  };
}

export const isSameTable = (one: TableName, other: TableName) =>
  one.schemaName === other.schemaName && one.tableName === other.tableName;
