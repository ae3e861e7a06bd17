import { CannotStart } from "../errors.ts";
import { plural } from "../text.ts";
import { type CommandContext, runCommand } from "./command.ts";

/**
 * `npm run rotate-key`, while the service is stopped: re-encrypts every stored secret with ENCRYPTION_KEY, from
 * ENCRYPTION_KEY_OLD or the key in DATA_DIR, and removes what was hashed with the former key. All or nothing; running
 * it again changes nothing.
 */
async function rotate({ settings, secrets, say }: CommandContext): Promise<void> {
  const { ENCRYPTION_KEY: key } = settings;
  const formerKey = settings.ENCRYPTION_KEY_OLD ?? secrets?.encryptionKey;
  if (!key) throw new CannotStart("ENCRYPTION_KEY is required: the new key (make one: openssl rand -hex 32)");
  if (!formerKey) throw new CannotStart("ENCRYPTION_KEY_OLD is required: the current key");
  process.env.ENCRYPTION_KEY = key;
  const { db } = await import("../db/client.ts");
  const { resealing } = await import("../db/encryption.ts");
  const { resealEncryptionCheck } = await import("../db/encryption-check.ts");
  const { resealDataSources } = await import("../data-sources/reseal-secrets.ts");
  const { forgetTaughtCells } = await import("../findings/forget-taught-cells.ts");
  const { forgetRowHashes } = await import("../subscriptions/forget-row-hashes.ts");
  const { resealAuditKey } = await import("../audit-chain/reseal-secrets.ts");
  const { resealTotpSecrets } = await import("../auth/reseal-secrets.ts");
  const { resealRecipientSecrets } = await import("../notifications/reseal-secrets.ts");
  const reseal = resealing(formerKey, key);
  const [dataSources, recipients, apps] = await db.transaction(async (tx) => {
    if (await resealEncryptionCheck(tx, reseal, key)) {
      await forgetTaughtCells(tx);
      await forgetRowHashes(tx);
    }
    await resealAuditKey(tx, reseal);
    return [
      await resealDataSources(tx, reseal),
      await resealRecipientSecrets(tx, reseal),
      await resealTotpSecrets(tx, reseal),
    ];
  });
  say(
    `Re-encrypted the secrets of ${plural(dataSources, "data source")}, ${plural(recipients, "recipient")}, and ${plural(apps, "authenticator app")}. Start the service with the new ENCRYPTION_KEY from now on`,
  );
}

await runCommand(rotate);
