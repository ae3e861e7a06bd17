import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import postgres from "postgres";
import { isOpenedBy } from "../../db/encryption-check.ts";
import { appliedMigrations } from "../../db/migrate.ts";
import { CannotStart } from "../../errors.ts";
import { readSecrets } from "../../process/secrets.ts";
import { type BackupAbout, backupAbout, plumblineVersion } from "./about.ts";
import { type Entry, entriesOf, readArchive, textEntry, textOf, writeArchive } from "./archive.ts";
import { baseBackup, missingFrom } from "./base-backup.ts";
import { fileSum, type Lock } from "./encryption.ts";

/** The path of the backup: the given file, or a generated name in the given folder. */
export function placeOf(to: string, madeAt: Date, lock: Lock | null): string {
  const path = resolve(to);
  const isFolder = to.endsWith("/") || statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const name = `plumbline-${madeAt.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar.gz${lock ? ".age" : ""}`;
  const file = isFolder ? join(path, name) : path;
  if (existsSync(file)) throw new CannotStart(`${file} already exists: choose another name`);
  return file;
}

/**
 * Writes the backup of an installation: the files of its PostgreSQL, consistent although it is in use, and the secrets
 * of DATA_DIR. The file gets its name once it is complete and has been read back.
 */
export async function takeBackup(
  { folder, url, adminUrl }: { folder: string; url: string; adminUrl: string },
  file: string,
  lock: Lock | null,
): Promise<BackupAbout & { bytes: number }> {
  const unfinished = `${file}.partial`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const { about, sum } = await write(folder, { url, adminUrl }, unfinished, lock);
    // What is encrypted for recipients can only be compared with what was written.
    if (lock && lock.passphrase === null) {
      if ((await fileSum(unfinished)) !== sum)
        throw new Error(`${unfinished} was not written as it was sent`);
    } else
      await readArchive(unfinished, discard, { passphrase: lock?.passphrase ?? undefined, identities: [] });
    renameSync(unfinished, file);
    return { ...about, bytes: statSync(file).size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new CannotStart(`${unfinished} exists: another backup is in progress there, or was interrupted`);
    rmSync(unfinished, { force: true });
    throw error;
  }
}

async function write(
  folder: string,
  { url, adminUrl }: { url: string; adminUrl: string },
  file: string,
  lock: Lock | null,
): Promise<{ about: BackupAbout; sum: string }> {
  const secretsFile = join(folder, "secrets.json");
  const about = await aboutOf(url, readSecrets(secretsFile).encryptionKey);
  const base = baseBackup(adminUrl);
  async function* entries(): AsyncGenerator<Entry> {
    yield textEntry("plumbline-backup.json", `${JSON.stringify(about, null, 1)}\n`);
    yield textEntry("secrets.json", readFileSync(secretsFile, "utf8"));
    for await (const entry of entriesOf(base.tar)) yield { ...entry, name: `postgres/${entry.name}` };
  }
  const { sums, fileSum: sum } = await writeArchive(file, entries(), lock);
  const arrived = new Map([...sums].map(([name, sum]) => [name.replace(/^postgres\//, ""), sum]));
  const missing = missingFrom(base.manifest(), arrived);
  if (missing) throw new Error(`${missing} arrived damaged from the database`);
  return { about, sum };
}

async function aboutOf(url: string, encryptionKey: string): Promise<BackupAbout> {
  const connection = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [server] = await connection<{ version: number }[]>`
      select current_setting('server_version_num')::int / 10000 as version`;
    const migrations = await appliedMigrations(connection);
    const [installation] =
      migrations.length > 0
        ? await connection<{ key_check: Buffer }[]>`select key_check from installation`
        : [];
    return backupAbout.parse({
      format: 1,
      version: plumblineVersion,
      madeAt: new Date().toISOString(),
      postgresql: server?.version,
      migrations,
      encryptionKey:
        !installation || isOpenedBy(installation.key_check, encryptionKey) ? "included" : "setting",
    });
  } finally {
    await connection.end();
  }
}

async function discard(entry: Entry): Promise<void> {
  if (entry.name === "plumbline-backup.json") backupAbout.parse(JSON.parse(await textOf(entry)));
  else await entry.file?.body.pipeTo(new WritableStream());
}
