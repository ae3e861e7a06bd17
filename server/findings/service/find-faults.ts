import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import {
  readClock,
  readLimits,
  readTable,
  type TableToRead,
  unreadTable,
} from "../../profile/service/read-table.ts";
import { log } from "../../telemetry/log.ts";
import { companionsOf } from "../companions.ts";
import { byRank, type Fault } from "../fault.ts";
import { shownFrom } from "../judge.ts";
import { limits } from "../limits.ts";
import { maskedWords } from "../masked.ts";
import type { Merged } from "../merge.ts";
import { ruleFor } from "../proposed-rule.ts";
import { rankOf, severityOf } from "../severity.ts";
import { detectApart } from "./detect-apart.ts";
import { withKnown } from "./known-faults.ts";
import { listAnswers, withLessons } from "./learn.ts";
import { type Verified, verifyFindings } from "./verify-findings.ts";

export type Faults = {
  /** Worst first. */
  faults: Fault[];
  /** How many of the tables were looked at. */
  tables: number;
  /** Whether each of them was looked at in every way; there may not have been time for that. */
  isComplete: boolean;
};

type Work = {
  dataSourceId: number;
  dialect: Dialect;
  priority: "person" | "schedule";
  /** In milliseconds. */
  timeLeft(): number;
};

/**
 * Where time is short, so much of it goes to reading, so much of that to the tables that were asked for, and so much of
 * the rest to detecting.
 */
const shares = { reading: 0.5, asked: 0.7, detecting: 0.85 };
const least = { startMs: 200, countMs: 500 };

/**
 * What is wrong with some tables of a data source now: they are read, beside others that say what is usual there, as
 * many as there is time for. Nothing is stored, and no scan is needed. What a person has dismissed is left out, what a
 * scan has found is the finding that it is known as. A table that fails or takes too long is left out. Throws
 * SourceError "unreachable", not_found, and rejected for what is no database; whether the caller may see the data
 * source is the caller's business.
 */
export async function findFaults(
  dataSourceId: number,
  asked: readonly TableToRead[],
  all: readonly TableToRead[],
  { totalMs, priority }: { totalMs: number; priority: "person" | "schedule" },
): Promise<Faults> {
  const deadline = performance.now() + totalMs;
  const timeLeft = () => Math.floor(deadline - performance.now());
  const dialect = await useDatabase(dataSourceId, async (given) => given, priority);
  const work: Work = { dataSourceId, dialect, priority, timeLeft };
  const readUntil = timeLeft() * (1 - shares.reading);
  const companions = companionsOf(asked, all).slice(0, limits.companions);
  const restMs = companions.length > 0 ? (timeLeft() - readUntil) * (1 - shares.asked) : 0;
  const own = await readTables(work, asked, {
    untilLeft: readUntil + restMs,
    values: limits.valuesAtOnce,
    asked,
  });
  const beside = await readTables(work, companions, {
    untilLeft: readUntil,
    values: limits.valuesOfCompanions,
    asked,
  });
  // One that is there, and was not read, may be the one that a column refers to.
  const unread = companions
    .filter((table) => !beside.some((each) => isSame(each, table)))
    .map((table) => unreadTable(dialect, table));
  const detected = await detect(work, own, [...own, ...beside, ...unread]);
  if (detected === null)
    return { faults: await withKnown(work, [], asked, []), tables: 0, isComplete: false };
  const learned = withLessons(dataSourceId, detected.found, await listAnswers(dataSourceId));
  const faults = (await countFaults(work, own, learned)).map((each) => faultOf(dialect, each));
  return {
    faults: (await withKnown(work, faults, asked, own)).sort(byRank),
    tables: own.length,
    isComplete: detected.isComplete,
  };
}

type TableName = { schemaName: string; tableName: string };

const isSame = (one: TableName, other: TableName) =>
  one.schemaName === other.schemaName && one.tableName === other.tableName;

const valuesIn = (tables: readonly ObservedTable[]) =>
  tables.reduce((sum, { rowCount, columns }) => sum + rowCount * columns.length, 0);

const withSession = <T>(
  { dataSourceId, priority }: Work,
  work: (session: Session, dialect: Dialect) => Promise<T>,
) =>
  useDatabase(
    dataSourceId,
    (dialect, source) => source.session((session) => work(session, dialect)),
    priority,
  );

/** Those that can be read in time, in their order. Throws SourceError "unreachable". */
async function readTables(
  work: Work,
  tables: readonly TableToRead[],
  { untilLeft, values, asked }: { untilLeft: number; values: number; asked: readonly TableToRead[] },
): Promise<ObservedTable[]> {
  const read: ObservedTable[] = [];
  for (const table of tables) {
    const patience = work.timeLeft() - untilLeft;
    if (patience < least.startMs) break;
    // What was asked for first is read however large it is; of the others, those that there is room for.
    const rows = Math.min(table.rowEstimate ?? 0, readLimits.rows);
    if (valuesIn(read) + rows * table.columns.length > values && table !== asked[0]) continue;
    const times = {
      readMs: Math.min(readLimits.readMs, Math.ceil(patience)),
      countMs: Math.min(readLimits.countMs, Math.ceil(patience)),
    };
    const observed = await orNull(
      withSession(work, (session, dialect) => readTable(session, dialect, table, times)),
    );
    if (observed) read.push(observed);
  }
  return read;
}

async function detect(work: Work, own: readonly ObservedTable[], all: readonly ObservedTable[]) {
  if (own.length === 0 || work.timeLeft() < least.startMs) return null;
  const now = await withSession(work, readClock);
  const timeoutMs = Math.max(1, Math.ceil(work.timeLeft() * shares.detecting));
  try {
    return await detectApart({ tables: all, now }, { tables: own, timeoutMs });
  } catch (err) {
    log.error({ err, dataSourceId: work.dataSourceId }, "Faults could not be detected");
    return null;
  }
}

type Counted = Verified & { failingRows: number; table: ObservedTable };

/** Each with its rows in the whole table, as far as there is time to count them. */
async function countFaults(
  work: Work,
  tables: readonly ObservedTable[],
  found: readonly Merged[],
): Promise<Counted[]> {
  const shown = found.filter(({ confidence }) => confidence >= shownFrom);
  const counted: Counted[] = [];
  for (const table of tables) {
    const own = shown.filter(({ candidate }) => candidate.table === table);
    if (own.length === 0) continue;
    const countMs = Math.min(limits.countMs, Math.max(least.countMs, work.timeLeft()));
    const verified = await withSession(work, (session, dialect) =>
      verifyFindings(session, dialect, table, own, { countMs, samples: "Off" }),
    );
    for (const each of verified) {
      // Of a table that was read whole it is known without a count.
      const failingRows = each.failingRows ?? (table.isWhole ? each.found.candidate.rows.length : null);
      if (failingRows !== null) counted.push({ ...each, failingRows, table });
    }
  }
  return counted;
}

function faultOf(dialect: Dialect, { found, rowsSql, failingRows, table }: Counted): Fault {
  const { candidate, confidence } = found;
  const { kind, columns, condition, rule } = candidate;
  const { schemaName, tableName, totalRows } = table;
  const severity = severityOf(kind, columns);
  return {
    ...{ findingId: null, schemaName, tableName, kind, columns, confidence, severity, condition, rowsSql },
    ...{ failingRows, totalRows, rank: rankOf({ confidence, severity, failingRows, totalRows }) },
    ...maskedWords(columns, candidate),
    rule: ruleFor(rule, condition, { ...table, dialect }),
  };
}

/** null for what the server refuses or cannot do in time. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isSourceError(error) && error.kind !== "unreachable") return null;
    throw error;
  }
}
