import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, expect, test } from "vitest";
import { machineMemory } from "../machine-memory.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "./embedded.ts";
import { sizedFor } from "./embedded-size.ts";
import { isRunning, postmasterOf } from "./postmaster.ts";

const folder = mkdtempSync(join(tmpdir(), "plumbline-embedded-"));
const cluster = join(folder, "postgres");
const options = { folder, password: "only for this test", durable: false };

let running: EmbeddedDatabase | undefined;
const start = async () => {
  running = await startEmbeddedDatabase(options);
  return running;
};
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** The first column of the first row, using its own connection. */
async function ask(url: string, query: string): Promise<unknown> {
  const connection = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [row] = await connection.unsafe(query).values();
    return row?.[0];
  } finally {
    await connection.end();
  }
}

const pid = () => postmasterOf(cluster)?.pid ?? 0;

/** A process that starts the database, then idles until it is killed. */
async function startInAnotherProcess(): Promise<ChildProcess> {
  const script = `
    import { startEmbeddedDatabase } from ${JSON.stringify(join(import.meta.dirname, "embedded.ts"))};
    await startEmbeddedDatabase(${JSON.stringify(options)});
    console.log("started");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout ?? child, "data");
  return child;
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the first start creates a UTF-8 database that requires the password, on 127.0.0.1 only", async () => {
  const { url } = await start();
  expect(await ask(url, "select current_database()")).toBe("plumbline");
  expect(await ask(url, "show server_encoding")).toBe("UTF8");
  expect(await ask(url, "select upper('åψж')")).toBe("ÅΨЖ");
  expect(await ask(url, "show listen_addresses")).toBe("127.0.0.1");
  expect(await ask(url, "show unix_socket_directories")).toBe("");
  expect(await ask(url, "show temp_file_limit")).toBe("1GB");
  const buffers = sizedFor(machineMemory())[0]?.replace("shared_buffers=", "");
  expect(await ask(url, "select pg_size_bytes(current_setting('shared_buffers'))::float8")).toBe(
    Number.parseInt(buffers ?? "", 10) * 1024 * 1024,
  );
  const withAnother = Object.assign(new URL(url), { password: "another" }).href;
  await expect(ask(withAnother, "select 1")).rejects.toThrow(/password authentication failed/);
  expect(statSync(cluster).mode & 0o077).toBe(0);
});

test("stopping ends the server, and the next start has the committed data at the same address", async () => {
  const first = await start();
  await ask(first.url, "create table kept as select 42 as answer");
  const before = pid();
  await first.stop();
  expect(existsSync(join(cluster, "postmaster.pid"))).toBe(false);

  const second = await start();
  expect(pid()).not.toBe(before);
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, "select answer from kept")).toBe(42);
});

test("a server whose starter was killed is adopted, and stopped by the adopter", async () => {
  const child = await startInAnotherProcess();
  const left = postmasterOf(cluster);
  if (!left) throw new Error("no postmaster");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isRunning(left, cluster)).toBe(true);

  const adopted = await start();
  expect(pid()).toBe(left.pid);
  expect(await ask(adopted.url, "select 1")).toBe(1);
  await adopted.stop();
  expect(isRunning(left, cluster)).toBe(false);
});

test("a server that was killed with its starter is restarted despite its stale postmaster.pid", async () => {
  const child = await startInAnotherProcess();
  const killed = pid();
  child.kill("SIGKILL");
  await once(child, "exit");
  process.kill(killed, "SIGKILL");
  expect(existsSync(join(cluster, "postmaster.pid"))).toBe(true);

  const { url } = await start();
  expect(pid()).not.toBe(killed);
  expect(await ask(url, "select 1")).toBe(1);
});

test("a stale postmaster.pid with another process's pid does not prevent the start", async () => {
  const first = await start();
  await first.stop();
  const now = Math.floor(Date.now() / 1000);
  const lines = [process.pid, cluster, now, 5432, "", "127.0.0.1", "0 0", "ready   "];
  writeFileSync(join(cluster, "postmaster.pid"), `${lines.join("\n")}\n`);

  const { url } = await start();
  expect(await ask(url, "select 1")).toBe(1);
});

test("a server that exits unexpectedly is restarted at the same address", async () => {
  const { url } = await start();
  const before = pid();
  process.kill(before, "SIGKILL");
  await expect.poll(() => ask(url, "select 1").catch(() => null), { timeout: 15_000, interval: 200 }).toBe(1);
  expect(pid()).not.toBe(before);
});

test("an interrupted first start is started over", async () => {
  rmSync(cluster, { recursive: true, force: true });
  const half = `${cluster}.new`;
  mkdirSync(half);
  writeFileSync(join(half, "PG_VERSION"), "18\n");

  const { url } = await start();
  expect(await ask(url, "select 1")).toBe(1);
  expect(existsSync(half)).toBe(false);
});
