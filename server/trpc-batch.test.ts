import { afterEach, beforeEach, expect, test } from "vitest";
import { GET, POST } from "../app/svc/trpc/[trpc]/route.ts";
import { addressHeader } from "./auth/principal.ts";
import { mostCallsInBatch } from "./batch-size.ts";
import { env } from "./env.ts";

const shared = globalThis as { plumblineRequestLimits?: unknown };
const usual = env().RATE_LIMIT_ADDRESS;

beforeEach(() => {
  delete shared.plumblineRequestLimits;
});
afterEach(() => {
  delete shared.plumblineRequestLimits;
  Object.assign(env(), { RATE_LIMIT_ADDRESS: usual });
});

const batch = (calls: number, name = "session.setupStatus") =>
  GET(
    new Request(
      `http://localhost:3000/svc/trpc/${Array.from({ length: calls }, () => name).join(",")}?batch=1&input=%7B%7D`,
      { headers: { [addressHeader]: "192.0.2.1" } },
    ),
  );

test("a batch of as many calls as pages make is answered, and a larger one refused as a whole", async () => {
  const fits = await batch(mostCallsInBatch);
  expect([fits.status, ((await fits.json()) as unknown[]).length]).toEqual([200, mostCallsInBatch]);
  const tooMany = await batch(mostCallsInBatch + 1);
  expect(tooMany.status).toBe(400);
  expect(JSON.stringify(await tooMany.json())).toContain("Batch call exceeds maximum size");
});

test("of a batch that is too large nothing is done", async () => {
  const calls = 40;
  const names = Array.from({ length: calls }, () => "session.setUp").join(",");
  const person = { name: "Ada", email: "ada@example.com", password: "a long enough password" };
  const body = Object.fromEntries(Array.from({ length: calls }, (_, n) => [n, person]));
  const answer = await POST(
    new Request(`http://localhost:3000/svc/trpc/${names}?batch=1`, {
      method: "POST",
      headers: { "content-type": "application/json", [addressHeader]: "192.0.2.1" },
      body: JSON.stringify(body),
    }),
  );
  expect(answer.status).toBe(400);
  const status = await batch(1);
  expect(await status.json()).toMatchObject([{ result: { data: { needed: true } } }]);
});

test("each call of a batch counts towards the request limit", async () => {
  Object.assign(env(), { RATE_LIMIT_ADDRESS: 25 });
  expect((await batch(20)).status).toBe(200);
  expect((await batch(5)).status).toBe(200);
  expect((await batch(1)).status).toBe(429);
});

test("another method is a 405 that says which are allowed", async () => {
  const { PUT } = await import("../app/svc/trpc/[trpc]/route.ts");
  const answer = PUT();
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST"]);
});
