import { randomBytes } from "node:crypto";
import { inOneTransaction } from "../db/client.ts";
import type { Settings } from "../env.ts";
import { problemIn } from "../errors.ts";
import { log } from "../telemetry/log.ts";
import { weaknessOf } from "./password-strength.ts";
import type { Context } from "./principal.ts";
import { type FirstAdmin, setUp, setupStatus } from "./service/set-up.ts";

/**
 * The first Admin for unattended starts: from ADMIN_EMAIL and ADMIN_PASSWORD, or, with the demo on, with a generated
 * password. Returns what to print once: the generated password is not stored.
 */
export async function createFirstAdmin(
  settings: Pick<Settings, "ADMIN_EMAIL" | "ADMIN_PASSWORD">,
  { demo, record }: { demo: boolean } & Pick<Context, "record">,
): Promise<{ email: string; password: string } | null> {
  if (!(await setupStatus()).needed) return null;
  if (settings.ADMIN_EMAIL && settings.ADMIN_PASSWORD) {
    const admin = { name: "Admin", email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD };
    // A warning, not an error: an unattended start must not fail because a new version has a longer list.
    const weakness = await weaknessOf(admin.password, admin);
    if (weakness) log.warn(`ADMIN_PASSWORD ${weakness}`);
    await setUpUnlessDone(admin, record);
    return null;
  }
  if (!demo) return null;
  const admin = { email: "demo@plumbline.example", password: randomBytes(12).toString("base64url") };
  return (await setUpUnlessDone({ name: "Demo Admin", ...admin }, record)) ? admin : null;
}

/** Whether this process created it: others may start on the same database at the same time. */
async function setUpUnlessDone(admin: FirstAdmin, record: Context["record"]): Promise<boolean> {
  try {
    await inOneTransaction(async () => {
      const { id, name } = await setUp(admin);
      await record?.({ action: "session.setUp", objectKind: "user", objectId: id, detail: name });
    });
    return true;
  } catch (error) {
    if (problemIn(error)?.code === "conflict") return false;
    throw error;
  }
}
