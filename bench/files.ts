import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { DuckDBInstance } from "@duckdb/node-api";
import { overallScore } from "../server/data-quality/score.ts";
import { MeasurementQueue } from "../server/data-quality/service/measurement-queue.ts";
import { readingProcesses } from "../server/data-sources/engines/files/reading-process.ts";
import { files, openFolder } from "../server/data-sources/engines/files.ts";
import type { Say } from "./measure.ts";

/**
 * Evaluates a contract of eight rules on a CSV and a Parquet file of so many gigabytes (`GB`, 1 by default), made here
 * and removed, and prints the seconds and the most memory of the process that reads them. Linux only: memory is read
 * from /proc.
 */

const gigabytes = Number(process.env.GB ?? 1);
const memoryMb = Number(process.env.FILES_MEMORY_MB ?? 1024);
const folder = resolve(process.env.BENCH_FOLDER ?? ".bench-files");

const rules = [
  { type: "Volume", configuration: { minRows: 1 } },
  { type: "NullRate", configuration: { column: "customer", maxNullPercent: 1 } },
  { type: "Range", configuration: { column: "price", min: "0", max: "999.99" } },
  { type: "Pattern", configuration: { column: "code", pattern: "^ORD-[0-9]+$" } },
  { type: "AllowedValues", configuration: { column: "status", values: ["new", "paid", "sent"] } },
  { type: "Freshness", configuration: { column: "placed", maxAgeMinutes: 100_000_000 } },
  { type: "Uniqueness", configuration: { column: "id" } },
  { type: "UniqueCombination", configuration: { columns: ["id", "code"] } },
] as const;

const rowsOf = (from: number, count: number) => `
  select n as id, 'ORD-' || n as code, (hash(n) % 100000)::bigint as customer, ((hash(n) % 99999) / 100)::decimal(10, 2) as price,
    ['new', 'paid', 'sent'][1 + (n % 3)::integer] as status, timestamp '2024-01-01' + to_seconds(n % 30000000) as placed,
    md5(n::varchar) as note
  from range(${from}, ${from + count}) as t(n)`;

const sizeOf = (name: string) => statSync(join(folder, name)).size;

/** As many rows as fill the file, from the size of a million. */
async function write(name: string, format: string): Promise<number> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "1GiB", threads: "2" });
  const connection = await instance.connect();
  const copy = (rows: number) =>
    connection.run(`copy (${rowsOf(0, rows)}) to '${join(folder, name)}' (${format})`);
  await copy(1_000_000);
  const rows = Math.ceil((gigabytes * 1e9) / (sizeOf(name) / 1_000_000));
  await copy(rows);
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** The most memory that a process has had so far, in MiB. */
const peakOf = (pid: number) =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

async function measure(name: string, say: Say) {
  const place = { folder, patterns: [], only: { file: name, tableName: "orders" }, memoryMb };
  const source = openFolder(async () => place);
  let peak = 0;
  const watch = setInterval(() => {
    for (const { pid } of readingProcesses()) peak = Math.max(peak, peakOf(pid));
  }, 100);
  const seconds: Record<string, number> = {};
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    seconds[what] = (performance.now() - startedAt) / 1000;
    return result;
  };
  try {
    const { items } = await timed("types", () => source.introspect());
    const [table] = items[0]?.tables ?? [];
    const columnTypes = new Map((table?.columns ?? []).map(({ name: column, type }) => [column, type]));
    const target = { schemaName: "main", tableName: "orders", columnTypes };
    const all = rules.map((rule) => ({ ...rule, severity: "Medium" as const, weight: 1 }));
    const queue = new MeasurementQueue(all, target, { report: async () => {} }, true);
    queue.plan(files.dialect);
    const results = await timed("rules", async () => {
      await source.session(async (session) => {
        await queue.check(session);
        for (let scan = queue.take(); scan; scan = queue.take()) await queue.read(session, scan);
      });
      return queue.results();
    });
    for (const { rule, verdict, executionTimeMs } of results)
      say(
        `  ${rule.type.padEnd(18)} ${(executionTimeMs / 1000).toFixed(1).padStart(6)} s  ${verdict.passed ? "passed" : `failed: ${verdict.message ?? verdict.actualValue}`}`,
      );
    return {
      peak,
      seconds,
      score: overallScore(results.map(({ rule, verdict }) => ({ ...rule, score: verdict.score }))),
    };
  } finally {
    clearInterval(watch);
    await source.close();
  }
}

export async function run(say: Say): Promise<void> {
  mkdirSync(folder, { recursive: true });
  try {
    say(
      `Files of ${gigabytes} GB, ${memoryMb} MiB for the process, ${Math.round(totalmem() / 2 ** 30)} GiB of memory in the machine\n`,
    );
    for (const [name, format] of [
      ["orders.csv", "format csv, header"],
      ["orders.parquet", "format parquet, compression snappy"],
    ] as const) {
      const rows = await write(name, format);
      say(`${name}: ${(sizeOf(name) / 1e9).toFixed(2)} GB, ${rows.toLocaleString("en")} rows`);
      const { peak, seconds, score } = await measure(name, say);
      say(
        `  types ${seconds.types?.toFixed(1)} s, ${rules.length} rules ${seconds.rules?.toFixed(1)} s, score ${score}, most memory ${Math.round(peak)} MiB\n`,
      );
      rmSync(join(folder, name));
    }
  } finally {
    if (readdirSync(folder).length === 0 || process.env.BENCH_FOLDER === undefined)
      rmSync(folder, { recursive: true, force: true });
  }
}
