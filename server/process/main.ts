import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { publicUrl, readSettings, SettingError, type Settings } from "../env.ts";
import { CannotStart, reasonOf } from "../errors.ts";
import type { Engine } from "../jobs/engine/engine.ts";
import { packageRoot } from "../program-files.ts";
import { withSources } from "../telemetry/sources-in-stack.ts";
import { lockDataFolder, openDataFolder } from "./data-folder.ts";
import { useLittleMemory } from "./little-memory.ts";
import { requireFreePort } from "./port.ts";
import { givenSecrets, keptSecrets } from "./secrets.ts";

/**
 * The process. `npm start` runs it on a build, `npm run dev` with `--dev`.
 *
 * Everything that is opened here pushes a cleanup to `closers`, run in reverse order. Modules that use the database
 * or Next are imported late, because they read their settings when loaded.
 */
const isDev = process.argv.includes("--dev");
const closers: (() => void | Promise<void>)[] = [];

async function start(): Promise<void> {
  useLittleMemory();
  const settings = readSettings();
  await watchStrayErrors();
  await requireFreePort(settings);
  const database = settings.DATABASE_URL ? givenDatabase(settings) : await embeddedDatabase(settings);
  completeEnvironment(settings, database);
  await openDatabase(database);
  requireBuild();
  await createFirstAdmin(settings);
  if (wantsDemo(settings)) await loadDemo(database.ownerUrl);
  await startTracing(settings);
  await startMetricsExport(settings);
  const engine = await startJobs(settings);
  await startServing(settings, engine);
  await printSetupAddress();
  say(`Plumbline is at ${publicUrl(settings)}`);
}

async function watchStrayErrors(): Promise<void> {
  const { logStrayErrors } = await import("./stray-errors.ts");
  logStrayErrors(() => stop(1));
}

/** `ownerUrl` is for migrations and the demo's setup; it is the same as `url` for an external PostgreSQL. */
type Database = { url: string; ownerUrl: string; encryptionKey: string; nextAuthSecret: string };

/** An external PostgreSQL, which any number of processes can share. */
function givenDatabase(settings: Settings): Database {
  const url = settings.DATABASE_URL ?? "";
  return { url, ownerUrl: url, ...givenSecrets(settings) };
}

/** The embedded PostgreSQL in DATA_DIR, for this process only. */
async function embeddedDatabase(settings: Settings): Promise<Database> {
  const folder = openDataFolder(settings.DATA_DIR);
  closers.push(lockDataFolder(folder));
  const secrets = keptSecrets(folder);
  const { startEmbeddedDatabase } = await import("../db/embedded.ts");
  const { serviceUrl } = await import("../db/service-role.ts");
  const server = await startEmbeddedDatabase({ folder, password: secrets.databasePassword });
  closers.push(server.stop);
  return {
    url: serviceUrl(server.url),
    ownerUrl: server.url,
    encryptionKey: settings.ENCRYPTION_KEY ?? secrets.encryptionKey,
    nextAuthSecret: settings.NEXTAUTH_SECRET ?? secrets.nextAuthSecret,
  };
}

/** Sets what the rest of the service reads with `env()`, and next-auth and Next on their own. */
function completeEnvironment(settings: Settings, database: Database): void {
  Object.assign(process.env, {
    NODE_ENV: isDev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: database.encryptionKey,
    NEXTAUTH_SECRET: database.nextAuthSecret,
    NEXTAUTH_URL: `${publicUrl(settings)}/svc/api/auth`,
    DEMO: wantsDemo(settings) ? "on" : "off",
  });
}

function wantsDemo(settings: Settings): boolean {
  return settings.DEMO ?? !settings.DATABASE_URL;
}

async function openDatabase({ url, ownerUrl }: Database): Promise<void> {
  const { migrateDatabase } = await import("../db/migrate.ts");
  await migrateDatabase(ownerUrl);
  if (url !== ownerUrl) {
    const { provideServiceRole } = await import("../db/service-role.ts");
    await provideServiceRole(ownerUrl);
  }
  const { closeDatabase } = await import("../db/client.ts");
  closers.push(closeDatabase);
  const { flushKeyReads } = await import("../audit/service.ts");
  closers.push(flushKeyReads);
  const { verifyEncryptionKey } = await import("../db/encryption-check.ts");
  await verifyEncryptionKey();
  const { sealClearDestinations } = await import("../notifications/service/seal-destinations.ts");
  await sealClearDestinations();
}

/** Before creating anything that only makes sense for a service that can listen. */
function requireBuild(): void {
  if (!isDev && !existsSync(join(packageRoot, ".next/BUILD_ID")))
    throw new CannotStart("there is no build to serve: run npm start, which creates it");
}

/** A generated password is printed immediately: if a later step fails, it would be lost. */
async function createFirstAdmin(settings: Settings): Promise<void> {
  const { createFirstAdmin } = await import("../auth/first-admin.ts");
  const { recordAsSystem } = await import("../audit/service.ts");
  const admin = await createFirstAdmin(settings, {
    demo: wantsDemo(settings),
    record: (change) => recordAsSystem(change),
  });
  if (admin) say(`Sign in as ${admin.email} with the password ${admin.password} (shown this once)`);
}

/** While there are no users: prints the address at which the operator creates the first one. */
async function printSetupAddress(): Promise<void> {
  const { setupStatus } = await import("../auth/service/set-up.ts");
  if (!(await setupStatus()).needed) return;
  const { setupAddress } = await import("../auth/setup-token.ts");
  say(`Create the first Admin at ${setupAddress()}`);
}

async function loadDemo(databaseUrl: string): Promise<void> {
  const { loadDemo } = await import("../demo/load.ts");
  await loadDemo(databaseUrl);
}

async function startTracing(settings: Settings): Promise<void> {
  const { startTracing } = await import("../telemetry/start-tracing.ts");
  const traces = await startTracing(settings);
  if (traces) closers.push(traces.stop);
}

async function startMetricsExport(settings: Settings): Promise<void> {
  const { startMetricsExport } = await import("../telemetry/start-metrics-export.ts");
  const { measured } = await import("./metrics.ts");
  const sent = await startMetricsExport(settings, measured);
  if (sent) closers.push(sent.stop);
}

/** With the embedded engine, unless other processes run the jobs; Inngest calls the functions at /svc/api/inngest instead. */
async function startJobs(settings: Settings): Promise<Engine | null> {
  const { closeSources } = await import("../data-sources/service/connected-sources.ts");
  closers.push(closeSources);
  const { handBackWork } = await import("../jobs/leased-work.ts");
  closers.push(() => handBackWork());
  const { setReviewer } = await import("../findings/service/review-findings.ts");
  const { modelReviewer } = await import("../finding-reviews/service.ts");
  setReviewer(() => modelReviewer());
  const { isEmbedded } = await import("../jobs/client.ts");
  if (!isEmbedded() || !settings.JOBS) return null;
  const { startEngine } = await import("../jobs/engine/engine.ts");
  const { jobFunctions } = await import("../job-functions.ts");
  const engine = await startEngine(jobFunctions(), { concurrency: settings.JOBS_CONCURRENCY });
  closers.push(engine.stop);
  return engine;
}

async function startServing(settings: Settings, engine: Engine | null): Promise<void> {
  const { startWeb } = await import("./web.ts");
  const { HOST: host, PORT: port } = settings;
  const web = await startWeb({
    host,
    port,
    isDev,
    root: packageRoot,
    lastPoll: () => engine?.lastPoll() ?? null,
  });
  longestStopMs += settings.STOP_DELAY_S * 1000;
  closers.push(web.close);
}

let stoppingSince: number | undefined;

/**
 * Closes everything in order. npm forwards a Ctrl-C that the terminal already delivered, so only a signal that comes
 * a moment later is a second one that forces the exit.
 */
async function stop(exitCode: number): Promise<void> {
  if (stoppingSince !== undefined) {
    if (Date.now() - stoppingSince > 1000) process.exit(130);
    return;
  }
  stoppingSince = Date.now();
  setTimeout(() => process.exit(1), longestStopMs).unref();
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      complain(`while stopping: ${reasonOf(error)}`);
    }
  }
  process.exit(exitCode);
}

let longestStopMs = 60_000;

/** One line for the operator. The stack and the cause are logged at LOG_LEVEL=debug. */
async function giveUp(error: unknown): Promise<void> {
  // Stopping breaks a start that is still in progress; its signal may not have been processed yet.
  await setImmediate();
  if (stoppingSince !== undefined) return;
  const isForeseen = error instanceof CannotStart || error instanceof SettingError;
  complain(isForeseen ? error.message : `cannot start: ${reasonOf(error)}`);
  if (process.env.LOG_LEVEL === "debug" && error instanceof Error)
    process.stderr.write(`${withSources(error.stack ?? "")}\n`);
  await stop(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`plumbline: ${line}\n`);
}

process.on("SIGINT", () => stop(0));
process.on("SIGTERM", () => stop(0));
start().catch(giveUp);
