import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import type { FolderConnection } from "../data-sources/connections/files.ts";
import { env } from "../env.ts";

/** A folder for a test, in which data sources of kind Files may be; it goes with the test. */
export function allowedTestFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "plumbline-test-")));
  env().FILES_ALLOW = [...env().FILES_ALLOW, folder];
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeFiles(folder: string, contents: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export const filesConnection = (folder: string, patterns: string[] = []): FolderConnection => ({
  folder,
  patterns,
});
