import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * `npm run bench -- keys`, `doors`, `evaluate`, `control-tower`, `mcp`, `search`, `schedule`, `simulate`, `retention`, `lists`,
 * `findings`, `compare`, `normal`, `causes`, `watch`, `files`, `imports`, `pages`, `browsing`, `house`,
 * `processes`, `partitions`, or `wide`: runs the benchmark of this name, which prints its figures.
 */
const name = process.argv[2] ?? "";
const file = join(import.meta.dirname, `${name}.ts`);
const isBenchmark =
  /^[a-z-]+$/.test(name) && !["run", "measure", "database", "random"].includes(name) && existsSync(file);
if (!isBenchmark) {
  process.stderr.write(
    "Say which: npm run bench -- keys, doors, evaluate, control-tower, mcp, search, schedule, simulate, retention, lists, findings, compare, normal, causes, watch, files, imports, pages, browsing, house, processes, partitions, or wide\n",
  );
  process.exit(1);
}
const { run } = (await import(file)) as { run: (say: (line: string) => void) => Promise<void> };
await run((line) => process.stdout.write(`${line}\n`));
