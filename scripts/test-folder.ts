import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Linux's file system for shared memory. */
const sharedMemory = "/dev/shm";
/** statfs's name for tmpfs. */
const tmpfs = 0x01021994;
/** A run takes at most about a third of it. */
const neededBytes = 4 * 2 ** 30;

export type TestFolder = {
  /** For databases and data folders. */
  data: string;
  /** For what the tests make in the system's folder for such files, if that should be elsewhere. */
  temporary: string | null;
  remove(): void;
};

/**
 * Where the data of a test run lies: in memory if there is plenty, else in a folder. A run creates and drops some
 * hundreds of databases of a thousand files each, and a journaling file system such as ext4 searches ever longer for
 * places of new files among those that were just deleted: a twelfth of the processor time of all but the journeys.
 *
 * @param root the checkout's folder. There is one run at a time in each, so what a killed one left behind is removed.
 * @param onDisk the folder to use if there is not enough memory.
 */
export function testFolder(root: string, onDisk: string, inMemory = sharedMemory): TestFolder {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 8);
  const folder = join(inMemory, `plumbline-tests-${name}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (!isRoomy(inMemory)) return { data: onDisk, temporary: null, remove() {} };
  try {
    remove();
    // Fails if someone else, who may write there as well, has been faster.
    mkdirSync(folder);
    const temporary = join(folder, "tmp");
    mkdirSync(temporary);
    if (canRunPrograms(temporary)) {
      // Databases run as an account of their own.
      chmodSync(temporary, 0o1777);
      return { data: folder, temporary, remove };
    }
    remove();
  } catch {
    // Someone else's folder has that name, or there is no room after all: a disk serves as well.
  }
  return { data: onDisk, temporary: null, remove() {} };
}

function isRoomy(folder: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    return type === tmpfs && bavail * bsize >= neededBytes && process.availableMemory() >= 2 * neededBytes;
  } catch {
    return false;
  }
}

/** Containers often forbid it there, and some tests make programs. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
