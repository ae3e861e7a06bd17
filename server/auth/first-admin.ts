import { randomBytes } from "node:crypto";
import type { Settings } from "../env.ts";
import { problemIn } from "../errors.ts";
import { setUp, setupStatus } from "./service/set-up.ts";

/**
 * The first Admin, for starts without a person at /setup: from ADMIN_EMAIL and ADMIN_PASSWORD, or, with the demo
 * on, one with a generated password. Answers what to print, once: the generated password is stored nowhere.
 */
export async function createFirstAdmin(
  settings: Pick<Settings, "ADMIN_EMAIL" | "ADMIN_PASSWORD">,
  { demo }: { demo: boolean },
): Promise<{ email: string; password: string } | null> {
  if (!(await setupStatus()).needed) return null;
  if (settings.ADMIN_EMAIL && settings.ADMIN_PASSWORD) {
    await setUpUnlessDone({ name: "Admin", email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD });
    return null;
  }
  if (!demo) return null;
  const admin = { email: "demo@plumbline.example", password: randomBytes(12).toString("base64url") };
  return (await setUpUnlessDone({ name: "Demo Admin", ...admin })) ? admin : null;
}

/** Whether this process was the one: others may start on the same database at the same moment. */
async function setUpUnlessDone(admin: Parameters<typeof setUp>[0]): Promise<boolean> {
  try {
    await setUp(admin);
    return true;
  } catch (error) {
    if (problemIn(error)?.code === "conflict") return false;
    throw error;
  }
}
