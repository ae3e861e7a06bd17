import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../db/client.ts";
import { beginSetUp, beginSignIn, type Origin } from "./sign-in-limit.ts";
import { rateLimits } from "./tables.ts";

beforeEach(async () => {
  await db.delete(rateLimits);
});

/** An attempt with a wrong password: it stays charged. */
const fail = (email: string, origin: Origin) => beginSignIn(email, origin);
const succeed = async (email: string, origin: Origin) => (await beginSignIn(email, origin)).succeed();

/** How many of a series of wrong attempts have their password checked. */
async function tries(count: number, email: (n: number) => string, origin: (n: number) => Origin) {
  let passed = 0;
  for (let n = 0; n < count; n++) {
    const isRefused = await fail(email(n), origin(n)).then(
      () => false,
      (error) => error.code === "rate_limited",
    );
    if (!isRefused) passed += 1;
  }
  return passed;
}

const at = (address: string): Origin => ({ address });
const ada = () => "ada@example.com";

describe("failures", () => {
  test("of an account from a network are limited to ten, across all its addresses", async () => {
    expect(await tries(16, ada, (n) => at(`2001:db8:1:2::${n.toString(16)}`))).toBe(10);
    await expect(fail("ADA@example.com", at("2001:db8:1:2:ffff::1"))).rejects.toMatchObject({
      code: "rate_limited",
      more: { headers: { "retry-after": expect.stringMatching(/^\d+$/) } },
    });
    await expect(succeed("ada@example.com", at("2001:db8:1:3::1"))).resolves.toBeUndefined();
  });

  test("of all accounts from a network are limited to a hundred", async () => {
    const person = (n: number) => `person${n}@example.com`;
    expect(await tries(105, person, () => at("192.0.2.1"))).toBe(100);
    expect(await tries(1, person, () => at("192.0.2.2"))).toBe(1);
  });

  test("of an account from anywhere are limited to thirty", async () => {
    expect(await tries(40, ada, (n) => at(`198.51.100.${n}`))).toBe(30);
    expect(
      await tries(
        1,
        () => "bob@example.com",
        () => at("198.51.100.1"),
      ),
    ).toBe(1);
  });

  test("that are concurrent cannot exceed the limits", async () => {
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => fail(ada(), at("192.0.2.1"))));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  });

  test("that were rejected are not counted: the wait does not grow", async () => {
    await tries(30, ada, () => at("192.0.2.1"));
    const rows = await db.select().from(rateLimits);
    expect(rows.map(({ points }) => points)).toEqual([10, 10, 10]);
  });
});

describe("successes", () => {
  test("are not counted, even a hundred of one user or of everyone at an address", async () => {
    for (let n = 0; n < 100; n++) await succeed(ada(), at("192.0.2.1"));
    for (let n = 0; n < 100; n++) await succeed(`person${n}@example.com`, at("192.0.2.1"));
    expect(
      await tries(
        12,
        () => "bob@example.com",
        () => at("192.0.2.1"),
      ),
    ).toBe(10);
  });

  test("clear the account's own failures there, and no others", async () => {
    expect(await tries(9, ada, () => at("192.0.2.1"))).toBe(9);
    await succeed(ada(), at("192.0.2.1"));
    expect(await tries(12, ada, () => at("192.0.2.1"))).toBe(10);
    // Nine of Ada's earlier failures still count for the network, and ninety others may follow.
    expect(
      await tries(
        100,
        (n) => `person${n}@example.com`,
        () => at("192.0.2.1"),
      ),
    ).toBe(91);
  });

  test("an attempt whose password was not checked costs nothing", async () => {
    for (let n = 0; n < 20; n++) await (await beginSignIn(ada(), at("192.0.2.1"))).withdraw();
    expect(await tries(12, ada, () => at("192.0.2.1"))).toBe(10);
  });
});

describe("the owner of an account", () => {
  test("can sign in from a known network while strangers exhaust every limit", async () => {
    await succeed(ada(), at("203.0.113.7"));
    expect(await tries(40, ada, (n) => at(`198.51.100.${n}`))).toBe(30);
    expect(
      await tries(
        120,
        (n) => `person${n}@example.com`,
        () => at("203.0.113.7"),
      ),
    ).toBe(100);
    await expect(succeed(ada(), at("203.0.113.7"))).resolves.toBeUndefined();
    // From a network that is new to the account, the limit applies to them as to anyone.
    await expect(fail(ada(), at("203.0.113.8"))).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("has a limit there nevertheless", async () => {
    await succeed(ada(), at("203.0.113.7"));
    expect(await tries(12, ada, () => at("203.0.113.7"))).toBe(10);
  });
});

describe("behind a proxy that is not in TRUST_PROXY", () => {
  const behind = (claimedAddress: string): Origin => ({ address: "10.0.0.1", claimedAddress });

  test("nobody locks out everyone: clients are distinguished by the proxy's header", async () => {
    expect(await tries(16, ada, () => behind("198.51.100.66"))).toBe(10);
    expect(
      await tries(
        200,
        (n) => `person${n}@example.com`,
        () => behind("198.51.100.66"),
      ),
    ).toBe(200);
    await expect(succeed(ada(), behind("203.0.113.7"))).resolves.toBeUndefined();
  });

  test("a client that makes up addresses hits the limits of the account and of the proxy", async () => {
    expect(await tries(40, ada, (n) => behind(`198.51.100.${n}`))).toBe(30);
    const anyone = (n: number) => `person${n}@example.com`;
    expect(await tries(975, anyone, (n) => behind(`198.51.${n >> 8}.${n & 255}`))).toBe(970);
  }, 180_000);
});

test("guesses at the setup token are limited to ten per network", async () => {
  for (let n = 0; n < 10; n++) await beginSetUp(at(`2001:db8:1:2::${n}`));
  await expect(beginSetUp(at("2001:db8:1:2::a"))).rejects.toMatchObject({ code: "rate_limited" });
  await (await beginSetUp(at("192.0.2.1"))).withdraw();
});
