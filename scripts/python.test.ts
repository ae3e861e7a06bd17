import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRest } from "../cli/service.fixture.ts";
import { setUp } from "../server/auth/service/set-up.ts";
import { closeSources } from "../server/data-sources/service/connected-sources.ts";
import { verifyEncryptionKey } from "../server/db/encryption-check.ts";
import { loadDemo } from "../server/demo/load.ts";
import { aKey } from "../server/test/factories/api-keys.ts";

/**
 * The operators for Airflow and Dagster, against a service with the demo: with the Python that TEST_PYTHON_AIRFLOW names, and
 * the one that TEST_PYTHON_DAGSTER names, each of which has pytest and the real thing.
 */
const folder = join(import.meta.dirname, "../deploy/python");
const pythons = { Airflow: process.env.TEST_PYTHON_AIRFLOW, Dagster: process.env.TEST_PYTHON_DAGSTER };
const isAny = Object.values(pythons).some(Boolean);
const names = { database: "demo_python_test", reader: "demo_python_reader" };
const databaseUrl = process.env.DATABASE_URL ?? "";
let service: Awaited<ReturnType<typeof startRest>>;
let key: string;
let copy: string;

beforeAll(async () => {
  if (!isAny) return;
  await verifyEncryptionKey();
  await setUp({ name: "Ada", email: "ada@example.com", password: "a long enough password" });
  await loadDemo(databaseUrl, names);
  service = await startRest();
  key = (await aKey()).rawKey;
  // Building a package leaves files beside its sources.
  copy = mkdtempSync(join(tmpdir(), "plumbline-python-"));
  cpSync(folder, copy, { recursive: true });
}, 180_000);

afterAll(async () => {
  if (!service) return;
  service.close();
  rmSync(copy, { recursive: true, force: true });
  await closeSources();
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database ${names.database} with (force)`);
  await admin.unsafe(`drop role ${names.reader}`);
  await admin.end();
});

async function run(python: string, args: string[]) {
  const child = spawn(python, args, {
    cwd: copy,
    env: { ...process.env, PLUMBLINE_URL: service.url, PLUMBLINE_API_KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, output: stdout + stderr };
}

async function mustPass(tool: keyof typeof pythons) {
  const python = pythons[tool] ?? "";
  const installed = await run(python, ["-m", "pip", "install", "--quiet", "--no-deps", "."]);
  expect(installed.code, installed.output).toBe(0);
  const { code, output } = await run(python, [
    ...["-m", "pytest", "-q", "-p", "no:cacheprovider"],
    ...["tests/test_client.py", `tests/test_${tool.toLowerCase()}.py`],
  ]);
  expect(code, output).toBe(0);
  expect(output).not.toContain("skipped");
}

const timeout = 600_000;
test.skipIf(!pythons.Airflow)("the operators work in Airflow", { timeout }, () => mustPass("Airflow"));
test.skipIf(!pythons.Dagster)("the operators work in Dagster", { timeout }, () => mustPass("Dagster"));
