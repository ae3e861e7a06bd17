import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Say } from "./measure.ts";
import { onAPhone } from "./pages/on-a-phone.ts";

/**
 * The script that each page needs before it is interactive, as the build lists it, compressed as browsers get it and by gzip: `npm run bench -- pages`,
 * after a build; then when they respond on a phone. What a page loads later, when it is used, is not counted. kB are 1,000 bytes. The framework's own share
 * is that of the page for unknown addresses, which has nothing of the console.
 */
const goals: Record<string, number> = {
  "/control-tower": 220,
  "/data-quality/contracts/[id]/edit": 280,
  "/queries/[id]": 350,
};

const root = join(import.meta.dirname, "..");
const list = join(root, ".next/diagnostics/route-bundle-stats.json");

export async function run(say: Say): Promise<void> {
  if (!existsSync(list)) return say("There is no build: run npm start or npm run build first");
  const routes = JSON.parse(readFileSync(list, "utf8")) as { route: string; firstLoadChunkPaths: string[] }[];
  const pages = routes
    .map(({ route, firstLoadChunkPaths }) => ({ route, ...sizesOf(firstLoadChunkPaths) }))
    .toSorted((one, other) => one.sent - other.sent);
  const framework = pages.find(({ route }) => route === "/_not-found")?.sent ?? 0;
  say("| page | kB | beyond the framework's | by gzip | goal |\n|---|---|---|---|---|");
  for (const { route, sent, gzip } of pages) {
    const goal = goals[route];
    const words = goal === undefined ? "" : `${goal}${sent <= goal * 1000 ? "" : ": missed"}`;
    say(`| ${route} | ${kB(sent)} | ${kB(sent - framework)} | ${kB(gzip)} | ${words} |`);
  }
  await onAPhone(say);
}

const known = new Map<string, { sent: number; gzip: number }>();

function measured(file: string): { sent: number; gzip: number } {
  const gzip = gzipSync(readFileSync(file)).length;
  return { gzip, sent: existsSync(`${file}.br`) ? statSync(`${file}.br`).size : gzip };
}

/** In bytes, of some of the build's files. */
function sizesOf(paths: readonly string[]): { sent: number; gzip: number } {
  let [sent, gzip] = [0, 0];
  for (const path of paths) {
    const sizes = known.get(path) ?? measured(join(root, path));
    known.set(path, sizes);
    sent += sizes.sent;
    gzip += sizes.gzip;
  }
  return { sent, gzip };
}

const kB = (bytes: number) => (bytes / 1000).toFixed(0);
