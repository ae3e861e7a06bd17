import { and, type SQL, sql } from "drizzle-orm";
import { chargeTo, SpentByRun } from "../../data-sources/charge-to.ts";
import type { RunCost } from "../../data-sources/cost.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { projectOf } from "../../data-sources/service/same-project.ts";
import { type Connection, db } from "../../db/client.ts";
import { problemIn } from "../../errors.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { sendInProject } from "../../realtime/service.ts";
import { shortened } from "../../text.ts";
import { limits } from "../limits.ts";
import { findingScans, type TableName } from "../tables.ts";
import { listAnswers, withLessons } from "./learn.ts";
import { scanLeases } from "./leases.ts";
import { lookOfModel } from "./review-findings.ts";
import { isSameTable, type Scanned, scanTables } from "./scan-tables.ts";
import { forgetMissingTables, storeFindings } from "./store-findings.ts";
import { type JudgedBy, keyOf, takeJoined } from "./take-joined.ts";
import { answersAbout, listTaughtCells } from "./taught-cells.ts";

type Scan = typeof findingScans.$inferSelect;

/**
 * One scan of a data source, start to finish: tables are read one after the other, what was read is looked at
 * together, each finding is counted where the data is, and what holds is stored under the lease. What cannot be read
 * is skipped with its reason; when the data source cannot be reached any more, the scan has failed with what it has
 * stored. Before it ends, it looks at what was asked for meanwhile. A scan that was interrupted goes on behind the tables
 * whose findings are stored. When the signal is aborted, the statement that runs is cancelled. Throws LeaseLost.
 */
export async function runScan(lease: Lease, signal: AbortSignal): Promise<void> {
  const scan = await load(lease);
  // A scan that goes on has cost something before.
  const spent = new SpentByRun(scan.cost);
  return chargeTo({ contractId: null, spent }, () => scanWithin(lease, scan, { signal, spent }));
}

async function scanWithin(
  lease: Lease,
  scan: Scan,
  { signal, spent }: { signal: AbortSignal; spent: SpentByRun },
): Promise<void> {
  const fail = async (error: string) => {
    const hasFailed = await end(lease, scan, {
      status: "Failed",
      error: shortened(error, 1000),
      cost: spent.cost,
    });
    if (!hasFailed) throw new LeaseLost("The scan was taken over before it ended");
  };
  if (lease.attempt > limits.maxAttempts) return fail(`The scan was interrupted ${limits.maxAttempts} times`);
  const judgedBy: JudgedBy = new Map();
  try {
    await scanSource(lease, scan, { signal, judgedBy, spent });
    while (!(await complete(lease, scan, spent))) {
      const joined = await takeJoined(lease, judgedBy);
      if (joined) await scanSource(lease, joined, { signal, judgedBy, spent });
    }
  } catch (error) {
    if (isSourceError(error)) return fail(error.message);
    // The data source is gone, and its scans with it.
    const problem = problemIn(error);
    if (problem) return fail(problem.detail);
    throw error;
  }
}

async function scanSource(
  lease: Lease,
  scan: Scan,
  { signal, judgedBy, spent }: { signal: AbortSignal; judgedBy: JudgedBy; spent: SpentByRun },
): Promise<void> {
  const onSource = <T>(work: Parameters<typeof useDatabase<T>>[1]) =>
    useDatabase(scan.dataSourceId, work, "schedule");
  const source: Scanned = {
    introspect: () => onSource((_, lent) => lent.introspect(signal)),
    withSession: (work) =>
      onSource((dialect, lent) => lent.session((session) => work(stoppable(session, signal), dialect))),
    signal,
    async answered(table) {
      const kept = await listTaughtCells(scan.dataSourceId, table);
      judgedBy.set(keyOf(table), JSON.stringify(kept));
      return answersAbout(table, kept);
    },
    learn: async (found) => withLessons(scan.dataSourceId, found, await listAnswers(scan.dataSourceId)),
  };
  const progress = new Progress(lease, scan, spent);
  const look = lookOfModel(scan.dataSourceId, { note: (text) => progress.note(text), signal });
  const tables = await scanTables({ ...source, look }, scan.requested, {
    listed: async (total) => progress.expect(total),
    isDone: (table) => progress.isDone(table),
    skipped: (table, reason) => progress.skip(table, reason),
    read: (table) => progress.read(table),
    settled: (table, verified) => storeFindings(lease, scan, table, verified, source.withSession),
  });
  if (scan.requested === null) await forgetMissingTables(lease, scan.dataSourceId, tables);
}

/** The same session, whose statements end when the signal is aborted. */
const stoppable = ({ read }: Session, signal: AbortSignal): Session => ({
  read: (statement, within) => read(statement, { ...within, signal }),
});

async function load(lease: Lease): Promise<Scan> {
  const [scan] = await db.select().from(findingScans).where(scanLeases.isHeldBy(lease));
  if (!scan) throw new LeaseLost("The scan was taken over before it began");
  return scan;
}

const mostNotes = 20;

/** How far a scan has come, as its page shows it. Everything throws LeaseLost. */
class Progress {
  readonly #lease: Lease;
  readonly #skipped: Scan["skipped"];
  readonly #stored: Scan["stored"];
  readonly #notes: Scan["notes"];
  readonly #spent: SpentByRun;
  #total = 0;
  #done: number;
  #rows: number;

  constructor(lease: Lease, scan: Scan, spent: SpentByRun) {
    this.#lease = lease;
    this.#spent = spent;
    this.#skipped = [...scan.skipped];
    this.#notes = [...scan.notes];
    this.#stored = scan.stored;
    this.#done = scan.skipped.length + scan.stored.length;
    this.#rows = scan.rowsRead;
  }

  expect(total: number): void {
    this.#total = total;
  }

  /** In an earlier attempt. */
  isDone(table: TableName): boolean {
    return [...this.#stored, ...this.#skipped].some((each) => isSameTable(each, table));
  }

  async skip({ schemaName, tableName }: TableName, reason: string): Promise<void> {
    if (this.isDone({ schemaName, tableName })) return;
    this.#skipped.push({ schemaName, tableName, reason: shortened(reason, 500) });
    this.#done++;
    await this.#write();
  }

  /** Once, however often it is said. */
  async note(text: string): Promise<void> {
    if (this.#notes.includes(text) || this.#notes.length >= mostNotes) return;
    this.#notes.push(shortened(text, 500));
    await this.#write();
  }

  async read({ rowCount }: ObservedTable): Promise<void> {
    this.#rows += rowCount;
    this.#done++;
    await this.#write();
  }

  async #write(): Promise<void> {
    const written = await db
      .update(findingScans)
      .set({
        tablesDone: this.#done,
        tablesTotal: this.#total,
        rowsRead: this.#rows,
        cost: this.#spent.cost,
        skipped: this.#skipped,
        notes: this.#notes,
      })
      .where(scanLeases.isHeldBy(this.#lease))
      .returning({ id: findingScans.id });
    if (written.length === 0) throw new LeaseLost("The scan was taken over");
  }
}

/** False while something was asked for that was not looked at, and for a scan that was taken over. */
const complete = (lease: Lease, scan: Scan, { cost }: SpentByRun): Promise<boolean> =>
  end(lease, scan, { status: "Completed", error: null, cost }, sql`${findingScans.joined} = '[]'::jsonb`);

/** The person who asked hears of it. False if the lease is lost, or the condition does not hold. */
async function end(
  lease: Lease,
  { dataSourceId, requestedById }: Scan,
  ended: { status: "Completed" | "Failed"; error: string | null; cost: RunCost | null },
  condition?: SQL,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(findingScans)
      .set({ ...ended, finishedAt: sql`clock_timestamp()`, stored: [], joined: [] })
      .where(and(scanLeases.isHeldBy(lease), condition))
      .returning({ id: findingScans.id });
    if (row) await tellEnd(tx, { id: lease.id, dataSourceId, requestedById, status: ended.status });
    return row !== undefined;
  });
}

/** To the person who asked for the scan, if someone did. */
export async function tellEnd(
  connection: Connection,
  { id, dataSourceId, requestedById, status }: Pick<Scan, "id" | "dataSourceId" | "requestedById" | "status">,
): Promise<void> {
  if (requestedById === null) return;
  const data = { kind: "Scan", id, status } as const;
  const projectId = (await projectOf(connection, dataSourceId)) ?? 0;
  await sendInProject(connection, projectId, [requestedById], { name: "JobStatusChanged", data });
}
