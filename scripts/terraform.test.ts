import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRest } from "../cli/service.fixture.ts";
import { setUp } from "../server/auth/service/set-up.ts";
import { closeSources } from "../server/data-sources/service/connected-sources.ts";
import { verifyEncryptionKey } from "../server/db/encryption-check.ts";
import { loadDemo } from "../server/demo/load.ts";
import { aKey } from "../server/test/factories/api-keys.ts";

/**
 * The Terraform provider's own tests, against a service with the demo: with Go, and the OpenTofu or Terraform that
 * TEST_TERRAFORM_PATH names. Go is `go`, or where its installer puts it.
 */
const folder = join(import.meta.dirname, "../deploy/terraform");
const terraform = process.env.TEST_TERRAFORM_PATH;
const go = ["go", "/usr/local/go/bin/go"].find((path) => spawnSync(path, ["version"]).status === 0);
const names = { database: "demo_terraform_test", reader: "demo_terraform_reader" };
const databaseUrl = process.env.DATABASE_URL ?? "";
let service: Awaited<ReturnType<typeof startRest>>;
let key: string;

async function run(args: string[], env: Record<string, string> = {}) {
  const { TF_CLI_CONFIG_FILE: _, ...inherited } = process.env;
  const child = spawn(go ?? "go", args, {
    cwd: folder,
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, output: stdout + stderr };
}

beforeAll(async () => {
  if (!terraform) return;
  if (!go) throw new Error("TEST_TERRAFORM_PATH is set, but Go is not installed");
  await verifyEncryptionKey();
  await setUp({ name: "Ada", email: "ada@example.com", password: "a long enough password" });
  await loadDemo(databaseUrl, names);
  service = await startRest();
  key = (await aKey()).rawKey;
}, 180_000);

afterAll(async () => {
  if (!service) return;
  service.close();
  await closeSources();
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database ${names.database} with (force)`);
  await admin.unsafe(`drop role ${names.reader}`);
  await admin.end();
});

test.skipIf(!terraform)("go vet reports nothing, and its unit tests pass", { timeout: 900_000 }, async () => {
  const vetted = await run(["vet", "./..."]);
  // The first time, it says what it downloads.
  const reported = vetted.output.replaceAll(/^go: downloading .*\n/gm, "");
  expect([vetted.code, reported]).toEqual([0, ""]);
  const { code, output } = await run(["test", "-count=1", "./..."]);
  expect(code, output).toBe(0);
});

test.skipIf(!terraform)(
  "everything is created, read, updated, imported, and removed; the demo applied twice has no change",
  { timeout: 900_000 },
  async () => {
    const isTofu = /tofu/.test(terraform ?? "");
    const { code, output } = await run(
      ["test", "-count=1", "-v", "-run", "TestAcc", "-timeout", "14m", "./provider"],
      {
        ...{ TF_ACC: "1", TF_ACC_TERRAFORM_PATH: terraform ?? "" },
        ...(isTofu && { TF_ACC_PROVIDER_HOST: "registry.opentofu.org" }),
        ...{ PLUMBLINE_URL: service.url, PLUMBLINE_API_KEY: key },
      },
    );
    expect(code, output).toBe(0);
    expect(output).toContain("--- PASS: TestAccDemo");
    expect(output).not.toContain("--- SKIP");
  },
);

test("a registry would find what it looks for", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "terraform-registry-manifest.json"), "utf8"));
  expect(manifest).toEqual({ version: 1, metadata: { protocol_versions: ["6.0"] } });
  expect(existsSync(join(folder, "go.sum"))).toBe(true);
});
