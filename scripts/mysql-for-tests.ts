import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import { issuedForLocalhost } from "../server/test/factories/certificates.ts";

const startTimeoutMs = 60_000;

type Options = { folder: string; say: (line: string) => void };

/**
 * A MySQL or MariaDB for one test run, on a free port of 127.0.0.1 with its own data folder. Uses an installed program;
 * if there is none and Debian's packages can be installed, installs MariaDB. Throws if there is no server to be had.
 * Its data is deleted afterwards.
 */
export async function withMysql(options: Options, work: (adminUrl: string) => Promise<void>): Promise<void> {
  const program = findServer() ?? installServer(options);
  if (!program)
    throw new Error(
      "The tests need a MySQL or MariaDB: install mariadb-server, or set TEST_MYSQL_URL to one",
    );
  const account = process.getuid?.() === 0 ? accountOf("mysql") : null;
  const folder = folderFor(account, options.folder);
  try {
    await withServer({ program, account, folder }, work);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Account = { uid: number; gid: number };
type Setup = { program: string; account: Account | null; folder: string };

async function withServer(setup: Setup, work: (adminUrl: string) => Promise<void>): Promise<void> {
  const { folder, account } = setup;
  const log = join(folder, "server.log");
  initialize(setup, log);
  const password = randomBytes(16).toString("hex");
  const statements = join(folder, "start.sql");
  writeFileSync(statements, `alter user 'root'@'localhost' identified by '${password}';\n`);
  writeFileSync(join(folder, "localhost.crt"), issuedForLocalhost.cert);
  writeFileSync(join(folder, "localhost.key"), issuedForLocalhost.key, { mode: 0o600 });
  if (account)
    for (const file of [statements, join(folder, "localhost.crt"), join(folder, "localhost.key")])
      chownSync(file, account.uid, account.gid);

  const port = await freePort();
  const out = openSync(log, "a");
  const server = spawn(
    setup.program,
    [
      ...commonArguments(setup),
      `--port=${port}`,
      "--bind-address=127.0.0.1",
      "--skip-networking=0",
      `--socket=${join(folder, "s")}`,
      `--pid-file=${join(folder, "pid")}`,
      `--init-file=${statements}`,
      "--innodb-buffer-pool-size=64M",
      // Its data need not survive a crash.
      "--innodb-flush-log-at-trx-commit=0",
      "--skip-log-bin",
      `--ssl-cert=${join(folder, "localhost.crt")}`,
      `--ssl-key=${join(folder, "localhost.key")}`,
    ],
    { stdio: ["ignore", out, out], cwd: folder },
  );
  const url = `mysql://root:${password}@127.0.0.1:${port}`;
  try {
    await untilItAnswers(url, server, log);
    await work(url);
  } finally {
    await stopped(server);
  }
}

/** Ignores the machine's own configuration files. */
function commonArguments({ folder, account }: Setup): string[] {
  return ["--no-defaults", `--datadir=${join(folder, "data")}`, ...(account ? ["--user=mysql"] : [])];
}

function initialize(setup: Setup, log: string): void {
  const isMariaDb = String(spawnSync(setup.program, ["--version"]).stdout).includes("MariaDB");
  const command = isMariaDb ? (findProgram(["mariadb-install-db", "mysql_install_db"]) ?? "") : setup.program;
  const specific = isMariaDb
    ? ["--auth-root-authentication-method=normal", "--skip-test-db"]
    : ["--initialize-insecure"];
  const done = spawnSync(command, [...commonArguments(setup), ...specific], { cwd: setup.folder });
  writeFileSync(log, Buffer.concat([done.stdout ?? Buffer.alloc(0), done.stderr ?? Buffer.alloc(0)]));
  if (done.status !== 0) throw couldNotStart(log);
}

async function untilItAnswers(url: string, server: ChildProcess, log: string): Promise<void> {
  const until = Date.now() + startTimeoutMs;
  while (server.exitCode === null && Date.now() < until) {
    try {
      await (await createConnection(url)).end();
      return;
    } catch {
      await sleep(100);
    }
  }
  throw couldNotStart(log);
}

const couldNotStart = (log: string) =>
  new Error(`The MySQL for the tests did not start:\n${readFileSync(log, "utf8").slice(-2000)}`);

async function stopped(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  const patience = setTimeout(() => server.kill("SIGKILL"), 20_000);
  await gone;
  clearTimeout(patience);
}

/**
 * The server does not run as root: the account owns the folder, which is elsewhere if the account cannot access this
 * one.
 */
function folderFor(account: Account | null, wanted: string): string {
  rmSync(wanted, { recursive: true, force: true });
  mkdirSync(wanted, { recursive: true });
  if (!account) return wanted;
  chownSync(wanted, account.uid, account.gid);
  if (spawnSync("test", ["-w", wanted], account).status === 0) return wanted;
  rmSync(wanted, { recursive: true, force: true });
  const elsewhere = mkdtempSync(join(tmpdir(), "plumbline-mysql-"));
  chownSync(elsewhere, account.uid, account.gid);
  return elsewhere;
}

function accountOf(name: string): Account {
  const [uid, gid] = ["-u", "-g"].map((which) => Number(spawnSync("id", [which, name]).stdout));
  if (!uid || !gid) throw new Error(`The MySQL for the tests needs the account "${name}" to run as`);
  return { uid, gid };
}

function findServer(): string | null {
  return findProgram(["mariadbd", "mysqld"]);
}

/** Servers are installed where only root's PATH looks. */
function findProgram(names: readonly string[]): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find((file) => existsSync(file)) ?? null;
}

/** Only if it takes a single command: as root, on a system with Debian's packages. */
function installServer({ say }: Options): string | null {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  say("\n── MySQL is not here: installing Debian's MariaDB");
  // The package would start its own service; Debian's way to prevent that is a policy that forbids it.
  const policy = "/usr/sbin/policy-rc.d";
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const options = { stdio: "inherit", env: environment } as const;
    spawnSync("apt-get", ["update", "-qq"], options);
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "mariadb-server"], options);
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
  return findServer();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
