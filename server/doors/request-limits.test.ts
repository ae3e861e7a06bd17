import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Principal } from "../auth/principal.ts";
import { env } from "../env.ts";
import { addressHeader } from "../request-headers.ts";
import { aKey, bearer } from "../test/factories/api-keys.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { forgetRequests, limitRequests } from "./request-limits.ts";
import { handleTrpc as trpcDoor } from "./trpc.ts";

/** A few requests per minute, instead of the thousands by default. */
const few = { RATE_LIMIT_PRINCIPAL: 5, RATE_LIMIT_ADDRESS: 4, RATE_LIMIT_REFUSED: 2 };
const usual = (({ RATE_LIMIT_PRINCIPAL, RATE_LIMIT_ADDRESS, RATE_LIMIT_REFUSED }) => ({
  ...{ RATE_LIMIT_PRINCIPAL, RATE_LIMIT_ADDRESS, RATE_LIMIT_REFUSED },
}))(env());

beforeEach(() => {
  forgetRequests();
  Object.assign(env(), few);
});
afterEach(() => {
  forgetRequests();
  Object.assign(env(), usual);
});

const from = (address: string) => ({ [addressHeader]: address });
const statuses = async (times: number, call: () => Promise<{ status: number }>) => {
  const seen: number[] = [];
  for (let n = 0; n < times; n++) seen.push((await call()).status);
  return seen;
};

describe("in the REST API", () => {
  test("a key over its limit gets a 429 with Retry-After; others are not affected", async () => {
    const [one, other] = [await aKey(), await aKey()];
    const call = (headers: Record<string, string>) =>
      rest("GET", "/projects", { headers: { ...headers, ...from("10.0.0.1") } });
    expect(await statuses(5, () => call(one.headers))).toEqual([200, 200, 200, 200, 200]);

    const { status, headers, body } = await call(one.headers);
    expect(status).toBe(429);
    expect(headers.get("content-type")).toBe("application/problem+json");
    const seconds = Number(headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(body).toMatchObject({
      ...{ status: 429, title: "Too many requests" },
      detail: `Too many requests; try again in ${seconds} s`,
    });
    expect((await call(other.headers)).status).toBe(200);
  });

  test("a user's sessions count together", async () => {
    const cookie = await aSession("Viewer");
    expect(await statuses(6, () => rest("GET", "/projects", { cookie }))).toEqual([
      ...[200, 200, 200, 200, 200],
      429,
    ]);
  });

  test("invalid keys and JWTs count by address; a valid key there still works", async () => {
    const good = await aKey();
    const at = (address: string, headers: Record<string, string> = {}) =>
      rest("GET", "/projects", { headers: { ...headers, ...from(address) } });
    expect((await at("10.0.0.1", bearer(`sk-svc_${"x".repeat(43)}`))).status).toBe(401);
    expect((await at("10.0.0.1", bearer("a.b.c"))).status).toBe(401);
    expect((await at("10.0.0.1", bearer("sk-svc_short"))).status).toBe(429);
    expect((await at("10.0.0.1")).status).toBe(401);
    expect((await at("10.0.0.1", good.headers)).status).toBe(200);
    expect((await at("10.0.0.2", bearer("sk-svc_short"))).status).toBe(401);
  });

  test("unauthenticated callers count by address, whether or not authentication is needed", async () => {
    const call = (path: string) => rest("GET", path, { headers: from("10.0.0.3") });
    expect(await statuses(2, () => call("/setup/status"))).toEqual([200, 200]);
    expect(await statuses(3, () => call("/projects"))).toEqual([401, 401, 429]);
    expect((await call("/setup/status")).status).toBe(429);
  });
});

test("in tRPC it is a tRPC error, with the same status and header", async () => {
  const cookie = await aSession("Viewer");
  const call = () =>
    trpcDoor(new Request("http://localhost:3000/svc/trpc/projects.list", { headers: { cookie } }));
  expect(await statuses(5, async () => call())).toEqual([200, 200, 200, 200, 200]);
  const refused = await call();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    error: { message: expect.stringMatching(/^Too many requests; try again in \d+ s$/) },
  });
});

test("off means no limit", async () => {
  Object.assign(env(), { RATE_LIMIT_PRINCIPAL: null, RATE_LIMIT_ADDRESS: null, RATE_LIMIT_REFUSED: null });
  const [someone, nobody] = [{ userId: 1 } as Principal, null];
  for (const principal of [someone, nobody])
    for (let n = 0; n < 50; n++) await limitRequests({ principal, address: "10.0.0.1", isRefused: true });
});

test("200 concurrent requests with one key are within the default limits", async () => {
  Object.assign(env(), usual);
  const { headers } = await aKey();
  const answers = await Promise.all(Array.from({ length: 200 }, () => rest("GET", "/projects", { headers })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
