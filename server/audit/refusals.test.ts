import { beforeEach, expect, test, vi } from "vitest";
import { sql } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { RecentNames } from "./recent-names.ts";

beforeEach(async () => {
  await sql.unsafe(`
    alter table audit_log disable trigger audit_log_stands;
    truncate audit_log;
    alter table audit_log enable trigger audit_log_stands`);
});
const entries = (action: string) =>
  sql`select principal_kind, principal_id, detail, object_id, address from audit_log where action = ${action} order by id`;

test("a call that is refused for lack of permission is an entry, once per quarter of an hour", async () => {
  const viewer = await aUser("Viewer");
  const cookie = await cookieOf(viewer);
  for (let n = 0; n < 5; n++)
    expect((await rest("POST", "/projects", { cookie, json: { name: "Mine" } })).status).toBe(403);
  expect((await rest("GET", "/users", { cookie })).status).toBe(403);
  expect(await entries("access.refused")).toEqual([
    ...["projects.create", "users.list"].map((detail) => ({
      ...{ principal_kind: "User", principal_id: viewer.id, detail, object_id: null },
      address: expect.any(String),
    })),
  ]);
  // What is allowed is none.
  expect((await rest("GET", "/projects", { cookie })).status).toBe(200);
  expect(await entries("access.refused")).toHaveLength(2);
});

test("a key that is not valid is an entry without the key, once for an address", async () => {
  const headers = { authorization: "Bearer sk-svc_not-a-key-at-all" };
  for (let n = 0; n < 5; n++) expect((await rest("GET", "/projects", { headers })).status).toBe(401);
  expect(await entries("access.refusedCredential")).toEqual([
    {
      ...{ principal_kind: "Anonymous", principal_id: null, detail: null, object_id: null },
      address: expect.any(String),
    },
  ]);
  const [row] =
    await sql`select to_jsonb(audit_log)::text as all from audit_log where action = 'access.refusedCredential'`;
  expect(row?.all).not.toContain("not-a-key");
});

test("a flood of names is bounded, and makes room once they are old", () => {
  const names = new RecentNames({ windowMs: 1000, max: 3 });
  expect(["a", "a", "b", "c", "d"].map((name) => names.isNew(name, 0))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(["d", "a"].map((name) => names.isNew(name, 1000))).toEqual([true, true]);
});

test("what people read is an entry where an operator wants it; what keys read is counted", async () => {
  const admin = await asAdmin();
  const cookie = await cookieOf(await aUser("Viewer"));
  const made = await rest("POST", "/projects", {
    headers: (await aKey({}, admin)).headers,
    json: { name: "A" },
  });
  const read = () => rest("GET", `/projects/${made.body.id}`, { cookie });
  await read();
  expect(await entries("access.read")).toEqual([]);
  vi.resetModules();
  vi.stubEnv("AUDIT_READS", "on");
  const { recordRead } = await import("./recorder.ts");
  const by = { kind: "User" as const, id: 7, name: "Ada", userId: null };
  const entry = { by, address: "", action: "access.read", objectKind: "procedure", detail: "projects.get" };
  for (const objectId of [1, 1, 2]) await recordRead({ ...entry, objectId });
  const { closeDatabase } = await import("../db/client.ts");
  await closeDatabase();
  expect((await entries("access.read")).map(({ object_id }) => object_id)).toEqual([1, 2]);
  vi.unstubAllEnvs();
});
