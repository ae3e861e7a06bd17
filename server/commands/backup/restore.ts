import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import { startEmbeddedDatabase } from "../../db/embedded.ts";
import { isOpenedBy } from "../../db/encryption-check.ts";
import { appliedMigrations, knownMigrations } from "../../db/migrate.ts";
import {
  type Account,
  accountFor,
  own,
  postgresProgram,
  postgresVersion,
} from "../../db/postgres-program.ts";
import { runningPostmaster, stopPostmaster } from "../../db/postmaster.ts";
import { CannotStart } from "../../errors.ts";
import { readSecrets, restoredFolder } from "../../process/secrets.ts";
import { type BackupAbout, backupAbout, restoreProblem } from "./about.ts";
import { type Entry, readArchive, textOf } from "./archive.ts";
import type { Keys } from "./encryption.ts";

/** What an installation stores in DATA_DIR. The secrets come first: without them the rest does not start. */
const kept = ["secrets.json", "postgres", "postgres.log"];

/** What may already exist in the target folder of a restore. */
const harmless = /^(backups|restoring|restored|plumbline\.lock|former-.*)$/;

/**
 * Restores a backup into DATA_DIR, which this process has locked. Everything is read, verified, started, and opened
 * next to its destination, and moved there at the end; until then, whatever fails, DATA_DIR is unchanged. With
 * `replace`, the previous content is kept in a separate folder, whose path is returned.
 */
export async function restoreBackup(
  file: string,
  folder: string,
  { replace, now, keys }: { replace: boolean; now: Date; keys: Keys },
): Promise<{ about: BackupAbout; former: string | null }> {
  const present = readdirSync(folder).filter((name) => !harmless.test(name));
  if (present.length > 0 && !replace)
    throw new CannotStart(
      `${folder} is not empty: set DATA_DIR to another folder, or add --replace to move the existing data aside`,
    );
  const beside = join(folder, "restoring");
  await stopLeftBehind(join(beside, "postgres"));
  rmSync(beside, { recursive: true, force: true });
  try {
    mkdirSync(beside, { mode: 0o755 });
    const about = await unpack(file, beside, keys);
    await open(beside, about);
    const former = await putInPlace(beside, folder, now);
    return { about, former };
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

async function unpack(file: string, beside: string, keys: Keys): Promise<BackupAbout> {
  const program = postgresProgram();
  const here = { postgresql: postgresVersion(program), migrations: knownMigrations() };
  let about: BackupAbout | null = null;
  let account: Account | null = null;
  const take = async (entry: Entry) => {
    if (!about) {
      about = aboutIn(entry.name === "plumbline-backup.json" ? await textOf(entry) : "", file);
      const problem = restoreProblem(about, here);
      if (problem) throw new CannotStart(`${file} ${problem}`);
      const cluster = join(beside, "postgres");
      mkdirSync(cluster, { mode: 0o700 });
      account = accountFor(cluster, program);
      own(cluster, account);
      return;
    }
    if (!/^(secrets\.json|postgres(\/[\w.-]+)+)$/.test(entry.name) || entry.name.includes("/.."))
      throw new Error(`${entry.name} does not belong in a backup`);
    await put(entry, join(beside, entry.name), entry.name === "secrets.json" ? null : account);
  };
  await readArchive(file, take, keys);
  if (!about) throw new CannotStart(`${file} is not a Plumbline backup`);
  return about;
}

function aboutIn(text: string, file: string): BackupAbout {
  try {
    return backupAbout.parse(JSON.parse(text));
  } catch {
    throw new CannotStart(`${file} is a backup that this version of Plumbline cannot read`);
  }
}

/** The user who runs the cluster owns its files; PostgreSQL flushes them to disk when it first starts. */
async function put({ file, mode }: Entry, path: string, account: Account | null): Promise<void> {
  if (file) {
    const flush = account === null;
    await pipeline(file.body, createWriteStream(path, { flags: "wx", mode, flush }));
  } else mkdirSync(path, { mode });
  if (account) own(path, account);
}

/** Starts the database once, which makes its files consistent, and checks that it is the expected one. */
async function open(beside: string, about: BackupAbout): Promise<void> {
  const secrets = readSecrets(join(beside, "secrets.json"));
  const server = await startEmbeddedDatabase({ folder: beside, password: secrets.databasePassword });
  const connection = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    if ((await appliedMigrations(connection)).join() !== about.migrations.join())
      throw new CannotStart("the backup's database does not match its description");
    if (about.migrations.length === 0 || about.encryptionKey === "setting") return;
    const [installation] = await connection<{ key_check: Buffer }[]>`select key_check from installation`;
    if (installation && !isOpenedBy(installation.key_check, secrets.encryptionKey))
      throw new CannotStart("the backup's key cannot decrypt the secrets in its database");
  } finally {
    await connection.end();
    await server.stop();
  }
}

/**
 * A process killed in here leaves the folder `restored`, which stops the next start; nothing is lost, and repeating the
 * restore fixes it.
 */
async function putInPlace(beside: string, folder: string, now: Date): Promise<string | null> {
  await stopLeftBehind(join(folder, "postgres"));
  const restored = join(folder, restoredFolder);
  rmSync(restored, { recursive: true, force: true });
  renameSync(beside, restored);
  const old = kept.filter((name) => existsSync(join(folder, name)));
  const former = join(folder, `former-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`);
  if (old.length > 0) mkdirSync(former);
  for (const name of old) renameSync(join(folder, name), join(former, name));
  for (const name of readdirSync(restored)) renameSync(join(restored, name), join(folder, name));
  rmdirSync(restored);
  return old.length > 0 ? former : null;
}

/** Nobody else uses it: we hold the lock. But the server of a killed service or restore may still be running. */
async function stopLeftBehind(cluster: string): Promise<void> {
  const postmaster = await runningPostmaster(cluster);
  if (postmaster) await stopPostmaster(postmaster, cluster, postgresProgram().pgCtl);
}
