import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Versions of the site side by side: a folder each, and `latest` with the newest release. */
export type Versions = { latest: string; versions: { version: string; pages: string[] }[] };

const form = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;

export const isVersion = (text: string) => form.test(text);

/** Newest first; a release before its previews. */
export function newestFirst(one: string, other: string): number {
  const [, ...a] = form.exec(one) ?? [];
  const [, ...b] = form.exec(other) ?? [];
  for (const part of [0, 1, 2]) {
    const difference = Number(b[part]) - Number(a[part]);
    if (difference !== 0) return difference;
  }
  if (a[3] === b[3]) return 0;
  if (!a[3] || !b[3]) return a[3] ? 1 : -1;
  return b[3].localeCompare(a[3], "en", { numeric: true });
}

/** The versions in a folder, with the pages of each: the menu stays on a page where the other version has it. */
export function versionsIn(folder: string): Versions {
  const found = existsSync(folder) ? readdirSync(folder).filter(isVersion).toSorted(newestFirst) : [];
  const versions = found.map((version) => ({
    version,
    pages: readdirSync(join(folder, version))
      .filter((name) => name.endsWith(".html"))
      .toSorted(),
  }));
  return { latest: found.find((version) => !version.includes("-")) ?? found[0] ?? "", versions };
}

export const versionsScript = (versions: Versions) =>
  `globalThis.siteVersions=${JSON.stringify(versions, null, 1)};\n`;
