import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { scratch, startService } from "./service.ts";

/** A service that is backed up while in use, and its copy, restored elsewhere. */
const folder = join(scratch, "backup");
const dataDir = join(folder, "original");
const twinDir = join(folder, "twin");
const file = join(folder, "backup.tar.gz");

test.beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await prepareFolder(dataDir);
});

async function command(name: string, args: string[], dataDir: string) {
  const { PATH, HOME, NODE_ENV } = process.env;
  return promisify(execFile)(process.execPath, [`dist/commands/${name}.js`, ...args], {
    cwd: join(import.meta.dirname, ".."),
    env: { PATH, HOME, NODE_ENV, DATA_DIR: dataDir },
  });
}

test("a service is backed up while people write, and restored elsewhere with everything written by then", async () => {
  const service = await startService(dataDir);
  const admin = await signIn(service.url);
  const { id: projectId } = (await admin("POST", "/projects", { name: "Flights" })).body as { id: number };
  const database = new URL(process.env.TEST_DATABASE_URL ?? "");
  const source = await admin("POST", "/data-sources", {
    projectId,
    name: "Warehouse",
    kind: "PostgreSql",
    connection: {
      host: database.hostname,
      port: Number(database.port || 5432),
      database: "postgres",
      user: decodeURIComponent(database.username),
      // A server that requires no password accepts any.
      password: decodeURIComponent(database.password) || "Tr0ub4dor",
    },
  });
  expect(source.status).toBe(201);
  const dataSourceId = (source.body as { id: number }).id;

  // One after the other: any snapshot of the database contains the first ones, without a gap.
  let written = 0;
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      const { status } = await admin("POST", "/projects", { name: `Project ${written}` });
      if (status !== 201) throw new Error(`Writing answered ${status}`);
      written += 1;
    }
  })();
  await expect.poll(() => written).toBeGreaterThan(5);
  const before = written;
  expect((await command("backup", ["--to", file], dataDir)).stdout).toContain(`Backed up: ${file} (`);
  const after = written;
  isWriting = false;
  await writing;
  expect(after).toBeGreaterThan(before);

  await expect(command("restore", ["--from", file, "--replace"], dataDir)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is in use by another Plumbline"),
  });
  expect(await service.stop()).toBe(0);
  await command("restore", ["--from", file], twinDir);
  // The original is no longer needed.
  rmSync(dataDir, { recursive: true });

  const twin = await startService(twinDir);
  const restored = await signIn(twin.url);
  const { items } = (await restored("GET", "/projects")).body as { items: { name: string }[] };
  const numbers = items.flatMap(({ name }) => /^Project (\d+)$/.exec(name)?.[1] ?? []).map(Number);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from(numbers, (_, index) => index));
  expect(numbers.length).toBeGreaterThanOrEqual(before);
  expect(numbers.length).toBeLessThanOrEqual(after + 1);
  // The warehouse's password can be decrypted.
  const preview = await restored("POST", "/queries/preview", { dataSourceId, sql: "select 42 as answer" });
  expect(preview.body).toMatchObject({ rows: [[42]] });
  expect(await twin.stop()).toBe(0);
  expect(existsSync(join(twinDir, "restored"))).toBe(false);
});
