import { afterEach, beforeEach, expect, test } from "vitest";
import { env } from "../env.ts";
import { addressHeader } from "../request-headers.ts";
import { maxBatchCalls } from "./batch-size.ts";
import { forgetRequests } from "./request-limits.ts";
import { handleTrpc } from "./trpc.ts";

const usual = env().RATE_LIMIT_ADDRESS;

beforeEach(() => {
  forgetRequests();
});
afterEach(() => {
  forgetRequests();
  Object.assign(env(), { RATE_LIMIT_ADDRESS: usual });
});

const batch = (calls: number, name = "session.setupStatus") =>
  handleTrpc(
    new Request(
      `http://localhost:3000/svc/trpc/${Array.from({ length: calls }, () => name).join(",")}?batch=1&input=%7B%7D`,
      { headers: { [addressHeader]: "192.0.2.1" } },
    ),
  );

test("a batch as large as pages make is answered, and a larger one rejected as a whole", async () => {
  const fits = await batch(maxBatchCalls);
  expect([fits.status, ((await fits.json()) as unknown[]).length]).toEqual([200, maxBatchCalls]);
  const tooMany = await batch(maxBatchCalls + 1);
  expect(tooMany.status).toBe(400);
  expect(JSON.stringify(await tooMany.json())).toContain("Batch call exceeds maximum size");
});

test("a batch that is too large has no effect", async () => {
  const calls = 40;
  const names = Array.from({ length: calls }, () => "session.setUp").join(",");
  const person = { name: "Ada", email: "ada@example.com", password: "a long enough password" };
  const body = Object.fromEntries(Array.from({ length: calls }, (_, n) => [n, person]));
  const answer = await handleTrpc(
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

test("each call of a batch counts toward the request limit", async () => {
  Object.assign(env(), { RATE_LIMIT_ADDRESS: 25 });
  expect((await batch(20)).status).toBe(200);
  expect((await batch(5)).status).toBe(200);
  expect((await batch(1)).status).toBe(429);
});

test("another method is a 405 with the allowed ones", async () => {
  const answer = await handleTrpc(
    new Request("http://localhost:3000/svc/trpc/session.me", { method: "PUT" }),
  );
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST"]);
});
