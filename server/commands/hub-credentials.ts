import { publicUrl, readSettings, SettingError } from "../env.ts";
import { CannotStart } from "../errors.ts";
import { openDataFolder } from "../process/data-folder.ts";
import { keptSecrets } from "../process/secrets.ts";
import { externalHub, ownCredentials } from "../realtime/credentials.ts";
import { hubPath } from "../realtime/protocol.ts";

/**
 * `npm run hub-credentials`: prints what an external publisher needs for this installation's real-time hub, as the
 * settings of a Pusher SDK. The service may be running.
 */
try {
  const settings = readSettings();
  if (externalHub(settings))
    throw new CannotStart(
      "PUSHER_HOST or PUSHER_CLUSTER is set: publishers use the credentials of that service",
    );
  const secret =
    settings.NEXTAUTH_SECRET ?? (settings.DATABASE_URL ? undefined : keptSecret(settings.DATA_DIR));
  if (!secret) throw new CannotStart("NEXTAUTH_SECRET is required: use the service's value");
  const { host, protocol } = new URL(publicUrl(settings));
  const options = { ...ownCredentials(secret), host: host + hubPath, useTLS: protocol === "https:" };
  process.stdout.write(`${JSON.stringify(options, null, 2)}\n`);
} catch (error) {
  if (!(error instanceof CannotStart || error instanceof SettingError)) throw error;
  process.stderr.write(`plumbline: ${error.message}\n`);
  process.exitCode = 1;
}

function keptSecret(dataDir: string): string {
  return keptSecrets(openDataFolder(dataDir)).nextAuthSecret;
}
