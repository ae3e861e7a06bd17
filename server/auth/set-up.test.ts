import * as crypto from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "../db/client.ts";
import { env } from "../env.ts";
import { addressHeader } from "../request-headers.ts";
import { aUser } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { setupAddress, setupToken } from "./setup-token.ts";
import { rateLimits, users } from "./tables.ts";

/** Counts key derivations, the expensive part. */
vi.mock("node:crypto", async (original) => {
  const real = await original<typeof crypto>();
  return { ...real, scrypt: vi.fn(real.scrypt) };
});
const derivations = () => vi.mocked(crypto.scrypt).mock.calls.length;

const person = { name: "Ada", email: "ada@example.com", password: "a long enough password" };

beforeEach(async () => {
  await db.delete(users);
  await db.delete(rateLimits);
  vi.mocked(crypto.scrypt).mockClear();
});

/** A call from another machine, bypassing the check that would call it local. */
const fromAfar = async (json: object, address = "192.0.2.1") => {
  const headers = { [addressHeader]: address };
  const { handleRest } = await import("../doors/rest/dispatch.ts");
  const request = new Request("http://localhost:3000/svc/api/setup", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(json),
  });
  const response = await handleRest(request);
  return { status: response.status, body: await response.json() };
};

test("a service that is set up rejects before hashing anything", async () => {
  await aUser("Admin");
  for (let n = 0; n < 3; n++) expect((await rest("POST", "/setup", { json: person })).status).toBe(409);
  expect((await fromAfar(person)).status).toBe(409);
  expect((await fromAfar({ ...person, token: setupToken() })).status).toBe(409);
  expect(derivations()).toBe(0);
});

describe("the token", () => {
  test("is not needed on the service's own machine", async () => {
    expect((await rest("POST", "/setup", { json: person })).status).toBe(201);
  });

  test("is required from anywhere else, and a wrong one is rejected", async () => {
    for (const token of [undefined, "", "x", setupToken().slice(1), `${setupToken()}x`]) {
      const { status, body } = await fromAfar({ ...person, token });
      expect([status, body.errors?.map(({ path }: { path: string }) => path)]).toEqual([403, ["token"]]);
    }
    expect(derivations()).toBe(0);
    expect(await db.$count(users)).toBe(0);
    expect((await fromAfar({ ...person, token: setupToken() })).status).toBe(201);
  });

  test("that is wrong is rejected on the service's own machine, too", async () => {
    expect((await rest("POST", "/setup", { json: { ...person, token: "guessed" } })).status).toBe(403);
  });

  test("is limited like a password: after ten wrong ones, even the right one has to wait", async () => {
    for (let n = 0; n < 10; n++) expect((await fromAfar({ ...person, token: "no" })).status).toBe(403);
    expect((await fromAfar({ ...person, token: setupToken() })).status).toBe(429);
    expect((await fromAfar({ ...person, token: setupToken() }, "192.0.2.2")).status).toBe(201);
  });

  test("is the same in every process of an installation, and different in another", async () => {
    expect(setupToken()).toMatch(/^[\w-]{32}$/);
    expect(setupAddress()).toBe(`http://localhost:3000/setup#token=${setupToken()}`);
    const [own, secret] = [setupToken(), env().NEXTAUTH_SECRET];
    try {
      Object.assign(env(), { NEXTAUTH_SECRET: "the secret of another installation, 32+" });
      expect(setupToken()).not.toBe(own);
    } finally {
      Object.assign(env(), { NEXTAUTH_SECRET: secret });
    }
    expect(setupToken()).toBe(own);
  });
});

test("a weak password is rejected, with the error at its field", async () => {
  const { status, body } = await rest("POST", "/setup", { json: { ...person, password: "aaaaaaaaaa" } });
  expect([status, body.errors]).toEqual([
    400,
    [{ path: "password", message: "must have at least four different characters" }],
  ]);
});
