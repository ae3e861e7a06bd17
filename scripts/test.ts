import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startEmbeddedDatabase } from "../server/db/embedded.ts";
import { lockDataFolder, openDataFolder } from "../server/process/data-folder.ts";
import { keptSecrets } from "../server/process/secrets.ts";
import { findChromium } from "./find-chromium.ts";
import { withMysql } from "./mysql-for-tests.ts";
import { type Parts, partsOf } from "./test-parts.ts";

/**
 * `npm test`: starts what the tests need, runs every check, and ends with a line that counts passes and failures. A
 * failed check does not stop the others. `npm test -- <part> …` runs only some parts (see test-parts.ts).
 *
 * Uses TEST_DATABASE_URL (a superuser's address) if set, otherwise starts a PostgreSQL for the run.
 * TEST_MYSQL_URL does the same for MySQL or MariaDB (an administrator's address).
 * TEST_SQLSERVER_URL names a SQL Server (mssql://user:password@host:port/database). There is no fallback: without one,
 * its tests are skipped, which is reported at the end. The same goes for an Inngest server, which TEST_INNGEST_URL
 * names (docs/jobs.md).
 * CHROMIUM_PATH names the browser; otherwise one is looked for, and installed if possible.
 */
const root = join(import.meta.dirname, "..");
const scratch = join(root, ".test");
const count = { passed: 0, failed: 0 };
/** Messages from tests, printed at the end. */
const remarks: string[] = [];
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
  NEXT_TELEMETRY_DISABLED: "1",
  // Hundreds of processes share what one has compiled.
  NODE_COMPILE_CACHE: join(scratch, "compiled"),
};

let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    isInterrupted = true;
  });

async function runParts({ lint, types, unit, e2e }: Parts): Promise<void> {
  mkdirSync(scratch, { recursive: true });
  if (lint) await check("Format and lint", "biome", ["check", "."]);
  // The build comes before the type check, because it generates the types of the routes.
  const isBuilt = (types || e2e) && (await check("Build", "node", ["scripts/prepare.mjs", "build"]));
  if (types) await check("Types", "tsc", ["--noEmit"]);
  if (!unit && !e2e) return;
  await withDatabase(async (adminUrl) => {
    env.TEST_DATABASE_URL = adminUrl;
    if (unit) await withMysqlFor(() => unitTests(unit));
    if (!e2e) return;
    if (isBuilt) await browserTests(e2e);
    else fail("The journeys in a browser were not run: there is no build");
  });
}

/** Without a MySQL, nothing is skipped silently: the tests that need it fail, and so does the run. */
async function withMysqlFor(tests: () => Promise<void>): Promise<void> {
  if (env.TEST_MYSQL_URL) return tests();
  let isUp = false;
  try {
    await withMysql({ folder: join(scratch, "mysql"), say }, async (adminUrl) => {
      isUp = true;
      env.TEST_MYSQL_URL = adminUrl;
      await tests();
    });
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
    if (!isUp) await tests();
  }
}

async function unitTests(paths: string[]): Promise<void> {
  const report = join(scratch, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  await suite("Tests", "vitest", ["run", ...reporters, ...paths], report, (json: VitestReport) => {
    const tests = json.testResults.flatMap(({ assertionResults }) => assertionResults);
    remarks.push(...tests.flatMap(({ meta }) => meta?.summary ?? []));
    return {
      passed: json.numPassedTests,
      // A file that cannot be loaded has no tests that could fail.
      failed: json.numFailedTests + json.testResults.filter(isBrokenFile).length,
    };
  });
}

type VitestFile = {
  status: string;
  assertionResults: { status: string; meta?: { summary?: string } }[];
};
type VitestReport = { numPassedTests: number; numFailedTests: number; testResults: VitestFile[] };

function isBrokenFile({ status, assertionResults }: VitestFile): boolean {
  return status === "failed" && assertionResults.every((test) => test.status !== "failed");
}

async function browserTests(journeys: string[]): Promise<void> {
  const chromium = findChromium() ?? installBrowser();
  if (!chromium) return fail("The journeys need Chromium: install it, or set CHROMIUM_PATH to it");
  env.CHROMIUM_PATH = chromium;
  const report = join(scratch, "playwright.json");
  env.PLAYWRIGHT_JSON_OUTPUT_FILE = report;
  // One worker is enough for one file, which saves starting a second service.
  const args = ["test", ...journeys, ...(journeys.length === 1 ? ["--workers=1"] : [])];
  await suite("Journeys in a browser", "playwright", args, report, (json: PlaywrightReport) => ({
    passed: json.stats.expected,
    failed: json.stats.unexpected + json.stats.flaky,
  }));
}

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } };

/** Runs tests that write a report, and adds its counts. */
async function suite<Report>(
  title: string,
  command: string,
  args: string[],
  report: string,
  countIn: (report: Report) => { passed: number; failed: number },
): Promise<void> {
  rmSync(report, { force: true });
  const isGreen = await run(title, command, args);
  const counted = existsSync(report) ? countIn(JSON.parse(readFileSync(report, "utf8"))) : null;
  count.passed += counted?.passed ?? 0;
  count.failed += counted?.failed ?? 0;
  // Not every failure is a failed test: the suite itself may have failed.
  if (!isGreen && !counted?.failed) fail(`${title}: failed outside of any test`);
  if (isGreen && !counted?.passed) fail(`${title}: no test was run`);
}

/** Runs a check that either passes or fails; counts as one. */
async function check(title: string, command: string, args: string[]): Promise<boolean> {
  const isGreen = await run(title, command, args);
  if (isGreen) count.passed += 1;
  else fail(`${title}: failed`);
  return isGreen;
}

function run(title: string, command: string, args: string[]): Promise<boolean> {
  if (isInterrupted) return Promise.resolve(false);
  say(`\n── ${title}: ${command} ${args[0]}`);
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    child.once("error", (error) => {
      say(error.message);
      resolve(false);
    });
    child.once("exit", (code) => {
      say(
        `── ${title}: ${code === 0 ? "passed" : "failed"} after ${((Date.now() - started) / 1000).toFixed(1)} s`,
      );
      resolve(code === 0);
    });
  });
}

/** A PostgreSQL for this run, unless one is configured. Its data is deleted afterwards. */
async function withDatabase(work: (adminUrl: string) => Promise<void>): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return work(process.env.TEST_DATABASE_URL);
  const folder = openDataFolder(join(scratch, "database"));
  const release = lockDataFolder(folder);
  const password = keptSecrets(folder).databasePassword;
  const database = await startEmbeddedDatabase({ folder, password, durable: false });
  try {
    await work(database.adminUrl);
  } finally {
    await database.stop();
    release();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Only if it takes a single command: as root, on a system with Debian's packages. */
function installBrowser(): string | null {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  say("\n── Chromium is not here: installing Debian's");
  const options = { stdio: "inherit", env: { ...env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  spawnSync("apt-get", ["update", "-qq"], options);
  // Older releases have only the one with windows.
  for (const name of ["chromium-headless-shell", "chromium"]) {
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], options);
    const installed = findChromium();
    if (installed) return installed;
  }
  return null;
}

/** The names of the journeys in `e2e/`: "keys" for keys.spec.ts. */
function journeys(): string[] {
  return readdirSync(join(root, "e2e")).flatMap((file) => /^(.+)\.spec\.ts$/.exec(file)?.[1] ?? []);
}

function fail(why: string): void {
  count.failed += 1;
  say(`✗ ${why}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await runParts(partsOf(process.argv.slice(2), journeys()));
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
if (isInterrupted) fail("The run was interrupted");
for (const remark of remarks) say(`\n${remark}`);
if (!env.TEST_SQLSERVER_URL)
  say("\nThe tests on a real SQL Server were not run: TEST_SQLSERVER_URL is not set");
if (!env.TEST_INNGEST_URL)
  say("\nThe tests on a real Inngest server were not run: TEST_INNGEST_URL is not set");
say(`\n${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 ? 0 : 1);
