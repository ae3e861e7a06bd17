import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../db/embedded.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { lockDataFolder } from "../process/data-folder.ts";
import { keptSecrets } from "../process/secrets.ts";
import { programEnv } from "../test/program-env.ts";
import { type Entry, readArchive, textEntry, writeArchive } from "./backup/archive.ts";
import type { Lock } from "./backup/encryption.ts";

/**
 * `npm run backup` and `npm run restore`, in their own processes, on installations with the embedded database.
 * e2e/backup.spec.ts covers backing up a running service.
 */
const root = mkdtempSync(join(tmpdir(), "plumbline-backup-"));
const original = join(root, "original");
/** Where it is backed up, and the backup, whose name is generated. */
const backups = join(root, "backups");
let backup: string;
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function command(name: "backup" | "restore", args: string[], env: Record<string, string>) {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    env: { PATH, NODE_ENV: "test", ...programEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, ...said };
}

const passphrase = "five words of one's own";
const gzipStart = gzipSync("").subarray(0, 8);

const restore = (from: string, dataDir: string, ...more: string[]) =>
  command("restore", ["--from", from, ...more], { DATA_DIR: dataDir });

/** The installation in a folder, opened like the service does. */
async function opened<T>(folder: string, work: (database: EmbeddedDatabase) => Promise<T>): Promise<T> {
  const database = await startEmbeddedDatabase({ folder, password: keptSecrets(folder).databasePassword });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

async function ask(url: string, query: string): Promise<unknown> {
  const connection = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return (await connection.unsafe(query).values())[0]?.[0];
  } finally {
    await connection.end();
  }
}

/** A copy of the stopped installation, which PostgreSQL's files keep their owner in. */
function copyOfOriginal(name: string): string {
  const folder = join(root, name);
  execFileSync("cp", ["-Rp", original, folder]);
  // Each server chooses its own port.
  rmSync(join(folder, "postgres/postmaster.opts"), { force: true });
  return folder;
}

type Parts = {
  /** The tables and the write-ahead log, which are nearly all of it: a backup without them does not start. */
  data?: boolean;
  lock?: Lock;
};

/** The same backup with one of its texts changed or removed. */
async function altered(
  name: string,
  change: (text: string) => string | null,
  { data = false, lock }: Parts = {},
): Promise<string> {
  const file = join(root, `altered-${readdirSync(root).length}.tar.gz`);
  async function* all() {
    for (const entry of await entriesOfBackup()) {
      if (!data && /^postgres\/(base|pg_wal)\/./.test(entry.name)) continue;
      const text = entry.name === name ? change(new TextDecoder().decode(entry.bytes)) : undefined;
      if (text === null) continue;
      if (text !== undefined) yield textEntry(name, text);
      else if (entry.bytes)
        yield { ...entry, file: { size: entry.bytes.length, body: streamOf(entry.bytes) } };
      else yield { ...entry, file: null };
    }
  }
  await writeArchive(file, all(), lock);
  return file;
}

const streamOf = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]).stream();

type ReadEntry = Omit<Entry, "file"> & { bytes: Uint8Array<ArrayBuffer> | undefined };
let read: Promise<ReadEntry[]> | undefined;

/** Read once, by whichever test comes first. */
function entriesOfBackup(): Promise<ReadEntry[]> {
  read ??= (async () => {
    const entries: ReadEntry[] = [];
    await readArchive(backup, async ({ name, mode, file }) => {
      const bytes = file ? new Uint8Array(await new Response(file.body).arrayBuffer()) : undefined;
      entries.push({ name, mode, bytes });
    });
    return entries;
  })();
  return read;
}

const about = (change: object, parts?: Parts) =>
  altered("plumbline-backup.json", (text) => JSON.stringify({ ...JSON.parse(text), ...change }), parts);

let made: Awaited<ReturnType<typeof command>>;
beforeAll(async () => {
  mkdirSync(original);
  await opened(original, async ({ url }) => {
    await migrateDatabase(url);
    await ask(url, "create table kept as select 42 as answer");
  });
  mkdirSync(backups);
  made = await command("backup", ["--to", backups], { DATA_DIR: original });
  backup = join(backups, readdirSync(backups)[0] ?? "");
});

test("a stopped service is backed up into one private file, and restored elsewhere", async () => {
  expect(made).toEqual({ exitCode: 0, out: expect.stringContaining(`Backed up: ${backup} (`), err: "" });
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(readdirSync(original).sort()).toEqual(["postgres", "postgres.log", "secrets.json"]);

  const elsewhere = join(root, "elsewhere");
  expect(await restore(backup, elsewhere)).toEqual({
    exitCode: 0,
    out: expect.stringMatching(/^Restored into .+elsewhere: Plumbline \d+\.\d+\.\d+ as of 20.+Z\n$/),
    err: "",
  });
  expect(readdirSync(elsewhere).sort()).toEqual(["postgres", "postgres.log", "secrets.json"]);
  expect(statSync(join(elsewhere, "secrets.json")).mode & 0o777).toBe(0o600);
  expect(keptSecrets(elsewhere)).toEqual(keptSecrets(original));
  expect(await opened(elsewhere, ({ url }) => ask(url, "select answer from kept"))).toBe(42);
}, 300_000);

test("a backup in a folder gets a generated name, and never overwrites another", async () => {
  expect(made.exitCode).toBe(0);
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/^plumbline-20[\dT-]+Z\.tar\.gz$/)]);
  expect(await command("backup", ["--to", backup], { DATA_DIR: original })).toEqual({
    exitCode: 1,
    out: "",
    err: `plumbline: ${backup} already exists: choose another name\n`,
  });
});

test.each<[string, () => string | Promise<string>, RegExp]>([
  ["that does not exist", () => join(root, "nowhere"), /nowhere does not exist$/],
  [
    "that is half there",
    () => {
      const half = join(root, "half.tar.gz");
      copyFileSync(backup, half);
      truncateSync(half, Math.floor(statSync(backup).size / 2));
      return half;
    },
    /half\.tar\.gz is damaged, incomplete, or not a Plumbline backup$/,
  ],
  [
    "with a byte that was changed",
    async () => {
      const bytes = readFileSync(await about({}));
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      writeFileSync(join(root, "changed.tar.gz"), bytes);
      return join(root, "changed.tar.gz");
    },
    /changed\.tar\.gz is damaged, incomplete, or not a Plumbline backup$/,
  ],
  [
    "that is something else",
    () => {
      writeFileSync(join(root, "else"), "a letter");
      return join(root, "else");
    },
    /else is damaged, incomplete, or not a Plumbline backup$/,
  ],
  [
    "of a newer version",
    () => about({ version: "9.0.0", migrations: [9e12] }),
    /was made by a newer version of Plumbline \(9\.0\.0; this is [\d.]+\): restore it with that version$/,
  ],
  [
    "of another PostgreSQL",
    () => about({ postgresql: 17 }),
    /holds the files of PostgreSQL 17, but this version of Plumbline includes 18: restore it with Plumbline [\d.]+$/,
  ],
  [
    "of another format",
    () => about({ format: 2 }),
    /is a backup that this version of Plumbline cannot read$/,
  ],
  [
    "whose database is another",
    () => about({ migrations: [] }, { data: true }),
    /^plumbline: the backup's database does not match its description$/,
  ],
  ["without its secrets", () => altered("secrets.json", () => null), /secrets\.json cannot be read.*$/],
  [
    "without a part of the database",
    () => altered("postgres/global/pg_control", () => null),
    /^plumbline: the embedded PostgreSQL does not start: .+$/,
  ],
])(
  "a backup %s is rejected in one line, and leaves nothing",
  async (_, from, line) => {
    const target = join(root, "refusing");
    const { exitCode, out, err } = await restore(await from(), target);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(err.trimEnd()).toMatch(line);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
    expect(existsSync(target) ? readdirSync(target) : []).toEqual([]);
  },
  60_000,
);

test("a file outside of its folder is rejected", async () => {
  const file = join(root, "leaving.tar.gz");
  const all = await entriesOfBackup();
  const first = new TextDecoder().decode(all[0]?.bytes);
  expect(all[0]?.name).toBe("plumbline-backup.json");
  async function* entries() {
    yield textEntry("plumbline-backup.json", first);
    yield textEntry("postgres/../../outside", "out");
  }
  await writeArchive(file, entries());
  expect((await restore(file, join(root, "refusing"))).exitCode).toBe(1);
  expect(existsSync(join(root, "outside"))).toBe(false);
});

test("a folder in use is never restored into, and a non-empty one only on request", async () => {
  const used = copyOfOriginal("used");
  const unlock = lockDataFolder(used);
  expect((await restore(backup, used)).err).toBe(
    `plumbline: the data folder ${used} is in use by another Plumbline (process ${process.pid})\n`,
  );
  unlock();

  await opened(used, ({ url }) => ask(url, "alter table kept rename to former"));
  const before = readdirSync(used).sort();
  expect((await restore(backup, used)).err).toBe(
    `plumbline: ${used} is not empty: set DATA_DIR to another folder, or add --replace to move the existing data aside\n`,
  );
  expect(readdirSync(used).sort()).toEqual(before);

  const { exitCode, out } = await restore(backup, used, "--replace");
  expect(exitCode).toBe(0);
  const former = join(used, readdirSync(used).find((name) => name.startsWith("former-")) ?? "");
  expect(out).toContain(`The previous data is in ${former};`);
  expect(await opened(used, ({ url }) => ask(url, "select answer from kept"))).toBe(42);
  expect(readdirSync(former).sort()).toEqual(before);
  expect(await opened(former, ({ url }) => ask(url, "select count(*)::int from former"))).toBe(1);
}, 300_000);

test("a restore killed while testing the database leaves the folder unchanged, and can be repeated", async () => {
  const folder = copyOfOriginal("tried");
  await opened(folder, ({ url }) => ask(url, "create table former as select 1 as answer"));
  const killed = spawn(
    process.execPath,
    [join(import.meta.dirname, "restore.ts"), "--from", backup, "--replace"],
    { env: { PATH: process.env.PATH, NODE_ENV: "test", ...programEnv, DATA_DIR: folder }, stdio: "ignore" },
  );
  const running = join(folder, "restoring/postgres/postmaster.pid");
  await expect.poll(() => existsSync(running), { timeout: 120_000, interval: 5 }).toBe(true);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(await opened(folder, ({ url }) => ask(url, "select answer from former"))).toBe(1);

  expect(await restore(backup, folder, "--replace")).toMatchObject({ exitCode: 0, err: "" });
  expect(readdirSync(folder)).not.toContain("restoring");
  expect(await opened(folder, ({ url }) => ask(url, "select to_regclass('former')::text"))).toBeNull();
}, 300_000);

test("a restore killed while moving files stops the next start, and can be repeated", async () => {
  const folder = copyOfOriginal("killed");
  // Only the secrets have been moved aside.
  mkdirSync(join(folder, "restored"));
  mkdirSync(join(folder, "former-then"));
  rmSync(join(folder, "secrets.json"));
  expect(() => keptSecrets(folder)).toThrow(
    `a restore into ${folder} was interrupted: run npm run restore again, with --replace`,
  );
  expect(await restore(backup, folder, "--replace")).toMatchObject({ exitCode: 0, err: "" });
  expect(await opened(folder, ({ url }) => ask(url, "select answer from kept"))).toBe(42);
}, 300_000);

test.each<[string, "backup" | "restore", string[], Record<string, string>, string]>([
  [
    "a database of one's own",
    "backup",
    [],
    { DATABASE_URL: "postgres://x@127.0.0.1:1/x" },
    "such as pg_dump",
  ],
  [
    "a database of one's own",
    "restore",
    [],
    { DATABASE_URL: "postgres://x@127.0.0.1:1/x" },
    "such as pg_restore",
  ],
  ["nothing to back up", "backup", [], { DATA_DIR: join(root, "void") }, "there is nothing to back up in"],
  [
    "an option that does not exist",
    "backup",
    ["--form", "x"],
    {},
    "npm run backup [-- --to <file or folder>]",
  ],
  [
    "a passphrase and recipients",
    "backup",
    [],
    { BACKUP_PASSPHRASE: passphrase, BACKUP_RECIPIENTS: "age1x" },
    "BACKUP_PASSPHRASE: and BACKUP_RECIPIENTS are mutually exclusive: set one",
  ],
  [
    "a recipient that is none",
    "backup",
    [],
    { BACKUP_RECIPIENTS: "age1x" },
    "BACKUP_RECIPIENTS: age1x is not a recipient of age",
  ],
  [
    "no backup named",
    "restore",
    [],
    {},
    "--from is missing (npm run restore -- --from <backup> [--replace])",
  ],
])("%s: %s says so in one line", async (_, name, args, env, line) => {
  const { exitCode, out, err } = await command(name, args, { DATA_DIR: original, ...env });
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(err).toContain(line);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
  expect(existsSync(join(root, "void"))).toBe(false);
});

test("an encrypted backup has nothing in clear, is restored with its passphrase, and refused with another", async () => {
  const folder = join(root, "encrypted");
  mkdirSync(folder);
  const settings = { DATA_DIR: original, BACKUP_PASSPHRASE: passphrase };
  const made = await command("backup", ["--to", `${folder}/`], settings);
  expect(made).toMatchObject({ exitCode: 0, out: expect.stringContaining("; encrypted"), err: "" });
  const [name = ""] = readdirSync(folder);
  expect(name).toMatch(/^plumbline-20[\dT-]+Z\.tar\.gz\.age$/);
  const file = join(folder, name);
  const bytes = readFileSync(file);
  expect(bytes.subarray(0, 32).toString("latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt/);
  // The start of a gzip, which everything else would be found behind: eight bytes, as four are there by chance now and then.
  expect(readFileSync(backup).subarray(0, 8)).toEqual(gzipStart);
  expect(bytes.includes(gzipStart)).toBe(false);

  const target = join(root, "decrypted");
  const restored = (env: Record<string, string>) =>
    command("restore", ["--from", file], { DATA_DIR: target, ...env });
  expect((await restored({})).err).toBe(`plumbline: ${file} is encrypted: set BACKUP_PASSPHRASE\n`);
  // Each key that is derived from a passphrase costs seconds, except with a low work factor, which the file says.
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(10);
  encrypter.setPassphrase(passphrase);
  const quick = await about({}, { lock: { encrypter, passphrase } });
  const others = { DATA_DIR: target, BACKUP_PASSPHRASE: "other words altogether" };
  expect((await command("restore", ["--from", quick], others)).err).toBe(
    `plumbline: ${quick} was encrypted with another passphrase than BACKUP_PASSPHRASE\n`,
  );
  const damaged = join(root, "damaged.age");
  const sealed = readFileSync(quick);
  const middle = Math.floor(sealed.length / 2);
  sealed[middle] = (sealed[middle] ?? 0) ^ 1;
  writeFileSync(damaged, sealed);
  expect(
    (await command("restore", ["--from", damaged], { DATA_DIR: target, BACKUP_PASSPHRASE: passphrase })).err,
  ).toBe(`plumbline: ${damaged} is damaged, incomplete, or not a Plumbline backup\n`);
  expect(readdirSync(target)).toEqual([]);
  expect(await restored({ BACKUP_PASSPHRASE: passphrase })).toMatchObject({ exitCode: 0, err: "" });
  expect(await opened(target, ({ url }) => ask(url, "select answer from kept"))).toBe(42);
}, 300_000);

test("a backup for recipients is restored with one of their private keys, and not with another", async () => {
  const [mine, others] = [await generateIdentity(), await generateIdentity()];
  const file = join(root, "recipients.tar.gz.age");
  const recipients = `${await identityToRecipient(mine)}, ${await identityToRecipient(await generateIdentity())}`;
  const made = await command("backup", ["--to", file], { DATA_DIR: original, BACKUP_RECIPIENTS: recipients });
  expect(made).toMatchObject({ exitCode: 0, out: expect.stringContaining(`Backed up: ${file} (`), err: "" });
  const target = join(root, "for-recipients");
  const restored = (env: Record<string, string>) =>
    command("restore", ["--from", file], { DATA_DIR: target, ...env });
  const identity = join(root, "identity");
  expect((await restored({ BACKUP_PASSPHRASE: passphrase })).err).toBe(
    `plumbline: ${file} is encrypted for recipients: set BACKUP_IDENTITY_FILE\n`,
  );
  writeFileSync(identity, `${others}\n`);
  expect((await restored({ BACKUP_IDENTITY_FILE: identity })).err).toBe(
    `plumbline: ${file} was encrypted for others than BACKUP_IDENTITY_FILE\n`,
  );
  writeFileSync(identity, "# created: today\n");
  expect((await restored({ BACKUP_IDENTITY_FILE: identity })).err).toContain("contains no identity of age");
  writeFileSync(identity, `# created: today\n# public key: age1…\n${mine}\n`);
  expect(await restored({ BACKUP_IDENTITY_FILE: identity })).toMatchObject({ exitCode: 0, err: "" });
  expect(await opened(target, ({ url }) => ask(url, "select answer from kept"))).toBe(42);
}, 300_000);

test("an encryption key from a setting is not in the backup, which says so", async () => {
  const folder = copyOfOriginal("with-setting");
  await opened(folder, ({ url }) =>
    ask(url, "insert into installation (id, key_check) values (1, '\\x02') on conflict do nothing"),
  );
  const file = join(root, "setting.tar.gz");
  expect((await command("backup", ["--to", file], { DATA_DIR: folder })).out).toContain(
    "The encryption key is not included: keep the service's ENCRYPTION_KEY",
  );
  const elsewhere = join(root, "elsewhere-setting");
  expect((await restore(file, elsewhere)).out).toContain("start with the ENCRYPTION_KEY");
}, 300_000);
