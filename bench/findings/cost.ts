import { migrateDatabase } from "../../server/db/migrate.ts";
import { emptyDatabase, givenOrOwnServer } from "../database.ts";
import { median, percentile, type Say, timed } from "../measure.ts";
import { onMySql } from "./cost/on-mysql.ts";
import { onPostgreSql } from "./cost/on-postgresql.ts";
import type { ScannedServer } from "./cost/scanned-server.ts";

/**
 * What a scan costs the scanned database, the machine, and the people who use it meanwhile.
 *
 * On a large table: what the scan reads, as a multiple of a sequential scan; and its time, as a multiple of a statement
 * that reads every value once. While it runs, a person requests one row every so often, like a click on a page. On many
 * small tables: the time of the whole scan. The CPU seconds of the database (on PostgreSQL with the service's own, which
 * is on the same server) and of the service say the same on a busy machine.
 *
 * BENCH_DATABASE_URL as for `evaluate`. BENCH_MYSQL_URL, an Admin's address of a MariaDB server, measures on that one
 * instead. ROWS of the large table (5,000,000), and TABLES (2,000) of TABLE_ROWS (10,000) rows; 0 skips one. The large table is kept
 * for the next run.
 */
const rows = Number(process.env.ROWS ?? 5_000_000);
const tables = Number(process.env.TABLES ?? 2_000);
const rowsOfEach = Number(process.env.TABLE_ROWS ?? 10_000);

export async function costOfScans(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-evaluate");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench");
  await migrateDatabase(own);
  Object.assign(process.env, {
    DATABASE_URL: own,
    ENCRYPTION_KEY: "11".repeat(32),
    NEXTAUTH_SECRET: "a secret of the benchmark's, 32+ characters",
    LOG_LEVEL: "silent",
  });
  const mysql = process.env.BENCH_MYSQL_URL;
  const scanned = await (mysql ? onMySql(mysql) : onPostgreSql(server.adminUrl));
  const { openScans } = await import("./cost/service.ts");
  const service = await openScans();
  try {
    if (rows > 0) await costOfLargeTable(say, service, scanned);
    if (tables > 0) await costOfManyTables(say, service, scanned);
  } finally {
    await scanned.close();
    await service.close();
    await server.stop();
  }
}

type Service = Awaited<ReturnType<typeof import("./cost/service.ts").openScans>>;

async function costOfLargeTable(say: Say, service: Service, server: ScannedServer): Promise<void> {
  await server.buildOrders(rows, say);
  const source = await service.source(server.kind, server.url);
  const idle = await service.clicks(source, { times: 30 });
  const { cpu } = server;
  const before = await timed(server.readOrders);
  const counting = await secondsOf(cpu, server.countOrders);
  const reading = await secondsOf(cpu, server.readOrders);
  const scansBefore = await server.scansOfOrders();
  const [cpuBefore, ownBefore] = [cpu(), process.cpuUsage()];
  const scan = service.scan(source);
  const clicks = await service.clicks(source, { until: scan });
  const { ms, scanned, found } = await scan;
  const [scanning, own] = [cpu() - cpuBefore, process.cpuUsage(ownBefore)];
  // A connection's reads are counted by the time it closes.
  await service.disconnect();
  const scans = (await server.scansOfOrders()) - scansBefore;
  const readingMs = (before + (await timed(server.readOrders))) / 2;
  say(`A table of ${rows.toLocaleString("en")} rows of 12 columns on ${server.kind}`);
  say(`  ${scanned.rowsRead.toLocaleString("en")} rows read, ${found} findings, ${(ms / 1000).toFixed(1)} s`);
  say(`  read in the table, in sequential scans            ${scans.toFixed(2)} (goal: at most 3)`);
  say(
    `  time, in statements that read every value         ${(ms / readingMs).toFixed(2)} (one takes ${(readingMs / 1000).toFixed(1)} s)`,
  );
  say(`  CPU of the database, s                             ${scanning.toFixed(1)}`);
  say(
    `    in counts of its rows, at ${counting.toFixed(2)} s each`.padEnd(52) +
      (scanning / counting).toFixed(1),
  );
  say(
    `    in statements that read every value, at ${reading.toFixed(2)} s`.padEnd(52) +
      (scanning / reading).toFixed(2),
  );
  say(`  CPU of the service, s                              ${cpuOf(own).toFixed(1)}`);
  say(
    `  a click while nothing runs, ms                    median ${median(idle).toFixed(1)}, p95 ${percentile(idle, 0.95).toFixed(1)}`,
  );
  say(
    `  a click during the scan (${clicks.length})`.padEnd(52) +
      `median ${median(clicks).toFixed(1)}, p95 ${percentile(clicks, 0.95).toFixed(1)}`,
  );
}

async function costOfManyTables(say: Say, service: Service, server: ScannedServer): Promise<void> {
  const url = await server.buildManyTables(tables, rowsOfEach, say);
  const [cpuBefore, ownBefore] = [server.cpu(), process.cpuUsage()];
  const { ms, scanned, found } = await service.scan(await service.source(server.kind, url));
  const [scanning, own] = [server.cpu() - cpuBefore, cpuOf(process.cpuUsage(ownBefore))];
  say(
    `${tables.toLocaleString("en")} tables of ${rowsOfEach.toLocaleString("en")} rows of 8 columns on ${server.kind}`,
  );
  say(
    `  ${scanned.rowsRead.toLocaleString("en")} rows read, ${found} findings, ${(ms / 1000).toFixed(1)} s, ${(ms / tables).toFixed(0)} ms a table`,
  );
  const perTable = (seconds: number) => ((seconds / tables) * 1000).toFixed(0);
  say(`  CPU of the database: ${scanning.toFixed(1)} s, ${perTable(scanning)} ms a table`);
  say(`  CPU of the service: ${own.toFixed(1)} s, ${perTable(own)} ms a table`);
}

/** The CPU seconds that the server needs for some work. */
async function secondsOf(cpu: () => number, work: () => Promise<unknown>): Promise<number> {
  const before = cpu();
  await work();
  return cpu() - before;
}

/** In seconds. */
const cpuOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
