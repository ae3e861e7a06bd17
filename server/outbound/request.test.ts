import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { allowedBy } from "./addresses.ts";
import { sendOutbound } from "./request.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on this machine's loopback, and how often it was reached. */
async function aServer(answer: RequestListener = (_, response) => response.end("hello"), host = "127.0.0.1") {
  const listener = vi.fn(answer);
  const server = createServer(listener);
  const connected = vi.fn();
  server.on("connection", connected);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { port: (server.address() as AddressInfo).port, listener, connected };
}

const nothing = allowedBy(undefined);
const loopback = allowedBy("127.0.0.0/8,::1");
const limits = { method: "GET" as const, headers: {}, timeoutMs: 2_000, maxBytes: 10_000 };
const get = (url: string, allowed = nothing, more: object = {}) =>
  sendOutbound({ ...limits, url: new URL(url), ...more }, allowed);

test("what is allowed is reached, with its headers, and answers", async () => {
  const { port, listener } = await aServer();
  const { status, body } = await get(`http://127.0.0.1:${port}/x?a=1`, loopback, {
    headers: { "X-Key": "k" },
  });
  expect([status, body.toString()]).toEqual([200, "hello"]);
  expect(listener.mock.calls[0]?.[0]).toMatchObject({ url: "/x?a=1", headers: { "x-key": "k" } });
});

describe("nothing is even connected to at", () => {
  test.each([
    "127.0.0.1",
    "localhost",
    "LOCALHOST",
    "2130706433",
    "0177.0.0.1",
    "0x7f000001",
    "127.1",
    "0.0.0.0",
    "0",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "１２７.0.0.1",
  ])("%s", async (host) => {
    const { port, connected } = await aServer();
    await expect(get(`http://${host}:${port}/`)).rejects.toMatchObject({ reason: "address" });
    expect(connected).not.toHaveBeenCalled();
  });
});

test("a name is judged by what it resolves to, or allowed as itself", async () => {
  const { port } = await aServer();
  await expect(get(`http://localhost:${port}/`, allowedBy("10.0.0.0/8"))).rejects.toMatchObject({
    reason: "address",
  });
  expect((await get(`http://localhost:${port}/`, allowedBy("127.0.0.1"))).status).toBe(200);
  expect((await get(`http://localhost:${port}/`, allowedBy("localhost"))).status).toBe(200);
  expect((await get(`http://[::ffff:127.0.0.1]:${port}/`, loopback)).status).toBe(200);
});

test("a redirect is an answer, and is not followed", async () => {
  const inner = await aServer();
  const outer = await aServer((_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/secret` }).end(),
  );
  const { status } = await get(`http://127.0.0.1:${outer.port}/`, loopback);
  expect(status).toBe(302);
  expect(inner.connected).not.toHaveBeenCalled();
});

test.each(["ftp://127.0.0.1/", "file:///etc/passwd", "data:text/plain,x"])("%s is refused", async (url) => {
  await expect(get(url, loopback)).rejects.toMatchObject({ reason: "protocol" });
});

test("an answer is bounded in size and in time, however it drips", async () => {
  const large = await aServer((_, response) => response.end("x".repeat(20_000)));
  await expect(get(`http://127.0.0.1:${large.port}/`, loopback)).rejects.toMatchObject({ reason: "size" });

  const timers: NodeJS.Timeout[] = [];
  const dripping = await aServer((_, response) => {
    response.writeHead(200);
    timers.push(setInterval(() => response.write("x"), 50));
  });
  const silent = await aServer(() => {});
  for (const { port } of [dripping, silent]) {
    const startedAt = performance.now();
    const answer = get(`http://127.0.0.1:${port}/`, loopback, { timeoutMs: 400 });
    await expect(answer).rejects.toMatchObject({ reason: "timeout" });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  }
  timers.forEach(clearInterval);
});

test("a connection that breaks off is an error, not a short answer", async () => {
  const { port } = await aServer((_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.destroy());
  });
  await expect(get(`http://127.0.0.1:${port}/`, loopback)).rejects.toThrow();
});
