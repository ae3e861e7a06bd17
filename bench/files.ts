import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { overallScore } from "../server/data-quality/score.ts";
import { MeasurementQueue } from "../server/data-quality/service/measurement-queue.ts";
import { readingProcesses } from "../server/data-sources/engines/files/reading-process.ts";
import { files, openFolder } from "../server/data-sources/engines/files.ts";
import type { Say } from "./measure.ts";

/**
 * Evaluates a contract of eight rules on a CSV and a Parquet file of so many gigabytes (`GB`, 1 by default; `FORMAT=csv` or
 * `FORMAT=parquet` for one of them), made here and removed, and prints the seconds, the most memory of the process that
 * reads them, and the most of it and of this process together. Linux only: memory is read from /proc.
 */

const gigabytes = Number(process.env.GB ?? 1);
const onlyFormat = process.env.FORMAT;
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

const sizeOf = (name: string) => statSync(join(folder, name)).size;

/** As many rows as fill the file, from the size of a million. In a process of its own, so that its memory does not count here. */
function write(name: string, format: string): number {
  const copy = (rows: number) =>
    execFileSync(process.execPath, [
      join(import.meta.dirname, "files/write-orders.ts"),
      ...[join(folder, name), format, String(rows)],
    ]);
  copy(1_000_000);
  const rows = Math.ceil((gigabytes * 1e9) / (sizeOf(name) / 1_000_000));
  copy(rows);
  return rows;
}

/** A figure of a process's status, in MiB; 0 once it has ended. */
function memoryOf(pid: number, figure: "VmHWM" | "VmRSS"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${figure}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
async function measure(name: string, say: Say) {
  const place = { folder, patterns: [], only: { file: name, tableName: "orders" }, memoryMb };
  const source = openFolder(async () => place);
  let peak = 0;
  let peakTogether = 0;
  const watch = setInterval(() => {
    const pids = readingProcesses().map(({ pid }) => pid);
    peak = Math.max(peak, ...pids.map((pid) => memoryOf(pid, "VmHWM")));
    const together = [process.pid, ...pids].reduce((sum, pid) => sum + memoryOf(pid, "VmRSS"), 0);
    peakTogether = Math.max(peakTogether, together);
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
      peakTogether,
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
      if (onlyFormat !== undefined && name !== `orders.${onlyFormat}`) continue;
      const rows = write(name, format);
      say(`${name}: ${(sizeOf(name) / 1e9).toFixed(2)} GB, ${rows.toLocaleString("en")} rows`);
      const { peak, peakTogether, seconds, score } = await measure(name, say);
      say(
        `  types ${seconds.types?.toFixed(1)} s, ${rules.length} rules ${seconds.rules?.toFixed(1)} s, score ${score}, most memory ${Math.round(peak)} MiB, with this process ${Math.round(peakTogether)} MiB\n`,
      );
      rmSync(join(folder, name));
    }
  } finally {
    if (readdirSync(folder).length === 0 || process.env.BENCH_FOLDER === undefined)
      rmSync(folder, { recursive: true, force: true });
  }
}
