import { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };

/** The header of a backup, at its start, so that one that cannot be restored is rejected immediately. */
export const backupAbout = z.object({
  format: z.literal(1),
  /** The version of Plumbline. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** The major version of PostgreSQL that wrote the files. */
  postgresql: z.int(),
  /** The migrations that the database has had. */
  migrations: z.array(z.number()),
  /** Whether secrets.json contains the key for the database's secrets, or a setting does. */
  encryptionKey: z.enum(["included", "setting"]),
});
export type BackupAbout = z.infer<typeof backupAbout>;

export const plumblineVersion = packageJson.version;

/** Why this program cannot restore such a backup; null if it can. */
export function restoreProblem(
  { version, postgresql, migrations }: BackupAbout,
  here: { postgresql: number; migrations: number[] },
): string | null {
  if (migrations.some((at) => !here.migrations.includes(at)))
    return `was made by a newer version of Plumbline (${version}; this is ${plumblineVersion}): restore it with that version`;
  if (postgresql !== here.postgresql)
    return `holds the files of PostgreSQL ${postgresql}, but this version of Plumbline includes ${here.postgresql}: restore it with Plumbline ${version}`;
  return null;
}
