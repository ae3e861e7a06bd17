import { type Connection, db } from "../db/client.ts";
import { env } from "../env.ts";
import type { Settings } from "./schema.ts";
import { settings } from "./tables.ts";

/** What holds now: what an Admin has set, and where nobody has, the configuration. */
export async function getSettings(connection: Connection = db): Promise<Settings> {
  const [set] = await connection.select().from(settings);
  const { APPROVAL_WORKFLOW, APPROVAL_FOUR_EYES } = env();
  return {
    approvalWorkflow: set?.approvalWorkflow ?? APPROVAL_WORKFLOW,
    fourEyes: set?.fourEyes ?? APPROVAL_FOUR_EYES,
  };
}

/** Since when it is an Admin's choice that holds; null while it is the configuration's. */
export async function findSettingsOrigin(): Promise<{ setAt: Date | null }> {
  const [set] = await db.select({ setAt: settings.updatedAt }).from(settings);
  return { setAt: set?.setAt ?? null };
}

/** From now on it holds in every process, whatever the configuration says. */
export async function updateSettings(write: Settings): Promise<Settings> {
  await db
    .insert(settings)
    .values({ id: 1, ...write })
    .onConflictDoUpdate({ target: settings.id, set: write });
  return getSettings();
}
