import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import { exitCodeOf } from "../exit-code.mjs";

const program = join(import.meta.dirname, "../plumbline.mjs");

/** Runs the command as its own process, against a service on a port. */
export function aCommand(url: string, key: string) {
  return async (args: readonly string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, PLUMBLINE_URL: url, PLUMBLINE_API_KEY: key, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close") as Promise<[number | null]>,
    ]);
    return { code, stdout, stderr };
  };
}

/** The same in this process, one at a time: starting one costs more than most of what a command does. */
export function aCommandHere(url: string, key: string) {
  return async (args: readonly string[], env: Record<string, string> = {}) => {
    const [stdout, stderr] = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockReturnValue(true),
    );
    const said = (spy: typeof stdout) => spy?.mock.calls.map(([chunk]) => chunk).join("") ?? "";
    try {
      const code = await exitCodeOf([...args], {
        ...{ ...process.env, PLUMBLINE_URL: url, PLUMBLINE_API_KEY: key },
        ...env,
      });
      return { code, stdout: said(stdout), stderr: said(stderr) };
    } finally {
      stdout?.mockRestore();
      stderr?.mockRestore();
    }
  };
}

/** Writes files, by their paths in a folder. */
export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** The files of a folder, by their paths in it. */
export function filesOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    paths
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]),
  );
}
