import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apiKeys } from "../api-keys/tables.ts";
import { appRouter } from "../app-router.ts";
import { db } from "../db/client.ts";
import { createContext } from "../doors/context.ts";
import { env } from "../env.ts";
import { problemIn, problems } from "../errors.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { createCallerFactory } from "../trpc.ts";
import type { Role } from "./schema.ts";
import { users } from "./tables.ts";

/** What keys may do to users, by both APIs. */
const password = "a long enough password";
const detail =
  "An API key cannot create or promote Admins. Sign in to do this, or set KEYS_MAY_MAKE_ADMINS=on";

let headers: Record<string, string>;
beforeEach(async () => {
  headers = (await aKey({ scopes: ["Admin"] }, await asAdmin())).headers;
});
afterEach(async () => {
  env().KEYS_MAY_MAKE_ADMINS = false;
  await db.delete(apiKeys);
  await db.delete(users);
});

const caller = async () => createCallerFactory(appRouter)(await createContext(new Headers(headers)));
const refusal = (error: unknown) => {
  const problem = problemIn(error);
  return problem && { status: problems[problem.code].status, detail: problem.detail };
};

type Attempt = { create: { role: Role } } | { update: { role: Role; enabled?: boolean }; of: number };

/** The same by REST and by tRPC. */
async function attempt(what: Attempt) {
  if ("create" in what) {
    const user = (email: string) => ({ name: "New", email, password, ...what.create });
    const byRest = await rest("POST", "/users", { headers, json: user(`r${Math.random()}@example.com`) });
    const byTrpc = await (await caller()).users.create(user(`t${Math.random()}@example.com`)).then(
      () => ({ status: 201, detail: undefined }),
      (error) => refusal(error),
    );
    return [{ status: byRest.status, detail: byRest.body.detail }, byTrpc];
  }
  const json = { name: "Changed", ...what.update };
  const byRest = await rest("PUT", `/users/${what.of}`, { headers, json });
  const byTrpc = await (await caller()).users.update({ id: what.of, ...json }).then(
    () => ({ status: 200, detail: undefined }),
    (error) => refusal(error),
  );
  return [{ status: byRest.status, detail: byRest.body.detail }, byTrpc];
}

const refused = [403, 403].map((status) => ({ status, detail }));
const done = (status: number) => [status, status].map((each) => ({ status: each, detail: undefined }));

describe("a key", () => {
  test("creates no Admin, but can create Viewers and Editors", async () => {
    expect(await attempt({ create: { role: "Admin" } })).toEqual(refused);
    expect(await attempt({ create: { role: "Editor" } })).toEqual(done(201));
    expect(await attempt({ create: { role: "Viewer" } })).toEqual(done(201));
  });

  test("promotes nobody to Admin", async () => {
    const { id } = await aUser("Editor");
    expect(await attempt({ update: { role: "Admin" }, of: id })).toEqual(refused);
    expect(await attempt({ update: { role: "Viewer" }, of: id })).toEqual(done(200));
  });

  test("enables no disabled Admin", async () => {
    const { id } = await aUser("Admin");
    expect(await attempt({ update: { role: "Admin", enabled: false }, of: id })).toEqual(done(200));
    expect(await attempt({ update: { role: "Admin", enabled: true }, of: id })).toEqual(refused);
    // Omitted means enabled.
    expect(await attempt({ update: { role: "Admin" }, of: id })).toEqual(refused);
    // In two steps: an Editor first, then an Admin.
    expect(await attempt({ update: { role: "Editor" }, of: id })).toEqual(done(200));
    expect(await attempt({ update: { role: "Admin" }, of: id })).toEqual(refused);
  });

  test("renames an existing Admin", async () => {
    const { id } = await aUser("Admin");
    expect(await attempt({ update: { role: "Admin" }, of: id })).toEqual(done(200));
  });

  test("does all of it if the setting allows", async () => {
    env().KEYS_MAY_MAKE_ADMINS = true;
    const { id } = await aUser("Editor");
    expect(await attempt({ create: { role: "Admin" } })).toEqual(done(201));
    expect(await attempt({ update: { role: "Admin" }, of: id })).toEqual(done(200));
  });
});

test("a user can still make Admins", async () => {
  const cookie = await cookieOf(await aUser("Admin"));
  const json = { name: "New", email: "new@example.com", password, role: "Admin" };
  const { status, body } = await rest("POST", "/users", { cookie, json });
  expect(status).toBe(201);
  const lowered = await rest("PUT", `/users/${body.id}`, { cookie, json: { name: "New", role: "Viewer" } });
  expect(lowered.status).toBe(200);
  const raised = await rest("PUT", `/users/${body.id}`, { cookie, json: { name: "New", role: "Admin" } });
  expect(raised.status).toBe(200);
});
