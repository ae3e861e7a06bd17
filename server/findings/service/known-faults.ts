import { and, desc, eq, gte } from "drizzle-orm";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { db } from "../../db/client.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { type TableToRead, unreadTable } from "../../profile/service/read-table.ts";
import { namesColumnsOf } from "../condition.ts";
import type { Fault } from "../fault.ts";
import { shownFrom } from "../judge.ts";
import { limits } from "../limits.ts";
import { pairFaults } from "../same-fault.ts";
import { findings } from "../tables.ts";
import { countRowsOf } from "./count-doubted.ts";

type Stored = typeof findings.$inferSelect;
type TableName = { schemaName: string; tableName: string };

const ofTable = ({ schemaName, tableName }: TableName) => {
  return (each: TableName) => each.schemaName === schemaName && each.tableName === tableName;
};

/** The open findings of a data source as its scans have stored them, worst first. */
export async function listKnownFaults(dataSourceId: number, most: number): Promise<Fault[]> {
  const rows = await db
    .select()
    .from(findings)
    .where(
      and(
        eq(findings.dataSourceId, dataSourceId),
        eq(findings.status, "Open"),
        gte(findings.confidence, shownFrom),
      ),
    )
    .orderBy(desc(findings.rank), findings.id)
    .limit(most);
  return rows.map((row) => faultOf(row));
}

/**
 * What was found now beside what scans have stored of the same tables: what was dismissed is left out, and what only a
 * scan could find stays as long as its rows are there. `read` are the tables that were looked at now. Throws
 * SourceError "unreachable".
 */
export async function withKnown(
  work: {
    dataSourceId: number;
    dialect: Dialect;
    priority: "person" | "schedule";
    timeLeft(): number;
  },
  found: readonly Fault[],
  tables: readonly TableToRead[],
  read: readonly ObservedTable[],
): Promise<Fault[]> {
  const stored = await db
    .select()
    .from(findings)
    .where(eq(findings.dataSourceId, work.dataSourceId))
    .orderBy(findings.id);
  const faults: Fault[] = [];
  for (const table of tables) {
    const own = found.filter(ofTable(table));
    const known = stored.filter(ofTable(table));
    const { pairs, unpaired, gone } = pairFaults(known, own);
    faults.push(...unpaired);
    for (const [{ id, status }, fault] of pairs)
      if (status !== "Dismissed") faults.push({ ...fault, findingId: id });
    const observed = read.find(ofTable(table));
    const left = gone.filter((each) => isWorthCounting(each, observed));
    if (left.length > 0) faults.push(...(await stillThere(work, left, table)));
  }
  return faults;
}

/** Of a table that was just read whole it is known that the rows are gone, unless another table says which they are. */
function isWorthCounting({ status, kind, confidence }: Stored, read: ObservedTable | undefined): boolean {
  if (confidence < shownFrom || (status !== "Open" && status !== "Accepted")) return false;
  return !read?.isWhole || kind === "Orphan";
}

async function stillThere(
  { dataSourceId, dialect, priority, timeLeft }: Parameters<typeof withKnown>[0],
  stored: readonly Stored[],
  table: TableToRead,
): Promise<Fault[]> {
  const sqlTable = { ...unreadTable(dialect, table), dialect };
  const faults: Fault[] = [];
  for (const each of stored) {
    const { condition } = each;
    if (condition === null) faults.push(faultOf(each));
    if (condition === null || timeLeft() <= 0 || !namesColumnsOf(table, condition)) continue;
    const countMs = Math.min(limits.countMs, Math.max(1, timeLeft()));
    const rows = await useDatabase(
      dataSourceId,
      (_, source) => source.session((session) => countRowsOf(session, sqlTable, condition, countMs)),
      priority,
    );
    if (rows !== null && rows > 0) faults.push(faultOf(each, rows));
  }
  return faults;
}

function faultOf(stored: Stored, failingRows = stored.failingRows): Fault {
  const { schemaName, tableName, kind, columns, confidence, severity, rank, statement } = stored;
  const { evidence, condition, rule, rowsSql, totalRows } = stored;
  return {
    ...{ findingId: stored.id, schemaName, tableName, kind, columns, confidence, severity, rank, statement },
    ...{ evidence, condition, rule, rowsSql, failingRows, totalRows },
  };
}
