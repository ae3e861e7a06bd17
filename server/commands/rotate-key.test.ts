import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordAsSystem } from "../audit/service.ts";
import { sealChain } from "../audit-chain/service/seal-chain.ts";
import { verifyChain } from "../audit-chain/service/verify-chain.ts";
import { auditChainState } from "../audit-chain/tables.ts";
import { totpSecretOf } from "../auth/service/factors-of-user.ts";
import { totpFactors } from "../auth/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db, sql } from "../db/client.ts";
import { decrypt, encrypt, secretKey } from "../db/encryption.ts";
import { verifyEncryptionKey } from "../db/encryption-check.ts";
import { installation } from "../db/tables.ts";
import { taughtCells } from "../findings/tables.ts";
import { recipients } from "../notifications/tables.ts";
import { executionRows } from "../subscriptions/tables.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aUser } from "../test/factories/sessions.ts";
import { anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { programEnv } from "../test/program-env.ts";

type Keys = { ENCRYPTION_KEY?: string; ENCRYPTION_KEY_OLD?: string };

const rotate = (keys: Keys) => command("rotate-key", keys);

/** A command in its own process, on this file's database. */
async function command(name: "rotate-key" | "verify-audit", keys: Keys, ...args: string[]) {
  const { PATH, DATABASE_URL } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    env: { PATH, NODE_ENV: "test", DATABASE_URL, ...programEnv, ...keys },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  const [exitCode] = await once(child, "close");
  return { exitCode, said };
}

const former = "11".repeat(32);
const now = "22".repeat(32);

test("all stored secrets are re-encrypted with the new key, or none", { timeout: 180_000 }, async () => {
  const project = await aProject();
  const source = await aDataSource({ projectId: project.id, connection: { password: "Tr0ub4dor" } });
  const [webhook] = await db
    .insert(recipients)
    .values({
      projectId: project.id,
      name: "Hook",
      type: "Webhook",
      destination: "https://example.com/hook",
    })
    .returning();
  const hookPlace = `recipient:${webhook?.id}`;
  const routePlace = `recipient-destination:${webhook?.id}`;
  await db.update(recipients).set({
    signingSecret: encrypt("whsec_x", hookPlace),
    sealedDestination: encrypt("routing key", routePlace),
  });
  const answer = {
    ...{ dataSourceId: source.id, schemaName: "public", tableName: "t", columnName: "c" },
    ...{ cell: "row-value", verdict: "Wrong" as const },
  };
  const answers = () => db.$count(taughtCells);
  await db.insert(taughtCells).values(answer);
  const { id: subscriptionId } = await aSubscription({ query: await aQuery({ dataSource: source }) });
  const executionId = await anExecution({ subscriptionId, rowCount: 1 });
  const sample = { columns: [{ name: "n", type: "int4" }], rows: [[1]], maskedColumns: [] };
  await db.insert(executionRows).values({ executionId, sample, hashes: Buffer.alloc(8, 1) });
  const kept = async () => (await db.select().from(executionRows))[0];
  const user = await aUser();
  const appSecret = encrypt("GEZDGNBVGY3TQOJQ", totpSecretOf(user.id));
  await db.insert(totpFactors).values({ userId: user.id, secret: appSecret, lastStep: 0 });
  await verifyEncryptionKey();
  await recordAsSystem({ action: "test", objectKind: "test" });
  await sealChain();
  const { end } = await verifyChain();

  const stored = async () => {
    const [checks, sources, hooks, chains, apps] = await Promise.all([
      db.select().from(installation),
      db.select().from(dataSources),
      db.select().from(recipients),
      db.select().from(auditChainState),
      db.select().from(totpFactors),
    ]);
    const sealed = [checks[0]?.keyCheck, sources[0]?.secret, hooks[0]?.signingSecret];
    return [...sealed, chains[0]?.signingKey, apps[0]?.secret].map((secret) => Buffer.from(secret ?? []));
  };
  const before = await stored();

  // A wrong old key decrypts nothing, and changes nothing.
  expect(await rotate({ ENCRYPTION_KEY: now, ENCRYPTION_KEY_OLD: "33".repeat(32) })).toEqual({
    exitCode: 1,
    said: "plumbline: The stored secret was encrypted with another ENCRYPTION_KEY\n",
  });
  expect(await rotate({ ENCRYPTION_KEY: now })).toMatchObject({ exitCode: 1 });
  // Half a rotation is rolled back, too: one secret that cannot be decrypted keeps all of them.
  await db.update(recipients).set({ signingSecret: encrypt("whsec_x", "recipient:elsewhere") });
  const damaged = await stored();
  expect(await rotate({ ENCRYPTION_KEY: now, ENCRYPTION_KEY_OLD: former })).toMatchObject({ exitCode: 1 });
  expect(await stored()).toEqual(damaged);
  await db.update(recipients).set({ signingSecret: before[2] ?? null });

  const done = "Re-encrypted the secrets of 1 data source, 1 recipient, and 1 authenticator app.";
  expect(await answers()).toBe(1);
  expect((await kept())?.hashes).toHaveLength(8);
  // What was answered under the former key is gone; what was answered since is kept.
  for (const left of [0, 1]) {
    expect(await rotate({ ENCRYPTION_KEY: now, ENCRYPTION_KEY_OLD: former })).toEqual({
      exitCode: 0,
      said: expect.stringContaining(done),
    });
    expect(await answers()).toBe(left);
    expect(await kept()).toMatchObject({ sample, hashes: Buffer.of() });
    if (left === 0) await db.insert(taughtCells).values(answer);
  }
  const [check, secret, signingSecret, , app] = await stored();
  const key = secretKey(now);
  expect(decrypt(check ?? Buffer.of(), "installation:1", key)).toBe("plumbline");
  expect(decrypt(secret ?? Buffer.of(), `data-source:${source.id}`, key)).toBe("Tr0ub4dor");
  expect(decrypt(signingSecret ?? Buffer.of(), hookPlace, key)).toBe("whsec_x");
  expect(decrypt(app ?? Buffer.of(), totpSecretOf(user.id), key)).toBe("GEZDGNBVGY3TQOJQ");
  const [hook] = await db.select().from(recipients);
  expect(decrypt(hook?.sealedDestination ?? Buffer.of(), routePlace, key)).toBe("routing key");
  // The chain of the audit log is signed by the same key as before, which is opened by the new one.
  const ofEnd = ["--position", String(end.position), "--hash", end.hash];
  expect(await command("verify-audit", { ENCRYPTION_KEY: now }, ...ofEnd)).toEqual({
    exitCode: 0,
    said: expect.stringMatching(
      new RegExp(
        `^The audit log is complete: \\d+ links?, .*\\nNote this end elsewhere: ${ofEnd.join(" ")}\\n$`,
      ),
    ),
  });
  expect(await command("verify-audit", { ENCRYPTION_KEY: former })).toMatchObject({ exitCode: 1 });
  expect(await command("verify-audit", { ENCRYPTION_KEY: now }, "--hash", end.hash)).toEqual({
    exitCode: 1,
    said: "plumbline: --position: is required with --hash\n",
  });
  await sql
    .unsafe(
      "set session_replication_role = replica; update audit_log set detail = 'x'; set session_replication_role = origin",
    )
    .simple();
  expect(await command("verify-audit", { ENCRYPTION_KEY: now })).toEqual({
    exitCode: 1,
    said: expect.stringMatching(
      /^Changed, entry \d+, position \d+\n[\s\S]*plumbline: the audit log was changed: \d+ problem/,
    ),
  });
  // The old key no longer works.
  await expect(verifyEncryptionKey()).rejects.toThrow("with a different ENCRYPTION_KEY");
});
