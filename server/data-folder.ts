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
import { CannotStart } from "./cannot-start.ts";

/** The absolute path of DATA_DIR, which exists and can be written. Throws CannotStart. */
export function openDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // Root passes every access check; only writing tells whether the file system takes it.
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

/** One folder at a time: Node 20's recursive mkdir never returns below a file system such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    return;
  }
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Node's message without the code in front and the call behind: "permission denied". */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^[A-Z]+: /, "").replace(/, \w+ '.*$/, "");
}

type Holder = { pid: number; mark: string | null };

/**
 * Takes the data folder for this process, so that two services never share one. Returns what gives it back.
 *
 * A lock whose process has ended, however it ended, is taken over. Throws CannotStart while it lives.
 */
export function lockDataFolder(folder: string): () => void {
  const lock = join(folder, "plumbline.lock");
  const own = JSON.stringify({ pid: process.pid, mark: processMark(process.pid) } satisfies Holder);
  const claim = `${lock}.${process.pid}`;
  writeFileSync(claim, own);
  try {
    while (!linked(claim, lock)) takeAwayIfStale(lock, folder);
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

function takeAwayIfStale(lock: string, folder: string): void {
  const seen = textOf(lock);
  if (seen === null) return;
  const holder = holderIn(seen);
  if (holder && isAlive(holder))
    throw new CannotStart(`the data folder ${folder} is in use by another Plumbline (process ${holder.pid})`);
  const aside = `${lock}.stale-${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // Somebody else was quicker; the next attempt sees who holds it now.
  }
  // Between reading and renaming another process may have taken over: then it is theirs again.
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

/** Whether the very process that took the lock still runs, and not another that was given its number. */
function isAlive({ pid, mark }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return pid !== process.pid && processMark(pid) === mark;
}

/** When a process began, as its operating system writes it; with the boot, on Linux. null where it cannot be told. */
function processMark(pid: number): string | null {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in parentheses may hold spaces; state is field 3 and the start time field 22.
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
