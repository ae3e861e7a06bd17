import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockDataFolder, openDataFolder } from "./data-folder.ts";

const root = mkdtempSync(join(tmpdir(), "plumbline-folder-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A process that holds the lock until it is killed. */
async function holderOf(folder: string) {
  const script = `
    import { lockDataFolder } from ${JSON.stringify(join(import.meta.dirname, "data-folder.ts"))};
    lockDataFolder(${JSON.stringify(folder)});
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout ?? child, "data");
  return child;
}

test("a data folder is created with its parents, and left empty", () => {
  const folder = openDataFolder(join(root, "a/b"));
  expect(existsSync(folder)).toBe(true);
  expect(existsSync(join(folder, `.writable-${process.pid}`))).toBe(false);
});

test("a lock is respected while its process lives, and taken over if it was killed", async () => {
  const folder = openDataFolder(join(root, "killed"));
  const holder = await holderOf(folder);
  expect(() => lockDataFolder(folder)).toThrow(`in use by another Plumbline (process ${holder.pid})`);
  holder.kill("SIGKILL");
  await once(holder, "exit");

  const release = lockDataFolder(folder);
  expect(JSON.parse(readFileSync(join(folder, "plumbline.lock"), "utf8")).pid).toBe(process.pid);
  release();
  expect(existsSync(join(folder, "plumbline.lock"))).toBe(false);
});

test.each([
  [
    "a process that got the holder's number later",
    JSON.stringify({ pid: process.ppid, mark: "1 another boot" }),
  ],
  ["nothing readable", "{"],
])("a lock of %s is taken over", (_, text) => {
  const folder = openDataFolder(join(root, "stale"));
  writeFileSync(join(folder, "plumbline.lock"), text);
  lockDataFolder(folder)();
});
