import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testFolder } from "./test-folder.ts";

/** As if it were a checkout: its name is in the folder's. */
const root = mkdtempSync(join(tmpdir(), "test-folder-"));
const onDisk = join(root, ".test");

afterAll(() => rmSync(root, { recursive: true }));

test.each(["/nowhere", "/proc"])("a run's data is on disk if %s is no memory with room", (inMemory) => {
  const { data, temporary, remove } = testFolder(root, onDisk, inMemory);
  expect({ data, temporary }).toEqual({ data: onDisk, temporary: null });
  writeFileSync(join(root, "kept"), "");
  remove();
  expect(readdirSync(root)).toEqual(["kept"]);
});

test("a run's data is in memory if there is room, and is removed, also what a killed run left behind", () => {
  const first = testFolder(root, onDisk);
  // This machine's memory decides.
  if (first.data === onDisk) return expect(first.temporary).toBeNull();
  expect(existsSync(first.temporary ?? "")).toBe(true);
  writeFileSync(join(first.data, "left-behind"), "");
  const next = testFolder(root, onDisk);
  expect(next.data).toBe(first.data);
  expect(readdirSync(next.data)).toEqual(["tmp"]);
  next.remove();
  expect(existsSync(next.data)).toBe(false);
});
