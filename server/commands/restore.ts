import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CannotStart } from "../errors.ts";
import { lockDataFolder, openDataFolder } from "../process/data-folder.ts";
import { run, say } from "./command.ts";

/**
 * `npm run restore -- --from <backup> [--replace]`, while the service is stopped: restores a backup from `npm run
 * backup` into DATA_DIR. With --replace, the previous content is kept aside.
 */
await run(async (settings, closers) => {
  if (settings.DATABASE_URL)
    throw new CannotStart(
      "this restores the embedded database, but DATABASE_URL is set: use that database's tools, such as pg_restore",
    );
  const { from, replace } = wanted();
  if (!existsSync(from)) throw new CannotStart(`${from} does not exist`);
  const folder = openDataFolder(settings.DATA_DIR);
  closers.push(lockDataFolder(folder));
  const { restoreBackup } = await import("./backup/restore.ts");
  const { keysOf } = await import("./backup/encryption.ts");
  const { about, former } = await restoreBackup(from, folder, {
    ...{ replace, now: new Date() },
    keys: keysOf(settings),
  });
  say(`Restored into ${folder}: Plumbline ${about.version} as of ${about.madeAt}`);
  if (former) say(`The previous data is in ${former}; delete it when you no longer need it`);
  if (about.encryptionKey === "setting")
    say(
      "The backup does not include the encryption key: start with the ENCRYPTION_KEY that the service used",
    );
});

/** Relative to where npm was called, not to where the program is. */
function wanted(): { from: string; replace: boolean } {
  try {
    const { from, replace = false } = parseArgs({
      options: { from: { type: "string" }, replace: { type: "boolean" } },
    }).values;
    if (!from) throw new Error("--from is missing");
    return { from: resolve(process.env.INIT_CWD ?? ".", from), replace };
  } catch (error) {
    throw new CannotStart(`${(error as Error).message} (npm run restore -- --from <backup> [--replace])`);
  }
}
