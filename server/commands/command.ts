import { readSettings, SettingError, type Settings } from "../env.ts";
import { CannotStart, reasonOf } from "../errors.ts";
import { lockDataFolder, openDataFolder } from "../process/data-folder.ts";
import { keptSecrets, type Secrets } from "../process/secrets.ts";

/**
 * What an operator runs besides `npm start`: a command opens the service's database, migrated, does its work, and
 * exits. With the embedded database the service must be stopped, which the data folder's lock ensures.
 */
export type CommandContext = {
  settings: Settings;
  databaseUrl: string;
  /** The secrets in DATA_DIR; null with an external database. */
  secrets: Secrets | null;
  say(line: string): void;
};

/** Closes what was opened, in reverse order, when everything is done. */
export type Closers = (() => void | Promise<void>)[];

/** Runs a command on the database. An error becomes one line for the operator, and exit code 1. */
export function runCommand(work: (context: CommandContext) => Promise<void>): Promise<void> {
  return run(async (settings, closers) => {
    const { databaseUrl, secrets } = settings.DATABASE_URL
      ? { databaseUrl: settings.DATABASE_URL, secrets: null }
      : await embedded(settings, closers);
    process.env.DATABASE_URL = databaseUrl;
    const { migrateDatabase } = await import("../db/migrate.ts");
    await migrateDatabase(databaseUrl);
    const { closeDatabase } = await import("../db/client.ts");
    closers.push(closeDatabase);
    await work({ settings, databaseUrl, secrets, say });
  });
}

/** The same for a command that opens what it needs by itself. */
export async function run(work: (settings: Settings, closers: Closers) => Promise<void>): Promise<void> {
  const closers: Closers = [];
  try {
    await work(readSettings(), closers);
  } catch (error) {
    const { DecryptionError } = await import("../db/encryption.ts");
    const isExpected =
      error instanceof CannotStart || error instanceof SettingError || error instanceof DecryptionError;
    process.stderr.write(`plumbline: ${isExpected ? error.message : reasonOf(error)}\n`);
    process.exitCode = 1;
  }
  for (const close of closers.reverse()) await close();
}

async function embedded(settings: Settings, closers: Closers) {
  const folder = openDataFolder(settings.DATA_DIR);
  closers.push(lockDataFolder(folder));
  const secrets = keptSecrets(folder);
  const { startEmbeddedDatabase } = await import("../db/embedded.ts");
  const server = await startEmbeddedDatabase({ folder, password: secrets.databasePassword });
  closers.push(server.stop);
  return { databaseUrl: server.url, secrets };
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
