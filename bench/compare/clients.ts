import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { columns, type OrdersServer, tableWith } from "./orders.ts";

/** The programs that compare, each in a process of its own, so that its memory can be told. */
export type Client = "this rule" | "reladiff";
/** `idle` is what the program takes with its modules loaded, before it connects. */
export type Compared = { found: number; seconds: number; megabytes: number; idle: number; cpu: number };
type Run = () => Promise<Omit<Compared, "cpu">>;

/** null if the program is not there. */
export async function clientOf(
  client: Client,
  here: OrdersServer,
  there: OrdersServer,
  count: number,
): Promise<Run | null> {
  const tables = [tableWith(0), tableWith(count)] as const;
  if (client === "reladiff") return reladiff(here, there, tables);
  const asked = { here, there, tables, columns };
  const sides = JSON.stringify(asked, (key, value) => (key === "cpu" ? undefined : value));
  return async () => {
    const program = await bundled();
    const { megabytes: idle } = await measured(process.execPath, [program], () => 0);
    return { ...(await measured(process.execPath, [program, sides], (lines) => Number(lines.at(-1)))), idle };
  };
}

/**
 * The rule as the service runs it (scripts/bundle.mjs): bundled, so that no memory goes into translating sources, and in
 * pieces, so that a driver is loaded for its own data sources only.
 */
async function bundled(): Promise<string> {
  const outdir = join(import.meta.dirname, "../../.test/bench-compare");
  await build({
    entryPoints: [join(import.meta.dirname, "this-rule.ts")],
    ...{ outdir, bundle: true, splitting: true, platform: "node", format: "esm", logLevel: "error" },
    external: ["@clickhouse/client", "@duckdb/*", "mysql2", "tedious"],
    outExtension: { ".js": ".mjs" },
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
  return join(outdir, "this-rule.mjs");
}

/** A row that is different has two lines, the one here and the one there. */
function reladiff(here: OrdersServer, there: OrdersServer, tables: readonly [string, string]): Run | null {
  const program = programNamed("reladiff");
  if (!program) return null;
  const address = ({ url, kind }: OrdersServer) =>
    url.replace(/^\w+:/, kind === "MySql" ? "mysql:" : "postgresql:");
  const [own, other] = tables;
  const arguments_ = [address(here), own, address(there), other, "-k", "id"];
  for (const column of columns) arguments_.push("-c", column);
  const foundIn = (lines: readonly string[]) => {
    const keys = lines.flatMap((line) => /^[+-] (\d+)/.exec(line)?.[1] ?? []);
    return new Set(keys).size;
  };
  return async () => {
    const { megabytes: idle } = await measured(program, ["--version"], () => 0);
    return { ...(await measured(program, arguments_, foundIn)), idle };
  };
}

function programNamed(name: string): string | null {
  const given = process.env[name.toUpperCase()];
  const places = given
    ? [given]
    : (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return places.find((place) => isExecutable(place)) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs a program to its end: what it found by its output, how long it took, and the most memory that it had. */
async function measured(
  program: string,
  arguments_: readonly string[],
  foundIn: (lines: readonly string[]) => number,
): Promise<Omit<Compared, "cpu" | "idle">> {
  const startedAt = performance.now();
  const child = spawn(program, arguments_, { stdio: ["ignore", "pipe", "pipe"] });
  const [lines, errors] = [linesOf(child.stdout), linesOf(child.stderr)];
  let kilobytes = 0;
  const timer = setInterval(() => {
    kilobytes = Math.max(kilobytes, peakOf(child));
  }, 20);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${(await errors).slice(-5).join("\n")}`);
  return { found: foundIn(await lines), seconds, megabytes: kilobytes / 1024 };
}

async function linesOf(stream: NodeJS.ReadableStream): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: stream })) lines.push(line);
  return lines;
}

/** The kilobytes that a process has had at most; 0 where that cannot be told. */
function peakOf({ pid }: ChildProcess): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
