import * as crypto from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import { db } from "../db/client.ts";
import { hashPassword } from "./password.ts";
import { signIn } from "./service/sign-in.ts";
import { users } from "./tables.ts";

/**
 * Signing in tells strangers nothing by the time it takes: who is known and who is not costs the same one derivation,
 * which is what takes the time. What each costs is counted, not timed: a clock would be wrong now and then.
 */
vi.mock("node:crypto", async (original) => {
  const real = await original<typeof crypto>();
  return { ...real, scrypt: vi.fn(real.scrypt) };
});

const password = "a long enough password";

beforeAll(async () => {
  const passwordHash = await hashPassword(password);
  const people = [
    { name: "Ada", enabled: true, passwordHash },
    { name: "Bob", enabled: false, passwordHash },
    { name: "Cy", enabled: true, passwordHash: null },
  ];
  for (const each of people)
    await db.insert(users).values({ ...each, email: `${each.name}@example.com`, role: "Viewer" });
});

/** What was derived: how often, how long a key, and at which cost. */
async function costOf(email: string, word: string) {
  const { mock } = vi.mocked(crypto.scrypt);
  mock.calls.length = 0;
  const user = await signIn(email, word, "10.0.0.1");
  return { signedIn: user !== null, cost: mock.calls.map(([, , length, options]) => ({ length, options })) };
}

test("the right password, a wrong one, a stranger, a disabled user and one without a password cost the same", async () => {
  const right = await costOf("ada@example.com", password);
  expect(right).toMatchObject({ signedIn: true, cost: [{ length: 32, options: { N: 65_536, r: 8, p: 2 } }] });
  for (const [email, word] of [
    ["ada@example.com", "not the password"],
    ["nobody@example.com", password],
    ["bob@example.com", password],
    ["cy@example.com", password],
    ["cy@example.com", ""],
  ] as const)
    expect(await costOf(email, word), email).toEqual({ signedIn: false, cost: right.cost });
});
