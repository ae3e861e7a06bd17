import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sql } from "../../db/client.ts";
import { aProject, ownConnection } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import { closeSources, useDatabase } from "./connected-sources.ts";
import { createDataSource, updateDataSource } from "./edit-data-sources.ts";
import { testConnection } from "./test-connection.ts";

/**
 * Passwords that are kept elsewhere, used to sign in to a real PostgreSQL. Vault is stood in for by its documented
 * answers: https://openbao.org/api-docs/secret/kv/kv-v2/#read-secret-version
 */
const root = mkdtempSync(join(tmpdir(), "plumbline-secrets-"));
const folder = join(root, "secrets");
const vaultTokenFile = join(root, "vault-token");
const kept: Record<string, Record<string, unknown> | null> = {};
let vault: Awaited<ReturnType<typeof anHttpReceiver>>;
const reader = `reader_${process.pid}`;
let projectId = 0;
let admin: Awaited<ReturnType<typeof asAdmin>>;

beforeAll(async () => {
  mkdirSync(folder);
  vault = await anHttpReceiver((response, { path, headers }) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (headers["x-vault-token"] !== "hvs.first" && headers["x-vault-token"] !== "hvs.second")
      return answer(403, { errors: ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"] });
    const place = path.replace("/v1/", "");
    if (!(place in kept)) return answer(404, { errors: [] });
    answer(200, {
      ...{ request_id: "58d8f7a5", lease_id: "", renewable: false, lease_duration: 0 },
      data: { data: kept[place], metadata: { version: 3, destroyed: false, deletion_time: "" } },
      ...{ wrap_info: null, warnings: null, auth: null },
    });
  });
  writeFileSync(vaultTokenFile, "hvs.first\n");
  vi.stubEnv("SECRETS_ENV_PREFIX", "WAREHOUSE_");
  vi.stubEnv("SECRETS_FOLDERS", folder);
  // A folder of all secrets, as containers have it, with those of the service itself.
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data/secrets.json"), "{}");
  writeFileSync(join(folder, "metrics-token"), "hush-hush-hush-hush");
  vi.stubEnv("DATA_DIR", join(folder, "data"));
  vi.stubEnv("METRICS_TOKEN_FILE", join(folder, "metrics-token"));
  vi.stubEnv("SECRETS_VAULT_ADDRESS", vault.url);
  vi.stubEnv("SECRETS_VAULT_TOKEN_FILE", vaultTokenFile);
  vi.stubEnv("SECRETS_VAULT_PATHS", "kv/plumbline/");
  await sql.unsafe(`create role ${reader} login password 'first'`);
  projectId = (await aProject()).id;
  admin = await asAdmin();
});
afterAll(async () => {
  await closeSources();
  await sql.unsafe(`drop role ${reader}`);
  await vault.stop();
  rmSync(root, { recursive: true });
});

const connection = (password: string) => ({ ...ownConnection(), user: reader, password });
const tested = (password: string) =>
  testConnection(admin, { projectId, kind: "PostgreSql", connection: connection(password) });
const failsWith = async (password: string, message: string) =>
  expect(await tested(password)).toEqual({ ok: false, message: `The secret ${password} ${message}` });

test("a password in a variable, a file, and Vault signs in", async () => {
  vi.stubEnv("WAREHOUSE_SALES", "first");
  writeFileSync(join(folder, "sales"), "first\n");
  kept["kv/data/plumbline/sales"] = { password: "first", port: 5432 };
  for (const place of ["env:WAREHOUSE_SALES", `file:${folder}/sales`, "vault:kv/plumbline/sales#password"])
    expect(await tested(`{{${place}}}`)).toMatchObject({ ok: true });
  // It is what signs in, rather than the server trusting everyone.
  vi.stubEnv("WAREHOUSE_SALES", "wrong");
  expect(await tested("{{env:WAREHOUSE_SALES}}")).toEqual({
    ok: false,
    message: "The user or password is wrong",
  });
});

test("what cannot be read names the reference, and why", async () => {
  await failsWith("{{env:WAREHOUSE_NONE}}", "is not set");
  vi.stubEnv("WAREHOUSE_EMPTY", "");
  await failsWith("{{env:WAREHOUSE_EMPTY}}", "is empty");
  await failsWith(`{{file:${folder}/none}}`, "does not exist");
  await failsWith(`{{file:${folder}}}`, "is not a file");
  writeFileSync(join(folder, "large"), "x".repeat(64 * 1024 + 1));
  await failsWith(`{{file:${folder}/large}}`, "is larger than 64 kB");
  writeFileSync(join(root, "outside"), "first");
  symlinkSync(join(root, "outside"), join(folder, "link"));
  await failsWith(`{{file:${folder}/link}}`, "is not allowed by SECRETS_FOLDERS: it leads out of them");
  await failsWith("{{vault:kv/plumbline/none#password}}", "does not exist in Vault");
  await failsWith("{{vault:kv/plumbline/sales#user}}", "has no such field in Vault");
  kept["kv/data/plumbline/list"] = { password: ["first"] };
  await failsWith("{{vault:kv/plumbline/list#password}}", "is no text in Vault");
  kept["kv/data/plumbline/deleted"] = null;
  await failsWith("{{vault:kv/plumbline/deleted#password}}", "has no such field in Vault");
});

test("a pipe does not keep anyone waiting", async () => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await failsWith(`{{file:${folder}/pipe}}`, "is not a file");
});

test("the service's own secrets are out of reach, in an allowed folder and by any name", async () => {
  linkSync(join(folder, "metrics-token"), join(folder, "same-file"));
  symlinkSync(join(folder, "metrics-token"), join(folder, "own-link"));
  linkSync(vaultTokenFile, join(folder, "vault-token"));
  for (const name of ["metrics-token", "same-file", "own-link", "vault-token", "data/secrets.json"])
    await failsWith(`{{file:${folder}/${name}}}`, "is the service's own");
});

test("what cannot be in a header or a password is refused without being shown", async () => {
  writeFileSync(join(folder, "lines"), "hush\r\nX-Evil: 1");
  writeFileSync(join(folder, "nul"), "first\u0000");
  await failsWith(`{{file:${folder}/nul}}`, "cannot be a password: it contains a NUL character");
  const before = vault.requests.length;
  const api = {
    ...{ baseUrl: vault.url, headers: {} },
    secretHeaders: { "X-Key": `literal {{file:${folder}/lines}}` },
  };
  expect(await testConnection(admin, { projectId, kind: "RestApi", connection: api })).toEqual({
    ok: false,
    message: `The secret {{file:${folder}/lines}} cannot be sent in a header, which is one line of up to 4,000 Latin characters`,
  });
  expect(vault.requests.length).toBe(before);
});

test("where a secret is kept is shown; a password, and what else is in a header, is not", async () => {
  vi.stubEnv("WAREHOUSE_SALES", "first");
  const kept = "{{env:WAREHOUSE_SALES}}";
  const write = { projectId, name: "Shown", kind: "PostgreSql" as const };
  const source = await createDataSource(admin, { ...write, connection: connection(kept) });
  expect(source).toMatchObject({ hasPassword: true, secretReferences: [kept] });
  const { id, name } = source;
  const referencesAfter = async (password: string | undefined) => {
    const { password: _, ...rest } = connection("");
    const changed = { ...rest, ...(password !== undefined && { password }) };
    return (await updateDataSource(admin, { id, name, connection: changed })).secretReferences;
  };
  expect(await referencesAfter(undefined)).toEqual([kept]);
  expect(await referencesAfter(`literal ${kept}`)).toEqual([]);
  expect(await referencesAfter("first")).toEqual([]);

  const api = {
    ...{ baseUrl: "https://api.example.com", headers: {} },
    secretHeaders: { "X-Key": `hush ${kept}`, "X-Other": kept, "X-Plain": "hush" },
  };
  const made = await createDataSource(admin, { ...write, kind: "RestApi", name: "API", connection: api });
  expect(made.secretReferences).toEqual([kept]);
  expect(JSON.stringify(made)).not.toContain("hush");
});

test("Vault's own failures, and a token that was renewed in its file", async () => {
  const place = "{{vault:kv/plumbline/sales#password}}";
  writeFileSync(vaultTokenFile, "hvs.expired");
  await failsWith(place, "cannot be read: Vault does not allow it with this token");
  writeFileSync(vaultTokenFile, "");
  await failsWith(place, "cannot be read: there is no token in SECRETS_VAULT_TOKEN_FILE");
  writeFileSync(vaultTokenFile, "hvs.second");
  expect(await tested(place)).toMatchObject({ ok: true });
  const { answer } = vault;
  vault.answer = (response) => response.writeHead(503).end('{"errors":["Vault is sealed"]}');
  await failsWith(place, "cannot be read: Vault responded with HTTP 503");
  // The token is not sent elsewhere.
  vault.answer = (response) => response.writeHead(307, { location: `${vault.url}/elsewhere` }).end();
  await failsWith(place, "cannot be read: Vault responded with HTTP 307");
  vault.answer = (response) => response.end('{"data":{"password":"first"}}');
  await failsWith(place, "cannot be read: the mount is no KV version 2");
  vault.answer = answer;
});

test("what is not allowed is refused before anything is read or stored", async () => {
  const before = vault.requests.length;
  for (const [password, setting] of [
    ["{{env:ENCRYPTION_KEY}}", "SECRETS_ENV_PREFIX"],
    ["{{file:/etc/passwd}}", "SECRETS_FOLDERS"],
    ["{{vault:secret/x#y}}", "SECRETS_VAULT_PATHS"],
  ] as const) {
    const message = `${password} is not allowed by ${setting}`;
    const refused = { code: "invalid", more: { errors: [{ path: "connection.password", message }] } };
    await expect(tested(password)).rejects.toMatchObject(refused);
    const write = { projectId, name: "Sales", kind: "PostgreSql" as const, connection: connection(password) };
    await expect(createDataSource(admin, write)).rejects.toMatchObject(refused);
  }
  const headers = {
    baseUrl: "https://api.example.com",
    headers: {},
    secretHeaders: { "X-Key": "a {{env:HOME}}" },
  };
  await expect(
    testConnection(admin, { projectId, kind: "RestApi", connection: headers }),
  ).rejects.toMatchObject({
    code: "invalid",
    more: { errors: [{ path: "connection.secretHeaders" }] },
  });
  expect(vault.requests.length).toBe(before);
});

test("a password that is changed where it is kept is used by the run after the first that was refused", async () => {
  const place = "{{vault:kv/plumbline/sales#password}}";
  const write = { projectId, name: "Sales", kind: "PostgreSql" as const, connection: connection(place) };
  const { id, canWrite } = await createDataSource(admin, write);
  expect(canWrite).toBe(false);
  const who = () =>
    useDatabase(id, (_, source) =>
      source.session((session) =>
        session.read(
          { sql: "select current_user", parameters: [] },
          { timeoutMs: 5000, maxRows: 1, maxBytes: 1000 },
        ),
      ),
    );
  expect((await who()).rows).toEqual([[reader]]);
  const asked = vault.requests.length;
  await who();
  // Remembered for half a minute.
  expect(vault.requests.length).toBe(asked);

  await sql.unsafe(`alter role ${reader} password 'second'`);
  kept["kv/data/plumbline/sales"] = { password: "second" };
  // Its connections are gone, so it has to sign in.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${reader}`;
  // Until the first run is refused, which forgets the former one.
  await expect.poll(async () => (await who().catch(() => ({ rows: [] }))).rows).toEqual([[reader]]);
  expect(vault.requests.length).toBe(asked + 1);

  // Another host still requires to enter where the password is kept again.
  const { password: _, ...elsewhere } = { ...connection(place), host: "other.example.com" };
  await expect(updateDataSource(admin, { id, name: "Sales", connection: elsewhere })).rejects.toMatchObject({
    more: { errors: [{ path: "connection.password" }] },
  });
});
