import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { CannotStart } from "../errors.ts";
import { machineMemory } from "../machine-memory.ts";
import { sizedFor } from "./embedded-size.ts";
import { type Account, accountFor, own, type PostgresProgram, postgresProgram } from "./postgres-program.ts";
import { isRunning, type Postmaster, postmasterOf, runningPostmaster, stopPostmaster } from "./postmaster.ts";

export type EmbeddedDatabase = {
  /** The service's own database. */
  url: string;
  /** The server's maintenance database, for creating other databases. */
  adminUrl: string;
  /** Closes all connections and stops the server; committed data is on disk. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** The folder of the cluster (`postgres`) and its log (`postgres.log`). Must exist. */
  folder: string;
  /** The superuser's password, from the cluster's first start on. */
  password: string;
  /** false trades crash safety for speed, for throwaway databases. */
  durable?: boolean;
  /** How many connections it allows; 200 by default, which is enough for a process and its commands. */
  connections?: number;
};

type Cluster = EmbeddedOptions & { path: string; log: string; program: PostgresProgram };

/**
 * A real PostgreSQL in a folder, created on first start, listening only on 127.0.0.1.
 *
 * A server left behind by a killed process is adopted. Whoever started or adopted it stops it, and until then
 * restarts it if it exits. Throws CannotStart.
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster: Cluster = {
    ...options,
    path: join(options.folder, "postgres"),
    log: join(options.folder, "postgres.log"),
    program: postgresProgram(),
  };
  if (!existsSync(cluster.path)) initialize(cluster);
  let postmaster = await startOrAdopt(cluster);

  const revival = reviving(
    cluster,
    () => postmaster,
    (revived) => {
      postmaster = revived;
    },
  );
  return {
    url: address(cluster, postmaster, "plumbline"),
    adminUrl: address(cluster, postmaster, "postgres"),
    async stop() {
      await revival.end();
      await stopPostmaster(postmaster, cluster.path, cluster.program.pgCtl);
    },
  };
}

/** The URL of this folder's database if another process has started it, or null. That process keeps ownership. */
export function embeddedDatabaseOfAnother(
  options: EmbeddedOptions,
): Pick<EmbeddedDatabase, "url" | "adminUrl"> | null {
  const path = join(options.folder, "postgres");
  const postmaster = postmasterOf(path);
  if (!postmaster?.isReady || !isRunning(postmaster, path)) return null;
  return {
    url: address(options, postmaster, "plumbline"),
    adminUrl: address(options, postmaster, "postgres"),
  };
}

async function startOrAdopt(cluster: Cluster): Promise<Postmaster> {
  for (;;) {
    const postmaster = (await runningPostmaster(cluster.path)) ?? (await launch(cluster));
    try {
      await createDatabase(address(cluster, postmaster, "postgres"), "plumbline");
      return postmaster;
    } catch (error) {
      // A server that was found while shutting down is gone now; the next round starts another.
      if (isRunning(postmaster, cluster.path))
        throw new CannotStart(`the embedded PostgreSQL rejects the connection: ${(error as Error).message}`);
    }
  }
}

function address({ password }: EmbeddedOptions, { port }: Postmaster, database: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Created under another name first, so that an interrupted start leaves nothing that looks like a cluster. */
function initialize({ folder, path, password, durable, program }: Cluster): void {
  const unfinished = `${path}.new`;
  const passwordFile = join(folder, "postgres.password");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const account = accountFor(unfinished, program);
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    own(passwordFile, account);
    const initdb = spawnSync(
      ...command(account, program.initdb, [
        `--pgdata=${unfinished}`,
        "--username=postgres",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        // PostgreSQL's built-in locale: the same collation on every machine.
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--set=timezone=UTC",
        "--set=log_timezone=UTC",
        ...(durable === false ? ["--no-sync"] : []),
      ]),
      { ...identity(account), cwd: unfinished, env: environment(), encoding: "utf8" },
    );
    if (initdb.status !== 0)
      throw new CannotStart(`the embedded PostgreSQL cannot be set up: ${complaint(initdb.stderr ?? "")}`);
    renameSync(unfinished, path);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const identity = ({ uid, gid }: Account) => (uid === undefined ? {} : { uid, gid });

function command({ wrapper }: Account, program: string, args: string[]): [string, string[]] {
  const [first = program, ...rest] = [...wrapper, program, ...args];
  return [first, rest];
}

/** A minimal environment, so that no setting of ours and no stray PGPORT reaches the server. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return { NODE_ENV: process.env.NODE_ENV, PATH, SystemRoot, TEMP, LC_ALL: "C", TZ: "UTC" };
}

const attempts = 20;

/**
 * Starts the server and waits until it accepts connections. Retries while the port was taken meanwhile, or a killed
 * server's last processes still hold its memory.
 */
async function launch(cluster: Cluster): Promise<Postmaster> {
  const account = accountFor(cluster.path, cluster.program);
  let said = "";
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const logged = startLog(cluster.log);
    const server = spawnServer(cluster, account, await freePort(cluster.path));
    const postmaster = await whenReady(server, cluster.path);
    if (postmaster) return postmaster;
    said = readFileSync(cluster.log).subarray(logged).toString("utf8");
    if (!/could not (bind|create any TCP)|shared memory block|lock file/.test(said)) break;
    await sleep(250);
  }
  throw new CannotStart(`the embedded PostgreSQL does not start: ${complaint(said)} (see ${cluster.log})`);
}

/** In its own process group, so that Ctrl-C only reaches us and we stop it in order. */
function spawnServer(cluster: Cluster, account: Account, port: number): ChildProcess {
  const log = openSync(cluster.log, "a", 0o600);
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `max_connections=${cluster.connections ?? 200}`,
    ...sizedFor(machineMemory()),
    "jit=off",
    "log_checkpoints=off",
    // Per query: a runaway sort or join fails instead of filling the disk. The service itself needs far less.
    "temp_file_limit=1GB",
    ...(cluster.durable === false ? ["fsync=off", "synchronous_commit=off", "full_page_writes=off"] : []),
  ];
  const server = spawn(
    ...command(account, cluster.program.postgres, [
      ...["-D", cluster.path, "-p", String(port)],
      ...settings.flatMap((setting) => ["-c", setting]),
    ]),
    {
      ...identity(account),
      cwd: cluster.path,
      env: environment(),
      detached: true,
      stdio: ["ignore", log, log],
    },
  );
  closeSync(log);
  server.unref();
  return server;
}

/** null if the server exits. Recovery may take long, so only an exit ends the wait. */
async function whenReady(server: ChildProcess, path: string): Promise<Postmaster | null> {
  let ended = false;
  server.once("error", () => {
    ended = true;
  });
  while (!ended && server.exitCode === null && server.signalCode === null) {
    const postmaster = postmasterOf(path);
    if (postmaster?.isReady && postmaster.pid === server.pid) return postmaster;
    await sleep(20);
  }
  return null;
}

/** The previous port if it is free, so that saved addresses keep working. */
async function freePort(path: string): Promise<number> {
  const last = existsSync(join(path, "postmaster.opts"))
    ? readFileSync(join(path, "postmaster.opts"), "utf8").match(/"-p" "(\d+)"/)?.[1]
    : undefined;
  if (last && (await isFree(Number(last)))) return Number(last);
  for (;;) {
    // Below the ephemeral ports of outgoing connections.
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

const largestLog = 10_000_000;

/** The offset at which this start's log begins. */
function startLog(log: string): number {
  if (!existsSync(log)) return 0;
  const { size } = statSync(log);
  if (size < largestLog) return size;
  truncateSync(log);
  return 0;
}

/** The line of PostgreSQL's output that names the problem. */
function complaint(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim());
  const line = lines.find((text) => /\b(FATAL|PANIC|error):/.test(text)) ?? lines.at(-1) ?? "no output";
  return line.replace(/^.*?\b(FATAL|PANIC|error):\s*/, "").trim();
}

async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    const [found] = await admin`select from pg_database where datname = ${name}`;
    if (!found) await admin.unsafe(`create database ${name}`);
  } finally {
    await admin.end();
  }
}

const lookEveryMs = 1000;

/** Restarts the server if it exits unexpectedly; connection pools reconnect by themselves. */
function reviving(cluster: Cluster, current: () => Postmaster, revived: (postmaster: Postmaster) => void) {
  const { ino } = statSync(cluster.path);
  // A folder that was deleted or recreated by someone else is not ours to start.
  const isLost = () =>
    statSync(cluster.path, { throwIfNoEntry: false })?.ino === ino && !isRunning(current(), cluster.path);
  let work = Promise.resolve();
  const timer = setInterval(() => {
    if (!isLost()) return;
    work = work.then(async () => {
      if (!isLost()) return;
      revived((await runningPostmaster(cluster.path)) ?? (await launch(cluster)));
    });
    // If the restart fails, the next check retries; until then, callers see the database as down.
    work = work.catch(() => {});
  }, lookEveryMs).unref();
  return {
    end() {
      clearInterval(timer);
      return work;
    },
  };
}
