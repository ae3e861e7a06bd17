import { runCommand } from "./command.ts";

/**
 * Migrates the tables and ends, for platforms that do so before they start the processes of a new version. Without it, the first
 * of them does.
 */
await runCommand(async ({ say }) => {
  const { knownMigrations } = await import("../db/migrate.ts");
  say(`The tables are up to date, with ${knownMigrations().length} migrations`);
});
