import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startEmbeddedDatabase } from "../server/db/embedded.ts";
import { lockDataFolder, openDataFolder } from "../server/process/data-folder.ts";
import { keptSecrets } from "../server/process/secrets.ts";
import { findChromium } from "./find-chromium.ts";
import { withMysql } from "./mysql-for-tests.ts";
import {
  type Attempt,
  combined,
  filesToRepeat,
  type Outcome,
  type PlaywrightReport,
  playwrightAttempt,
} from "./test-attempts.ts";
import { testFolder } from "./test-folder.ts";
import { type Parts, partsOf } from "./test-parts.ts";

/**
 * `npm test`: starts what the tests need, runs every check, and ends with a line that counts passes and failures. A
 * failed check does not stop the others, and a failed test gets a second attempt. `npm test -- <part> …` runs only some parts (see test-parts.ts).
 *
 * Uses TEST_DATABASE_URL (a superuser's address) if set, otherwise starts a PostgreSQL for the run.
 * TEST_MYSQL_URL does the same for MySQL or MariaDB (an administrator's address).
 * TEST_SQLSERVER_URL names a SQL Server (mssql://user:password@host:port/database). There is no fallback: without one,
 * its tests are skipped, which is reported at the end. So it is with TEST_CLICKHOUSE_URL
 * (clickhouse://user:password@host:port/database; see scripts/chdb-server.py), TEST_SNOWFLAKE_URL (http://host:port; see
 * scripts/fakesnow-server.py), TEST_BIGQUERY_URL (the same; see scripts/local-bigquery.py), and TEST_TRINO_URL
 * (http://user@host:port/catalog) with TEST_TRINO_TLS_URL beside it (see scripts/trino-server); with TEST_TERRAFORM_PATH, an
 * OpenTofu or Terraform for the tests of the provider, which takes Go as well; with TEST_PYTHON_AIRFLOW and
 * TEST_PYTHON_DAGSTER, Pythons that have these; and with TEST_INNGEST_URL, an Inngest server (docs/jobs.md).
 * CHROMIUM_PATH names the browser; otherwise one is looked for, and installed if possible.
 */
const root = join(import.meta.dirname, "..");
const scratch = join(root, ".test");
const count = { passed: 0, failed: 0 };
/** Messages from tests, printed at the end. */
const remarks: string[] = [];
/** Tests that failed at first, printed at the end. */
const passedLate: string[] = [];
/** What makes the run fail, printed at the end: of a long output, it is what is read. */
const failures: string[] = [];
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
  // Each checker of the usual four checks part of the same types again, and two cores have no use for four.
  if (types) await check("Types", "tsc", ["--noEmit", "--checkers", "2"]);
  if (!unit && !e2e) return;
  const { data, temporary, remove } = testFolder(root, scratch);
  env.TEST_SCRATCH = data;
  if (temporary) env.TMPDIR = temporary;
  try {
    await withDatabase(data, async (adminUrl) => {
      env.TEST_DATABASE_URL = adminUrl;
      if (unit) await withMysqlFor(data, () => unitTests(unit));
      if (!e2e) return;
      if (isBuilt) await browserTests(e2e);
      else fail("The journeys in a browser were not run: there is no build");
    });
  } finally {
    remove();
  }
}

/** Without a MySQL, nothing is skipped silently: the tests that need it fail, and so does the run. */
async function withMysqlFor(data: string, tests: () => Promise<void>): Promise<void> {
  if (env.TEST_MYSQL_URL) return tests();
  let isUp = false;
  try {
    await withMysql({ folder: join(data, "mysql"), say }, async (adminUrl) => {
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
  await suite("Tests", paths, async (title, files, name) => {
    const report = join(scratch, `${name("vitest")}.json`);
    const reporters = ["--reporter=default", "--reporter=./scripts/test-report.ts"];
    return attempt(title, "vitest", ["run", ...reporters, ...files], report, {
      variables: { TEST_REPORT: report },
      read: (attempt: Attempt) => attempt,
    });
  });
}

async function browserTests(journeys: string[]): Promise<void> {
  const chromium = findChromium() ?? installBrowser();
  if (!chromium) return fail("The journeys need Chromium: install it, or set CHROMIUM_PATH to it");
  env.CHROMIUM_PATH = chromium;
  await suite("Journeys in a browser", journeys, async (title, files, name) => {
    const report = join(scratch, `${name("playwright")}.json`);
    // One worker is enough for one file, which saves starting a second service.
    const workers = files.length === 1 ? ["--workers=1"] : [];
    // What the first attempt kept of a failure stays.
    const output = `--output=${join(scratch, name("playwright"))}`;
    return attempt(title, "playwright", ["test", ...files, ...workers, output], report, {
      variables: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      read: (json: PlaywrightReport) => playwrightAttempt(json, "e2e"),
    });
  });
}

/** Runs some of a suite's files, or all if none are named. `name` tells the files of the two attempts apart. */
type Run = (title: string, files: string[], name: (base: string) => string) => Promise<Attempt | null>;

/**
 * Runs a suite and adds its counts. Files with a failed test run once more, by themselves, when everything else is over:
 * whether a test passes must not depend on what else the machine did.
 */
async function suite(title: string, files: string[], runFiles: Run): Promise<void> {
  const first = await runFiles(title, files, (base) => base);
  if (!first) return;
  const repeated = isInterrupted ? [] : filesToRepeat(first);
  const second =
    repeated.length > 0
      ? await runFiles(`${title}, second attempt`, repeated, (base) => `${base}-again`)
      : null;
  const { outcomes, errors, remarks: said, late } = second ? combined(first, second) : { ...first, late: [] };
  for (const error of errors) fail(`${title}: ${error}`);
  for (const { state } of outcomes) if (state !== "skipped") count[state] += 1;
  if (outcomes.every(({ state }) => state !== "passed")) fail(`${title}: no test passed`);
  remarks.push(...said);
  const named = ({ file, title: test }: Outcome) => `- ${file}: ${test}`;
  passedLate.push(...late.map(named));
  failures.push(...outcomes.filter(({ state }) => state === "failed").map(named));
}

/** null if there is no report: then it counts as failed already. */
async function attempt<Report>(
  title: string,
  command: string,
  args: string[],
  report: string,
  { variables, read }: { variables: Record<string, string>; read: (report: Report) => Attempt },
): Promise<Attempt | null> {
  rmSync(report, { force: true });
  Object.assign(env, variables);
  const isGreen = await run(title, command, args);
  const done = existsSync(report) ? read(JSON.parse(readFileSync(report, "utf8"))) : null;
  // Not every failure is a failed test: the suite itself may have failed.
  const isExplained =
    done && (done.errors.length > 0 || done.outcomes.some(({ state }) => state === "failed"));
  if (!done || (!isGreen && !isExplained)) fail(`${title}: failed outside of any test`);
  return done;
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
async function withDatabase(data: string, work: (adminUrl: string) => Promise<void>): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return work(process.env.TEST_DATABASE_URL);
  const folder = openDataFolder(join(data, "database"));
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
  failures.push(`- ${why}`);
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
if (passedLate.length > 0) say(`\nPassed only at the second attempt:\n${passedLate.join("\n")}`);
if (!env.TEST_SQLSERVER_URL)
  say("\nThe tests on a real SQL Server were not run: TEST_SQLSERVER_URL is not set");
if (!env.TEST_CLICKHOUSE_URL)
  say("\nThe tests on a real ClickHouse were not run: TEST_CLICKHOUSE_URL is not set");
if (!env.TEST_TIMESCALE_URL)
  say("\nThe tests on a real TimescaleDB were not run: TEST_TIMESCALE_URL is not set");
if (!env.TEST_SNOWFLAKE_URL)
  say("\nThe tests on an emulator of Snowflake were not run: TEST_SNOWFLAKE_URL is not set");
if (!env.TEST_BIGQUERY_URL)
  say("\nThe tests on an emulator of BigQuery were not run: TEST_BIGQUERY_URL is not set");
if (!env.TEST_TRINO_URL) say("\nThe tests on a real Trino were not run: TEST_TRINO_URL is not set");
if (!env.TEST_TERRAFORM_PATH)
  say("\nThe Terraform provider was not tested against a service: TEST_TERRAFORM_PATH is not set");
for (const [tool, name] of [
  ["Airflow", "TEST_PYTHON_AIRFLOW"],
  ["Dagster", "TEST_PYTHON_DAGSTER"],
] as const)
  if (!env[name]) say(`\nThe operators for ${tool} were not tested: ${name} is not set`);
if (!env.TEST_INNGEST_URL)
  say("\nThe tests on a real Inngest server were not run: TEST_INNGEST_URL is not set");
if (failures.length > 0) say(`\nFailed:\n${failures.join("\n")}`);
say(`\n${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 ? 0 : 1);
