import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CannotStart } from "../errors.ts";

/** The absolute path of DATA_DIR, created and writable. Throws CannotStart. */
export function openDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // Root passes every access check; only a write shows whether the file system is writable.
    const probe = join(folder, `.writable-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw new CannotStart(
      `the data folder ${folder} cannot be used: ${reason(error)}; set DATA_DIR to another`,
    );
  }
  return folder;
}

/** One level at a time: Node 20's recursive mkdir never returns below a file system such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    return;
  }
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Node's message without the code and the call: "permission denied". */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^[A-Z]+: /, "").replace(/, \w+ '.*$/, "");
}

type Holder = { pid: number; mark: string | null };

/**
 * Locks the data folder for this process, so that two services never share one. Returns a function that unlocks it.
 *
 * The lock of a dead process is taken over. Throws CannotStart if its process is alive.
 */
export function lockDataFolder(folder: string): () => void {
  const lock = join(folder, "plumbline.lock");
  const own = JSON.stringify({ pid: process.pid, mark: processMark(process.pid) } satisfies Holder);
  const claim = `${lock}.${process.pid}`;
  writeFileSync(claim, own);
  try {
    while (!linked(claim, lock)) removeIfStale(lock, folder);
  } finally {
    rmSync(claim, { force: true });
  }
  return () => {
    if (textOf(lock) === own) rmSync(lock, { force: true });
  };
}

/** Linking a complete file is atomic: the lock is never seen half written. */
function linked(claim: string, lock: string): boolean {
  try {
    linkSync(claim, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function removeIfStale(lock: string, folder: string): void {
  const seen = textOf(lock);
  if (seen === null) return;
  const holder = holderIn(seen);
  if (holder && isAlive(holder))
    throw new CannotStart(`the data folder ${folder} is in use by another Plumbline (process ${holder.pid})`);
  const aside = `${lock}.stale-${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // Someone else was quicker; the next attempt sees who holds it now.
  }
  // Another process may have taken the lock over between the read and the rename: give it back.
  if (textOf(aside) !== seen) linked(aside, lock);
  rmSync(aside, { force: true });
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function holderIn(text: string): Holder | null {
  try {
    const { pid, mark } = JSON.parse(text) as Holder;
    return Number.isInteger(pid) ? { pid, mark } : null;
  } catch {
    return null;
  }
}

/** Whether the process that took the lock still runs, not another one that reuses its pid. */
function isAlive({ pid, mark }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return pid !== process.pid && processMark(pid) === mark;
}

/** When a process started, as the operating system reports it (on Linux with the boot id), or null if unknown. */
function processMark(pid: number): string | null {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in parentheses may contain spaces; state is field 3 and the start time field 22.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (fields[0] === "Z") return "ended";
      return `${fields[19]} ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
    }
    if (process.platform === "win32") return null;
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}
