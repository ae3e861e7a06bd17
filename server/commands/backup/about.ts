import { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };

/** What a backup says of itself, at its beginning, so that one that cannot be restored is refused at once. */
export const backupAbout = z.object({
  format: z.literal(1),
  /** Of Plumbline. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** The major version of the PostgreSQL whose files these are. */
  postgresql: z.int(),
  /** The migrations that the database has had. */
  migrations: z.array(z.number()),
  /** Whether secrets.json holds the key that the database's secrets are encrypted with, or it is a setting. */
  encryptionKey: z.enum(["included", "setting"]),
});
export type BackupAbout = z.infer<typeof backupAbout>;

export const plumblineVersion = packageJson.version;

/** Why this program cannot restore such a backup; null when it can. */
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
