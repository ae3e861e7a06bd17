import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sql } from "../db/client.ts";
import { verifyEncryptionKey } from "../db/encryption-check.ts";
import { programEnv } from "../test/program-env.ts";

const folder = mkdtempSync(join(tmpdir(), "plumbline-main-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function run(args: string[], env: Record<string, string>): ChildProcess {
  const { PATH, NODE_ENV } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, NODE_ENV, ...programEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

/** Starts the service and waits until it exits. */
async function failedStart(env: Record<string, string>) {
  const child = run([join(import.meta.dirname, "main.ts")], {
    PORT: String(await freePort()),
    DATA_DIR: join(folder, "data"),
    ...env,
  });
  const said = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => {
    said.stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    said.stderr += chunk;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, ...said };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const secrets = {
  ENCRYPTION_KEY: process.env.ENCRYPTION_KEY ?? "",
  NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET ?? "",
};

test.each<[what: string, env: Record<string, string>, line: RegExp]>([
  ["a port that is no number", { PORT: "http" }, /^plumbline: PORT: .+/],
  ["a level of logging that does not exist", { LOG_LEVEL: "loud" }, /^plumbline: LOG_LEVEL: .+/],
  ["another kind of database", { DATABASE_URL: "mysql://localhost/x" }, /^plumbline: DATABASE_URL: .+/],
  ["a short encryption key", { ENCRYPTION_KEY: "secret" }, /^plumbline: ENCRYPTION_KEY: must be 32 bytes.+/],
  ["half an Admin", { ADMIN_EMAIL: "a@example.com" }, /^plumbline: ADMIN_EMAIL: .+ADMIN_PASSWORD.+/],
  [
    "an address that is not ours",
    { HOST: "192.0.2.1" },
    /^plumbline: cannot listen on 192\.0\.2\.1: .+HOST.+/,
  ],
  [
    "a data folder below a file",
    { DATA_DIR: join(import.meta.filename, "data") },
    /^plumbline: the data folder .+main\.test\.ts is not a folder; set DATA_DIR.+/,
  ],
  [
    "a data folder where nothing can be written",
    { DATA_DIR: "/proc/plumbline/data" },
    /^plumbline: the data folder \/proc\/plumbline\/data cannot be used: .+/,
  ],
  [
    "a database without an encryption key",
    { DATABASE_URL: "postgres://x@127.0.0.1:1/x" },
    /^plumbline: ENCRYPTION_KEY is required with DATABASE_URL.+/,
  ],
  [
    "a database without a session secret",
    { DATABASE_URL: "postgres://x@127.0.0.1:1/x", ENCRYPTION_KEY: secrets.ENCRYPTION_KEY },
    /^plumbline: NEXTAUTH_SECRET is required with DATABASE_URL.+/,
  ],
  [
    "no jobs where no other process could run them",
    { JOBS: "off" },
    /^plumbline: JOBS: off requires DATABASE_URL.+/,
  ],
  [
    "a database that cannot be reached",
    { DATABASE_URL: "postgres://x:hidden@127.0.0.1:1/x", ...secrets },
    /^plumbline: the database x on 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED.*/,
  ],
])("%s prevents the start with one line", async (_, env, line) => {
  const { exitCode, stdout, stderr } = await failedStart(env);
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).not.toContain("hidden");
  expect(stdout).toBe("");
  expect(exitCode).toBe(1);
});

test("a port in use prevents the start with one line", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const { exitCode, stderr } = await failedStart({ PORT: String(port) });
  taken.close();
  expect(stderr).toBe(
    `plumbline: port ${port} on 127.0.0.1 is in use: stop the process that uses it, or set PORT to another port\n`,
  );
  expect(exitCode).toBe(1);
});

test("a wrong encryption key prevents the start with one line", async () => {
  await verifyEncryptionKey();
  const { exitCode, stdout, stderr } = await failedStart({
    ...secrets,
    DATABASE_URL: process.env.DATABASE_URL ?? "",
    ENCRYPTION_KEY: "22".repeat(32),
  });
  expect(stderr).toBe(
    "plumbline: this database's secrets were encrypted with a different ENCRYPTION_KEY: set the previous key\n",
  );
  expect(stdout).toBe("");
  expect(exitCode).toBe(1);
  // The original key still works.
  await expect(verifyEncryptionKey()).resolves.toBeUndefined();
});

test("a database used by a newer version prevents the start with one line, before anything is done", async () => {
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9e12)`;
  const { exitCode, stdout, stderr } = await failedStart({
    ...secrets,
    DATABASE_URL: process.env.DATABASE_URL ?? "",
    ADMIN_EMAIL: "first@example.com",
    ADMIN_PASSWORD: "correct horse",
  });
  expect(stderr).toMatch(
    /^plumbline: the database test_\w+ on [^ ]+ was used by a newer version of Plumbline, .+\n$/,
  );
  expect(stdout).toBe("");
  expect(exitCode).toBe(1);
  expect(await sql`select from users`).toHaveLength(0);
  await sql`delete from drizzle.__drizzle_migrations where created_at = 9e12`;
});

test("a data folder in use by another process prevents the start with one line", async () => {
  const shared = join(folder, "shared");
  const script = `
    import { lockDataFolder, openDataFolder } from ${JSON.stringify(join(import.meta.dirname, "data-folder.ts"))};
    lockDataFolder(openDataFolder(${JSON.stringify(shared)}));
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const holder = run(["--input-type=module", "--eval", script], {});
  await once(holder.stdout ?? holder, "data");

  const { exitCode, stderr } = await failedStart({ DATA_DIR: shared });
  expect(stderr).toBe(
    `plumbline: the data folder ${shared} is in use by another Plumbline (process ${holder.pid})\n`,
  );
  expect(exitCode).toBe(1);
});

test("lost secrets prevent the start with one line", async () => {
  const lost = join(folder, "lost");
  mkdirSync(join(lost, "postgres"), { recursive: true });
  const { exitCode, stderr } = await failedStart({ DATA_DIR: lost });
  expect(stderr).toMatch(/^plumbline: .+secrets\.json is missing.+\n$/);
  expect(exitCode).toBe(1);
});
