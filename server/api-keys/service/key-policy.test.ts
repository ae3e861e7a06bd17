import { eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { addressHeader } from "../../request-headers.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { rest } from "../../test/rest-client.ts";
import { apiKeys } from "../tables.ts";
import { createKey } from "./create-key.ts";
import { listKeys } from "./load-keys.ts";

let admin: SignedIn;
beforeAll(async () => {
  admin = await asAdmin();
});
afterEach(() => {
  Object.assign(env(), { KEYS_MAX_DAYS: null });
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const from = async (address: string, headers: Record<string, string>) =>
  (await rest("GET", "/projects", { headers: { ...headers, [addressHeader]: address } })).status;

describe("a key limited to addresses", () => {
  test("works from them, in either notation, and says where it was last used", async () => {
    const key = await aKey({ allowedNetworks: ["203.0.113.7", "10.0.0.0/8", "2001:db8::/32"] }, admin);
    expect(key.allowedNetworks).toEqual(["203.0.113.7", "10.0.0.0/8", "2001:db8::/32"]);
    expect(await from("203.0.113.7", key.headers)).toBe(200);
    const shown = (await listKeys(admin)).items.find(({ id }) => id === key.id);
    expect(shown?.lastUsedAddress).toBe("203.0.113.7");
    for (const address of ["10.250.3.4", "::ffff:10.1.1.1", "2001:db8::1"])
      expect(await from(address, key.headers), address).toBe(200);
    for (const address of ["203.0.113.8", "11.0.0.1", "2001:db9::1", "", "unknown"])
      expect(await from(address, key.headers), address).toBe(401);
  });

  test("limits the keys that it makes, whatever those say", async () => {
    const parent = await aKey({ scopes: ["Admin"], allowedNetworks: ["203.0.113.7"] }, admin);
    const made = await rest("POST", "/api-keys", {
      headers: { ...parent.headers, [addressHeader]: "203.0.113.7" },
      json: { name: "Child", scopes: ["Read"] },
    });
    const child = { authorization: `Bearer ${made.body.rawKey}` };
    expect(await from("203.0.113.7", child)).toBe(200);
    expect(await from("203.0.113.8", child)).toBe(401);
  });

  test("must name addresses", async () => {
    const { headers } = await aKey({}, admin);
    for (const network of ["10.0.0.0/33", "example.com", "10.0.0", ""]) {
      const answer = await rest("POST", "/api-keys", {
        headers,
        json: { name: "Key", scopes: ["Read"], allowedNetworks: [network] },
      });
      expect(answer.status, network).toBe(400);
    }
  });
});

describe("with a longest lifetime", () => {
  test("a new key needs an expiry within it", async () => {
    Object.assign(env(), { KEYS_MAX_DAYS: 30 });
    const create = (expiresAt?: string) => createKey(admin, { name: "Key", scopes: ["Read"], expiresAt });
    const problem = (message: string) => ({
      ...{ code: "invalid", more: { errors: [{ path: "expiresAt", message }] } },
    });
    await expect(create()).rejects.toMatchObject(problem("is required: keys live for 30 days at most"));
    await expect(create(inDays(31))).rejects.toMatchObject(problem("must be within 30 days"));
    expect(await create(inDays(30))).toMatchObject({ isExpired: false });
  });

  test("a key that is too old does not live on in those that it made", async () => {
    const parent = await aKey({ scopes: ["Admin"] }, admin);
    const made = await rest("POST", "/api-keys", {
      headers: parent.headers,
      json: { name: "Child", scopes: ["Read"] },
    });
    const child = { authorization: `Bearer ${made.body.rawKey}` };
    await db
      .update(apiKeys)
      .set({ createdAt: new Date(Date.now() - 31 * 86_400_000) })
      .where(eq(apiKeys.id, parent.id));
    expect(await from("203.0.113.7", child)).toBe(200);
    Object.assign(env(), { KEYS_MAX_DAYS: 30 });
    expect(await from("203.0.113.7", child)).toBe(401);
  });

  test("an older key no longer works, and is listed as expired", async () => {
    const key = await aKey({}, admin);
    await db
      .update(apiKeys)
      .set({ createdAt: new Date(Date.now() - 31 * 86_400_000) })
      .where(eq(apiKeys.id, key.id));
    expect(await from("203.0.113.7", key.headers)).toBe(200);
    Object.assign(env(), { KEYS_MAX_DAYS: 30 });
    expect(await from("203.0.113.7", key.headers)).toBe(401);
    expect((await listKeys(admin)).items.find(({ id }) => id === key.id)).toMatchObject({ isExpired: true });
    Object.assign(env(), { KEYS_MAX_DAYS: 31 + 1 });
    expect(await from("203.0.113.7", key.headers)).toBe(200);
  });
});
