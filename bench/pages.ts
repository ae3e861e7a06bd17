import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Say } from "./measure.ts";
import { onAPhone } from "./pages/on-a-phone.ts";

/**
 * The compressed script that each page needs before it is interactive, as the build lists it: `npm run bench -- pages`,
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
  const known = new Map<string, number>();
  const sizeOf = (path: string): number => {
    const size = known.get(path) ?? gzipSync(readFileSync(join(root, path))).length;
    known.set(path, size);
    return size;
  };
  const pages = routes
    .map(({ route, firstLoadChunkPaths: paths }) => ({
      route,
      size: paths.reduce((sum, path) => sum + sizeOf(path), 0),
    }))
    .toSorted((one, other) => one.size - other.size);
  const framework = pages.find(({ route }) => route === "/_not-found")?.size ?? 0;
  say("| page | kB | beyond the framework's | goal |\n|---|---|---|---|");
  for (const { route, size } of pages) {
    const goal = goals[route];
    const words = goal === undefined ? "" : `${goal}${size <= goal * 1000 ? "" : ": missed"}`;
    say(`| ${route} | ${kB(size)} | ${kB(size - framework)} | ${words} |`);
  }
  await onAPhone(say);
}

const kB = (bytes: number) => (bytes / 1000).toFixed(0);
