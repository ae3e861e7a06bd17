import { desc, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { appRouter } from "../app-router.ts";
import { db } from "../db/client.ts";
import { handleRest } from "../doors/rest/dispatch.ts";
import { handleTrpc } from "../doors/trpc.ts";
import { Problem } from "../errors.ts";
import { projects } from "../projects/tables.ts";
import { addressHeader } from "../request-headers.ts";
import { captureLog } from "../test/captured-log.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aContract } from "../test/factories/contracts.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { rest } from "../test/rest-client.ts";
import { anonymousProcedure, createCallerFactory, type ProcedureMeta, recordRun, router } from "../trpc.ts";
import { recorderOf } from "./recorder.ts";
import { auditEntries, auditLog } from "./tables.ts";

let admin: Awaited<ReturnType<typeof aUser>>;
let cookie: string;
let last: number;

beforeAll(async () => {
  admin = await aUser("Admin");
  cookie = await cookieOf(admin);
});

const newest = async () =>
  (await db.select().from(auditLog).orderBy(desc(auditLog.id))).filter(({ id }) => id > last);
beforeEach(async () => {
  last = 0;
  last = (await newest())[0]?.id ?? 0;
});

test("every mutation declares what it changes, so that none goes unrecorded", () => {
  const procedures = Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { type: string; meta?: ProcedureMeta } }>,
  );
  const mutations = procedures.filter(([, { _def }]) => _def.type === "mutation");
  expect(mutations.length).toBeGreaterThan(15);
  expect(mutations.filter(([, { _def }]) => !_def.meta?.audit).map(([name]) => name)).toEqual([]);
});

describe("a change", () => {
  const from = { [addressHeader]: "203.0.113.7" };

  test("is an entry with who, what, which, and from where, by REST", async () => {
    const made = await rest("POST", "/projects", { cookie, headers: from, json: { name: "Flights" } });
    const path = `/projects/${made.body.id}`;
    await rest("PUT", path, { cookie, headers: from, json: { name: "Flights 2" } });
    await rest("DELETE", path, { cookie, headers: from });
    const by = {
      principalKind: "User",
      principalId: admin.id,
      principalName: admin.name,
      userId: null,
      address: "203.0.113.7",
      objectKind: "project",
      objectId: made.body.id,
    };
    expect(await newest()).toMatchObject([
      { ...by, action: "projects.delete", detail: null },
      { ...by, action: "projects.update", detail: "Flights 2" },
      { ...by, action: "projects.create", detail: "Flights" },
    ]);
  });

  test("is an entry by tRPC, too, one for each call of a batch", async () => {
    const body = JSON.stringify({ 0: { name: "One" }, 1: { name: "Two" } });
    const url = "http://localhost:3000/svc/trpc/projects.create,projects.create?batch=1";
    const headers = { cookie, host: "localhost:3000", "content-type": "application/json", ...from };
    expect((await handleTrpc(new Request(url, { method: "POST", headers, body }))).status).toBe(200);
    expect((await newest()).map(({ action, detail }) => [action, detail]).sort()).toEqual([
      ["projects.create", "One"],
      ["projects.create", "Two"],
    ]);
  });

  test("of a silence says until when, or that it ended", async () => {
    const { id } = await aSubscription({ query: await aQuery({ name: "Late orders" }) });
    const silence = (json: object) =>
      rest("POST", `/subscriptions/${id}/silence`, { cookie, headers: from, json });
    expect((await silence({ until: "2999-01-31T12:00:30Z" })).status).toBe(200);
    expect((await silence({ until: null })).status).toBe(200);
    expect(await newest()).toMatchObject([
      { action: "subscriptions.unsilence", objectId: id, detail: "Late orders" },
      { action: "subscriptions.silence", objectId: id, detail: "Late orders, until 2999-01-31 12:00 UTC" },
    ]);
  });

  test("by a key names the key and its user", async () => {
    const owner = await asAdmin();
    const key = await aKey({ name: "CI" }, owner);
    await rest("POST", "/projects", { headers: key.headers, json: { name: "By key" } });
    expect(await newest()).toMatchObject([
      {
        principalKind: "ApiKey",
        principalId: key.id,
        principalName: "CI (The Admin)",
        userId: owner.principal.userId,
        address: "127.0.0.1",
      },
    ]);
  });

  test("of a user records the new values", async () => {
    const { id } = await aUser("Editor");
    for (const json of [
      { name: "Ada", role: "Admin" },
      { name: "Ada", role: "Viewer", enabled: false },
    ])
      await rest("PUT", `/users/${id}`, { cookie, json });
    expect((await newest()).map(({ objectId, detail }) => [objectId, detail])).toEqual([
      [id, "Ada, Viewer, disabled"],
      [id, "Ada, Admin"],
    ]);
  });

  test("runs of rules are entries of their contract", async () => {
    const contract = await aContract();
    expect((await rest("POST", `/data-quality/contracts/${contract.id}/evaluate`, { cookie })).status).toBe(
      200,
    );
    expect(await newest()).toMatchObject([
      { action: "dataQuality.evaluate", objectKind: "contract", objectId: contract.id },
    ]);
  });

  test("before sign-in is anonymous", async () => {
    const caller = createCallerFactory(
      router({
        greet: anonymousProcedure.meta({ audit: "door" }).mutation(() => ({ id: 9, name: "Hello" })),
      }),
    );
    const context = { principal: null, requestId: "r", address: "203.0.113.9" };
    await caller({ ...context, ...recorderOf(context) }).greet();
    expect(await newest()).toMatchObject([
      {
        principalKind: "Anonymous",
        principalId: null,
        principalName: "Anonymous",
        action: "greet",
        objectKind: "door",
        objectId: 9,
        detail: "Hello",
        address: "203.0.113.9",
      },
    ]);
  });
});

test("rejected and invalid calls and reads have no entries, except for a lack of permission", async () => {
  const viewer = await cookieOf(await aUser("Viewer"));
  await rest("POST", "/projects", { cookie: viewer, json: { name: "No" } });
  await rest("POST", "/projects", { json: { name: "No" } });
  await rest("POST", "/projects", { cookie, json: { name: "" } });
  await rest("DELETE", "/projects/2000000000", { cookie });
  await rest("GET", "/projects", { cookie });
  await rest("GET", "/audit-log", { cookie });
  expect(await newest()).toMatchObject([{ action: "access.refused", detail: "projects.create" }]);
});

describe("a failing call", () => {
  const context = { principal: null, requestId: "r", address: "" };
  const call = (resolve: () => { name: string }) =>
    createCallerFactory(
      router({
        change: anonymousProcedure
          .meta({ audit: "thing" })
          .input(z.object({ id: z.int() }))
          .output(z.object({ name: z.string() }))
          .mutation(async () => {
            await db.insert(projects).values({ name: "Half done" });
            return resolve();
          }),
      }),
    )({ ...context, ...recorderOf(context) }).change({ id: 3 });
  const halfDone = () => db.$count(projects, eq(projects.name, "Half done"));

  test.each([
    [
      "by a bug",
      () => {
        throw new Error("secret-in-a-bug");
      },
    ],
    ["by a result that is not what was promised", () => ({ name: 1 as unknown as string })],
    [
      "by a rule",
      () => {
        throw new Problem("conflict", "Not now");
      },
    ],
  ])("%s changes nothing and has no entry", async (_, resolve) => {
    await expect(call(resolve)).rejects.toThrow();
    expect(await halfDone()).toBe(0);
    expect(await newest()).toEqual([]);
  });
});

describe("a run", () => {
  const context = { principal: null, requestId: "r", address: "" };
  let seen: unknown;
  const run = (end: () => { rows: number }) =>
    createCallerFactory(
      router({
        run: anonymousProcedure
          .meta({
            audit: "thing",
            auditAs: "run",
            auditRun: ({ sql }: { sql: string }) => `${sql.length} characters`,
            auditOutcome: ({ rows }: { rows: number }) => `${rows} rows`,
          })
          .input(z.object({ id: z.int(), sql: z.string() }))
          .use(recordRun())
          .mutation(async ({ ctx }) => {
            seen = await newest();
            ctx.addToOutcome?.("7 tokens");
            return end();
          }),
      }),
    )({ ...context, ...recorderOf(context) }).run({ id: 3, sql: "select 1" });
  const shown = async () => (await db.select().from(auditEntries)).find(({ id }) => id > last)?.detail;

  test("has an entry before it begins, with its outcome once it ends", async () => {
    await run(() => ({ rows: 2 }));
    expect(seen).toMatchObject([{ action: "run", objectId: 3, detail: "8 characters", outcome: "" }]);
    expect(await shown()).toBe("2 rows; 7 tokens; 8 characters");
  });

  test("that is rejected or fails with a bug says so without the message", async () => {
    const end = () => {
      throw new Problem("conflict", "secret-in-a-message");
    };
    await expect(run(end)).rejects.toThrow();
    expect(await shown()).toBe("Conflicts with the current state; 7 tokens; 8 characters");
  });

  test("that never ends says that no outcome was recorded, and an outcome is written only once", async () => {
    const { beginRun } = recorderOf(context);
    const outcome = await beginRun?.({ action: "run", objectKind: "thing", detail: "8 characters" });
    expect(await shown()).toBe("No outcome recorded; 8 characters");
    await outcome?.("2 rows");
    await outcome?.("3 rows");
    expect(await shown()).toBe("2 rows; 8 characters");
  });
});

test.each([
  ["REST", handleRest, "/svc/api/projects"],
  ["tRPC", handleTrpc, "/svc/trpc/projects.create"],
])(
  "a change that cannot be recorded fails by %s, is undone, and is in the process's log",
  async (door, handle, path) => {
    const lines = captureLog();
    const name = `Unrecorded by ${door}`;
    const request = new Request(`http://localhost:3000${path}`, {
      method: "POST",
      headers: { cookie, host: "localhost:3000", "content-type": "application/json" },
      body: JSON.stringify({ name }),
    });
    const condition = sql`action <> 'projects.create'`;
    await db.execute(sql`alter table audit_log add constraint is_full check (${condition}) not valid`);
    try {
      const answer = await handle(request);
      expect(answer.status).toBe(500);
      expect(await answer.text()).toMatch(/"(detail|message)":"Internal error"/);
    } finally {
      await db.execute(sql`alter table audit_log drop constraint is_full`);
    }
    const made = (await db.select().from(projects)).find((project) => project.name === name);
    const [entry, failure] = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");
    expect(entry).toMatchObject({
      msg: "This could not be recorded in the audit log",
      entry: {
        by: { kind: "User", id: admin.id },
        action: "projects.create",
        objectId: expect.any(Number),
        detail: name,
      },
    });
    expect(made).toBeUndefined();
    expect(failure).toMatchObject({ msg: "A request failed", requestId: expect.any(String) });
    expect(await newest()).toEqual([]);
  },
);
