import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { signIn } from "./api.ts";
import { scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** What an operator runs while the service is stopped, on its data folder. */
const dataDir = join(scratch, "commands");
const root = join(import.meta.dirname, "..");

test.beforeAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function command(file: string, more: Record<string, string> = {}) {
  const { PATH, HOME, NODE_ENV } = process.env;
  return promisify(execFile)(process.execPath, ["--import", "tsx", `server/${file}.ts`], {
    cwd: root,
    env: { PATH, HOME, NODE_ENV, DATA_DIR: dataDir, ...more },
  });
}

test("the key is rotated, and the counters are rebuilt, but not under a service that runs", async () => {
  const service = await startService(dataDir);
  await expect(command("rebuild-counters")).rejects.toMatchObject({ code: 1 });
  const admin = await signIn(service.url);
  const { id: projectId } = (await admin("POST", "/projects", { name: "Flights" })).body as { id: number };
  const recipient = { projectId, name: "Hook", type: "Webhook", destination: "https://hooks.example.com" };
  expect((await admin("POST", "/recipients", recipient)).status).toBe(201);
  await service.stop();

  expect((await command("rebuild-counters")).stdout).toBe("Counted anew: 0 executions of 0 subscriptions\n");
  const key = "5".repeat(64);
  expect((await command("rotate-key", { ENCRYPTION_KEY: key })).stdout).toMatch(
    /^Under the new key: the secrets of 0 data sources and 1 webhooks\. /,
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
