import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { signIn } from "./api.ts";
import { type Service, scratch, startService } from "./service.ts";

/**
 * The initial content of a data folder, so that not every journey waits for PostgreSQL's setup and the demo: `tables`
 * is an installation without any users yet, `demo` has the first Admin and the demo, whose actor has proposed its first
 * plan.
 */
type Contents = "tables" | "demo";

const templates = join(scratch, "templates");

/** Recreates the folder: a copy of one that a service has used and shut down cleanly. */
export async function prepareFolder(folder: string, contents: Contents = "tables"): Promise<void> {
  const template = await templateOf(contents);
  removeEarlier(folder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  // PostgreSQL's files keep their owner.
  execFileSync("cp", ["-Rp", template, folder]);
  // Each server chooses its own port.
  rmSync(join(folder, "postgres/postmaster.opts"), { force: true });
}

/** The folders of this worker's journeys, with the file that each belongs to. */
const made = new Map<string, string>();

/**
 * Removes what the worker's earlier files had, which would add up to gigabytes. A failure ends its worker, so the folders
 * of a file with one stay as long as the run's data do.
 */
function removeEarlier(next: string): void {
  const isInJourney = process.env.TEST_WORKER_INDEX !== undefined;
  if (!isInJourney) return;
  const { file } = test.info();
  for (const [folder, of] of made) {
    if (of === file) continue;
    rmSync(folder, { recursive: true, force: true });
    made.delete(folder);
  }
  made.set(next, file);
}

/** What an earlier run left behind was made by other code. */
export function forgetTemplates(): void {
  rmSync(templates, { recursive: true, force: true });
}

const make: Record<Contents, (folder: string) => Promise<void>> = {
  async tables(folder) {
    await end(await startService(folder, { ADMIN_EMAIL: "", ADMIN_PASSWORD: "" }));
  },
  async demo(folder) {
    await prepareFolder(folder);
    const service = await startService(folder, { DEMO: "on" });
    const api = await signIn(service.url);
    const plans = async () => (await api("GET", "/ai-actors/1/pending-plans")).body as { items: object[] };
    await expect.poll(async () => (await plans()).items.length, { timeout: 300_000 }).toBe(1);
    const scan = async () => (await api("GET", "/data-quality/findings/scans/1")).body as { status: string };
    await expect.poll(async () => (await scan()).status, { timeout: 300_000 }).toBe("Completed");
    await end(service);
  },
};

async function end(service: Service): Promise<void> {
  const exitCode = await service.stop();
  if (exitCode !== 0) throw new Error(`The service ended with ${exitCode}:\n${service.output()}`);
}

/** Made once per run, by whoever needs it first, while the others wait. */
async function templateOf(contents: Contents): Promise<string> {
  const template = join(templates, contents);
  const lock = `${template}.lock`;
  mkdirSync(templates, { recursive: true });
  while (!existsSync(template)) {
    if (!take(lock)) {
      await delay(100);
      continue;
    }
    try {
      if (existsSync(template)) break;
      const unfinished = `${template}.new`;
      rmSync(unfinished, { recursive: true, force: true });
      await make[contents](unfinished);
      renameSync(unfinished, template);
    } finally {
      rmdirSync(lock);
    }
  }
  return template;
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
