import { readFileSync } from "node:fs";
import { z } from "zod";
import { apiKeySettings } from "./env/api-keys.ts";
import { approvalSettings } from "./env/approvals.ts";
import { auditLogSettings } from "./env/audit-log.ts";
import { backgroundWorkSettings, checkBackgroundWork } from "./env/background-work.ts";
import { backupSettings, checkBackups } from "./env/backups.ts";
import { databaseSettings } from "./env/database.ts";
import { fileSettings } from "./env/files.ts";
import { checkLanguageModel, languageModelSettings } from "./env/language-model.ts";
import { limitSettings } from "./env/limits.ts";
import { managedIdentitySettings } from "./env/managed-identity.ts";
import { checkNotifications, notificationSettings } from "./env/notifications.ts";
import { processSettings } from "./env/process.ts";
import { checkRealTime, realTimeSettings } from "./env/real-time.ts";
import { retentionSettings } from "./env/retention.ts";
import { checkSecretsByReference, secretsByReferenceSettings } from "./env/secrets-by-reference.ts";
import { checkSignIn, signInSettings } from "./env/sign-in.ts";
import { telemetrySettings } from "./env/telemetry.ts";

/**
 * Every setting of the service, by the name of its environment variable; each area of them is a file in env/. The
 * descriptions become docs/settings.md. An empty variable counts as unset.
 */
export const settings = z
  .object({
    ...processSettings,
    ...databaseSettings,
    ...signInSettings,
    ...apiKeySettings,
    ...backgroundWorkSettings,
    ...retentionSettings,
    ...auditLogSettings,
    ...backupSettings,
    ...secretsByReferenceSettings,
    ...fileSettings,
    ...managedIdentitySettings,
    ...notificationSettings,
    ...realTimeSettings,
    ...languageModelSettings,
    ...approvalSettings,
    ...limitSettings,
    ...telemetrySettings,
  })
  .superRefine((values, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    checkSignIn(values, refuse);
    checkBackgroundWork(values, refuse);
    checkNotifications(values, refuse);
    checkLanguageModel(values, refuse);
    checkBackups(values, refuse);
    checkSecretsByReference(values, refuse);
    checkRealTime(values, refuse);
  });

export type Settings = z.infer<typeof settings>;

/** An invalid setting; `message` is one line for the operator that names the variable. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** What may also be given as the path of a file, in a variable of the same name with _FILE. */
export const secretSettings: readonly string[] = Object.keys(settings.shape).filter(
  (name) =>
    /(_KEY|_KEY_OLD|_SECRET|_PASSWORD|_PASSPHRASE|_TOKEN)$/.test(name) ||
    ["DATABASE_URL", "SMTP_URL", "IDENTITY_HEADER"].includes(name),
);

type Variables = Record<string, string | undefined>;

/** The files that secrets of this process were read from. */
export const secretFiles = new Set<string>();

/**
 * Puts the content of the files that X_FILE names into X, without the line's end, and removes X_FILE: other programs'
 * libraries read X, too. A _FILE that is a setting of its own stays. Throws SettingError, which names the variable and
 * never what the file holds.
 */
function readSecretFiles(variables: Variables): void {
  for (const name of secretSettings) {
    const fileName = `${name}_FILE`;
    const path = variables[fileName];
    if (!path || fileName in settings.shape) continue;
    if (variables[name]) throw new SettingError(`${fileName}: and ${name} are mutually exclusive: set one`);
    variables[name] = secretIn(path, fileName);
    secretFiles.add(path);
    delete variables[fileName];
  }
}

function secretIn(path: string, fileName: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new SettingError(`${fileName}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (text === "") throw new SettingError(`${fileName}: the file is empty`);
  return text;
}

/** Reads and validates all settings. Throws SettingError with the first problem. */
export function readSettings(given: Variables = process.env): Settings {
  // The process's own variables are completed in place, for what reads them by itself.
  const from = given === process.env ? given : { ...given };
  readSecretFiles(from);
  const present = Object.fromEntries(
    Object.entries(from).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = settings.safeParse(present);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingError(`${issue?.path.join(".")}: ${issue?.message}`);
}

let cached: Settings | undefined;

/** The settings of this process, validated on first use. */
export function env(): Settings {
  cached ??= readSettings();
  return cached;
}

/** The public URL of the service, without a trailing slash. */
export function publicUrl(s: Settings = env()): string {
  return (s.PUBLIC_URL ?? `http://localhost:${s.PORT}`).replace(/\/+$/, "");
}
