import { CannotStart, reasonOf } from "./cannot-start.ts";
import { lockDataFolder, openDataFolder } from "./data-folder.ts";
import { readSettings, SettingError, type Settings } from "./env.ts";
import { keptSecrets } from "./secrets.ts";

/**
 * `npm run rotate-key`, while the service is stopped: puts every stored secret under ENCRYPTION_KEY that was under
 * ENCRYPTION_KEY_OLD, or under the key that DATA_DIR holds. All or nothing; run again, it changes nothing.
 */
const closers: (() => void | Promise<void>)[] = [];

async function rotate(): Promise<void> {
  const settings = readSettings();
  if (!settings.ENCRYPTION_KEY)
    throw new CannotStart("ENCRYPTION_KEY is required: the new key (make one: openssl rand -hex 32)");
  const { url, formerKey } = settings.DATABASE_URL ? givenDatabase(settings) : await embedded(settings);
  Object.assign(process.env, { DATABASE_URL: url, ENCRYPTION_KEY: settings.ENCRYPTION_KEY });

  const { migrateDatabase } = await import("./db/migrate.ts");
  await migrateDatabase(url);
  const { closeDatabase, db } = await import("./db/client.ts");
  closers.push(closeDatabase);
  const { resealing } = await import("./encryption.ts");
  const { resealEncryptionCheck } = await import("./db/encryption-check.ts");
  const { resealDataSources } = await import("./data-sources/reseal-secrets.ts");
  const { resealSigningSecrets } = await import("./notifications/reseal-secrets.ts");
  const reseal = resealing(formerKey, settings.ENCRYPTION_KEY);
  const [dataSources, webhooks] = await db.transaction(async (tx) => {
    await resealEncryptionCheck(tx, reseal);
    return [await resealDataSources(tx, reseal), await resealSigningSecrets(tx, reseal)];
  });
  say(
    `Under the new key: the secrets of ${dataSources} data sources and ${webhooks} webhooks. Start with it as ENCRYPTION_KEY from now on`,
  );
}

function givenDatabase({ DATABASE_URL = "", ENCRYPTION_KEY_OLD }: Settings) {
  if (!ENCRYPTION_KEY_OLD) throw new CannotStart("ENCRYPTION_KEY_OLD is required: the key until now");
  return { url: DATABASE_URL, formerKey: ENCRYPTION_KEY_OLD };
}

/** The lock keeps a service on the same folder from running meanwhile. */
async function embedded(settings: Settings) {
  const folder = openDataFolder(settings.DATA_DIR);
  closers.push(lockDataFolder(folder));
  const secrets = keptSecrets(folder);
  const { startEmbeddedDatabase } = await import("./db/embedded.ts");
  const server = await startEmbeddedDatabase({ folder, password: secrets.databasePassword });
  closers.push(server.stop);
  return { url: server.url, formerKey: settings.ENCRYPTION_KEY_OLD ?? secrets.encryptionKey };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await rotate();
} catch (error) {
  const { DecryptionError } = await import("./encryption.ts");
  const isExpected =
    error instanceof CannotStart || error instanceof SettingError || error instanceof DecryptionError;
  process.stderr.write(`plumbline: ${isExpected ? error.message : reasonOf(error)}\n`);
  process.exitCode = 1;
}
for (const close of closers.reverse()) await close();
