import postgres, { type Sql } from "postgres";
import { migrateDatabase } from "../../server/db/migrate.ts";
import { addressOf, emptyDatabase, givenOrOwnServer } from "../database.ts";
import { median, percentile, type Say } from "../measure.ts";
import { serverCpu } from "../server-cpu.ts";
import { buildManyTables, buildOrders } from "./cost/tables.ts";

/**
 * What a scan costs the scanned database, the machine, and the people who use it meanwhile.
 *
 * On a large table: the blocks that the scan reads, as a multiple of the table's blocks, which is what a sequential
 * scan reads; and its time, as a multiple of a statement that reads every value once. While it runs, a person requests
 * one row every so often, like a click on a page. On many small tables: the time of the whole scan. The CPU seconds of
 * the database (with the service's own, which is on the same server) and of the service say the same on a busy machine.
 *
 * BENCH_DATABASE_URL as for `evaluate`. ROWS of the large table (5,000,000), and TABLES of 10,000 rows (2,000); 0 skips
 * one. The large table is kept for the next run.
 */
const rows = Number(process.env.ROWS ?? 5_000_000);
const tables = Number(process.env.TABLES ?? 2_000);
const rowsOfEach = 10_000;

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
  const { openScans } = await import("./cost/service.ts");
  const service = await openScans();
  try {
    if (rows > 0) await costOfLargeTable(say, service, server.adminUrl);
    if (tables > 0) await costOfManyTables(say, service, server.adminUrl);
  } finally {
    await service.close();
    await server.stop();
  }
}

type Service = Awaited<ReturnType<typeof import("./cost/service.ts").openScans>>;

async function costOfLargeTable(say: Say, service: Service, adminUrl: string): Promise<void> {
  const url = addressOf(adminUrl, "plumbline_bench_scanned");
  await ifMissing(adminUrl, "plumbline_bench_scanned");
  const client = postgres(url, { max: 2, onnotice: () => {} });
  try {
    await buildOrders(client, rows, say);
    const [table] = await client`select relpages from pg_class where oid = 'orders'::regclass`;
    const pages = Number(table?.relpages);
    const source = await service.source(url);
    const idle = await service.clicks(source, { times: 30 });
    const readEverything = () =>
      timedMs(
        () => client`
        select count(*), max(id), max(order_no), max(customer_id), max(product_id), max(quantity), max(price),
          max(discount), max(total), max(status), max(country), max(created_at), max(shipped_at)
        from orders`,
      );
    const count = () => timedMs(() => client`select count(*) from orders`);
    const cpu = await serverCpu(client);
    const before = await readEverything();
    const counting = await secondsOf(cpu, count);
    const reading = await secondsOf(cpu, readEverything);
    const blocksBefore = await blocksOf(client);
    const [cpuBefore, ownBefore] = [cpu(), process.cpuUsage()];
    const scan = service.scan(source);
    const clicks = await service.clicks(source, { until: scan });
    const { ms, scanned, found } = await scan;
    const [scanning, own] = [cpu() - cpuBefore, process.cpuUsage(ownBefore)];
    // A connection's reads are counted by the time it closes.
    await service.disconnect();
    const blocks = (await blocksOf(client)) - blocksBefore;
    const readingMs = (before + (await readEverything())) / 2;
    say(`A table of ${rows.toLocaleString("en")} rows of 12 columns, ${pages.toLocaleString("en")} blocks`);
    say(
      `  ${scanned.rowsRead.toLocaleString("en")} rows read, ${found} findings, ${(ms / 1000).toFixed(1)} s`,
    );
    say(
      `  blocks of the table read, in sequential scans     ${(blocks / pages).toFixed(2)} (goal: at most 3)`,
    );
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
  } finally {
    await client.end();
  }
}

async function costOfManyTables(say: Say, service: Service, adminUrl: string): Promise<void> {
  const url = await emptyDatabase(adminUrl, "plumbline_bench_many");
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await buildManyTables(client, tables, rowsOfEach, say);
    await scanMany(say, service, url, await serverCpu(client));
  } finally {
    await client.end();
  }
}

async function scanMany(say: Say, service: Service, url: string, cpu: () => number): Promise<void> {
  const [cpuBefore, ownBefore] = [cpu(), process.cpuUsage()];
  const { ms, scanned, found } = await service.scan(await service.source(url));
  const [scanning, own] = [cpu() - cpuBefore, cpuOf(process.cpuUsage(ownBefore))];
  say(`${tables.toLocaleString("en")} tables of ${rowsOfEach.toLocaleString("en")} rows of 8 columns`);
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

/** The table's blocks that were read, from memory or disk. */
async function blocksOf(client: Sql): Promise<number> {
  const [read] = await client`
    select heap_blks_read + heap_blks_hit as blocks from pg_statio_user_tables where relname = 'orders'`;
  return Number(read?.blocks);
}

async function timedMs(work: () => PromiseLike<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function ifMissing(adminUrl: string, name: string): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    const found = await admin`select from pg_database where datname = ${name}`;
    if (found.length === 0) await admin.unsafe(`create database ${name}`);
  } finally {
    await admin.end();
  }
}
