import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as trpcDoor } from "../app/svc/trpc/[trpc]/route.ts";
import { addressHeader, type Principal } from "./auth/principal.ts";
import { env } from "./env.ts";
import { limitRequests } from "./request-limits.ts";
import { aKey, bearer } from "./test/factories/api-keys.ts";
import { aSession } from "./test/factories/sessions.ts";
import { rest } from "./test/rest-client.ts";

/** A handful of each in a minute, in place of the thousands that are usual. */
const few = { RATE_LIMIT_PRINCIPAL: 5, RATE_LIMIT_ADDRESS: 4, RATE_LIMIT_REFUSED: 2 };
const shared = globalThis as { plumblineRequestLimits?: unknown };
const usual = (({ RATE_LIMIT_PRINCIPAL, RATE_LIMIT_ADDRESS, RATE_LIMIT_REFUSED }) => ({
  ...{ RATE_LIMIT_PRINCIPAL, RATE_LIMIT_ADDRESS, RATE_LIMIT_REFUSED },
}))(env());

beforeEach(() => {
  delete shared.plumblineRequestLimits;
  Object.assign(env(), few);
});
afterEach(() => {
  delete shared.plumblineRequestLimits;
  Object.assign(env(), usual);
});

const from = (address: string) => ({ [addressHeader]: address });
const statuses = async (times: number, call: () => Promise<{ status: number }>) => {
  const seen: number[] = [];
  for (let n = 0; n < times; n++) seen.push((await call()).status);
  return seen;
};

describe("at the REST door", () => {
  test("a key beyond its number is a 429 that says when to come again; others are not held up", async () => {
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

  test("a person's sessions count together", async () => {
    const cookie = await aSession("Viewer");
    expect(await statuses(6, () => rest("GET", "/projects", { cookie }))).toEqual([
      ...[200, 200, 200, 200, 200],
      429,
    ]);
  });

  test("refused keys and JWTs count by address; a good key there is still served", async () => {
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

  test("who does not say who they are counts by address, whether that is needed or not", async () => {
    const call = (path: string) => rest("GET", path, { headers: from("10.0.0.3") });
    expect(await statuses(2, () => call("/setup/status"))).toEqual([200, 200]);
    expect(await statuses(3, () => call("/projects"))).toEqual([401, 401, 429]);
    expect((await call("/setup/status")).status).toBe(429);
  });
});

test("at the tRPC door it is an error of tRPC's kind, with the same status and header", async () => {
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

test("off is no limit", async () => {
  Object.assign(env(), { RATE_LIMIT_PRINCIPAL: null, RATE_LIMIT_ADDRESS: null, RATE_LIMIT_REFUSED: null });
  const [somebody, nobody] = [{ userId: 1 } as Principal, null];
  for (const principal of [somebody, nobody])
    for (let n = 0; n < 50; n++) await limitRequests({ principal, address: "10.0.0.1", isRefused: true });
});

test("200 concurrent requests on one key pass the limits that are usual", async () => {
  Object.assign(env(), usual);
  const { headers } = await aKey();
  const answers = await Promise.all(Array.from({ length: 200 }, () => rest("GET", "/projects", { headers })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
