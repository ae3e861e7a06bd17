import * as crypto from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import { db } from "../db/client.ts";
import { hashPassword } from "./password.ts";
import { signIn } from "./service/sign-in.ts";
import { users } from "./tables.ts";

/**
 * Sign-in timing reveals nothing: known and unknown users cost the same single derivation, which dominates the time.
 * Derivations are counted rather than timed, because timing would be flaky.
 */
vi.unmock("./password-cost.ts");
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

/** The derivations: their number, key length, and cost. */
async function costOf(email: string, word: string) {
  const { mock } = vi.mocked(crypto.scrypt);
  mock.calls.length = 0;
  const user = await signIn(email, word, "10.0.0.1");
  return { signedIn: user !== null, cost: mock.calls.map(([, , length, options]) => ({ length, options })) };
}

test("the right password, a wrong one, an unknown user, a disabled user, and one without a password cost the same", async () => {
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
