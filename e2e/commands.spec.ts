import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** What an operator runs on the data folder while the service is stopped. */
const dataDir = join(scratch, "commands");
const root = join(import.meta.dirname, "..");

test.beforeAll(() => prepareFolder(dataDir));

async function command(file: string, more: Record<string, string> = {}) {
  const { PATH, HOME, NODE_ENV } = process.env;
  return promisify(execFile)(process.execPath, [`dist/commands/${file}.js`], {
    cwd: root,
    env: { PATH, HOME, NODE_ENV, DATA_DIR: dataDir, ...more },
  });
}

test("rotating the key and rebuilding counters work, but not while a service is running", async () => {
  const service = await startService(dataDir);
  await expect(command("rebuild-counters")).rejects.toMatchObject({ code: 1 });
  const admin = await signIn(service.url);
  const { id: projectId } = (await admin("POST", "/projects", { name: "Flights" })).body as { id: number };
  const recipient = { projectId, name: "Hook", type: "Webhook", destination: "https://hooks.example.com" };
  expect((await admin("POST", "/recipients", recipient)).status).toBe(201);
  await service.stop();

  expect((await command("rebuild-counters")).stdout).toBe("Recounted: 0 executions of 0 subscriptions\n");
  const key = "5".repeat(64);
  expect((await command("rotate-key", { ENCRYPTION_KEY: key })).stdout).toMatch(
    /^Re-encrypted the secrets of 0 data sources, 1 recipient, and 0 authenticator apps\. /,
  );
  await expect(startService(dataDir)).rejects.toThrow(/ENCRYPTION_KEY|key/);
  const again = await startService(dataDir, { ENCRYPTION_KEY: key });
  expect(await again.stop()).toBe(0);
});

test("a rotation without a new key changes nothing and says what is missing", async () => {
  await expect(command("rotate-key")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("ENCRYPTION_KEY is required"),
  });
});
