import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "../env.ts";
import { keptSecrets } from "./secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "plumbline-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("secrets are generated once, are valid settings, and only readable by their owner", () => {
  const made = keptSecrets(folder);
  expect(keptSecrets(folder)).toEqual(made);
  expect(statSync(join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
  expect(() =>
    readSettings({ ENCRYPTION_KEY: made.encryptionKey, NEXTAUTH_SECRET: made.nextAuthSecret }),
  ).not.toThrow();
});

test("a damaged file is not replaced by new secrets", () => {
  const file = join(folder, "secrets.json");
  writeFileSync(file, readFileSync(file, "utf8").slice(0, 40));
  expect(() => keptSecrets(folder)).toThrow(/secrets\.json cannot be read/);
});
