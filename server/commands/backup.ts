import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CannotStart } from "../errors.ts";
import { lockDataFolder } from "../process/data-folder.ts";
import { readSecrets } from "../process/secrets.ts";
import { type Closers, run, say } from "./command.ts";

/**
 * `npm run backup [-- --to <file or folder>]`: writes the embedded database and the secrets of DATA_DIR to one file,
 * whether or not the service is running. Without --to, the file is in DATA_DIR/backups. It is encrypted for
 * BACKUP_PASSPHRASE or BACKUP_RECIPIENTS.
 */
await run(async (settings, closers) => {
  if (settings.DATABASE_URL)
    throw new CannotStart(
      "this backs up the embedded database, but DATABASE_URL is set: use that database's tools, such as pg_dump, and keep ENCRYPTION_KEY with the backup",
    );
  const folder = resolve(settings.DATA_DIR);
  const to = destination() ?? `${join(folder, "backups")}/`;
  if (!existsSync(join(folder, "postgres")))
    throw new CannotStart(
      `there is nothing to back up in ${folder}: set DATA_DIR to the service's data folder`,
    );
  const { placeOf, takeBackup } = await import("./backup/take.ts");
  const { lockOf } = await import("./backup/encryption.ts");
  const lock = lockOf(settings);
  const file = placeOf(to, new Date(), lock);
  const { url, adminUrl } = await database(folder, closers);
  const backup = await takeBackup({ folder, url, adminUrl }, file, lock);
  say(
    `Backed up: ${file} (${(backup.bytes / 1e6).toFixed(1)} MB), the database and its secrets; ${lock ? "encrypted" : "keep it private"}`,
  );
  if (backup.encryptionKey === "setting")
    say("The encryption key is not included: keep the service's ENCRYPTION_KEY with the backup");
});

/** Relative to where npm was called, not to where the program is. */
function destination(): string | undefined {
  try {
    const { to } = parseArgs({ options: { to: { type: "string" } } }).values;
    if (to === "") throw new Error("--to is empty");
    return to && `${resolve(process.env.INIT_CWD ?? ".", to)}${to.endsWith("/") ? "/" : ""}`;
  } catch (error) {
    throw new CannotStart(`${(error as Error).message} (npm run backup [-- --to <file or folder>])`);
  }
}

/** The running service's database, or our own. */
async function database(folder: string, closers: Closers): Promise<{ url: string; adminUrl: string }> {
  const { embeddedDatabaseOfAnother, startEmbeddedDatabase } = await import("../db/embedded.ts");
  const options = { folder, password: readSecrets(join(folder, "secrets.json")).databasePassword };
  const unlock = lockUnlessTaken(folder);
  if (unlock) {
    closers.push(unlock);
    const server = await startEmbeddedDatabase(options);
    closers.push(server.stop);
    return server;
  }
  const running = embeddedDatabaseOfAnother(options);
  if (!running)
    throw new CannotStart(`Plumbline is starting or stopping in ${folder}: try again in a moment`);
  return running;
}

function lockUnlessTaken(folder: string): (() => void) | null {
  try {
    return lockDataFolder(folder);
  } catch (error) {
    if (error instanceof CannotStart) return null;
    throw error;
  }
}
