import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUp } from "../../server/auth/service/set-up.ts";
import { closeSources } from "../../server/data-sources/service/connected-sources.ts";
import { sql } from "../../server/db/client.ts";
import { verifyEncryptionKey } from "../../server/db/encryption-check.ts";
import { loadDemo } from "../../server/demo/load.ts";
import { aKey } from "../../server/test/factories/api-keys.ts";
import { startRest } from "../service.fixture.ts";
import { aCommand, filesOf } from "./command.fixture.ts";

/** The whole demo as files, and a service that is made of nothing else. */

const databaseUrl = process.env.DATABASE_URL ?? "";
const names = { database: "demo_as_code_test", reader: "demo_as_code_reader" };
let service: Awaited<ReturnType<typeof startRest>>;
let folder: string;
let run: ReturnType<typeof aCommand>;

beforeAll(async () => {
  await verifyEncryptionKey();
  await setUp({ name: "Ada", email: "ada@example.com", password: "a long enough password" });
  await loadDemo(databaseUrl, names);
  service = await startRest();
  run = aCommand(service.url, (await aKey()).rawKey);
  folder = mkdtempSync(join(tmpdir(), "plumbline-demo-"));
}, 180_000);

afterAll(async () => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
  await closeSources();
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database ${names.database} with (force)`);
  await admin.unsafe(`drop role ${names.reader}`);
  await admin.end();
});

test("exported, applied to an empty service, and exported again: the same files", async () => {
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const exported = await run(["export", first, "--stack", "demo"]);
  expect([exported.code, exported.stderr]).toEqual([0, ""]);
  const files = filesOf(first);
  expect(Object.keys(files)).toContain("demo/contracts/departures-live-feed.yaml");
  expect(files["demo/data-sources.yaml"]).toContain(`password: \${env:DEMO_WAREHOUSE_PASSWORD}`);
  const before = await sql`select count(*)::int as contracts from contracts`;

  // Nothing is left of it but the people and their keys.
  await sql`truncate projects cascade`;
  const empty = await run(["diff", first]);
  expect([empty.code, empty.stdout]).toEqual([
    1,
    expect.stringMatching(/\n\d+ to create, 0 to change, 0 not in/),
  ]);

  const env = { DEMO_WAREHOUSE_PASSWORD: "a password that nobody has" };
  const applied = await run(["apply", first], env);
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  expect(await sql`select count(*)::int as contracts from contracts`).toEqual(before);

  const again = await run(["apply", first], env);
  expect(again.stdout).toMatch(
    /^0 changes made \(0 to create, 0 to change, 0 not in the files, \d+ as in the files\)\n$/,
  );
  expect((await run(["diff", first])).code).toBe(0);

  expect((await run(["export", second, "--stack", "demo"])).code).toBe(0);
  expect(filesOf(second)).toEqual(files);
}, 180_000);
