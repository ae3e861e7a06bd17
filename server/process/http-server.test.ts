import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { readBody } from "../doors/request-body.ts";
import { createLimitedServer } from "./http-server.ts";
import { limitUnfinished } from "./unfinished-requests.ts";

/** Real sockets, and clients that do not finish what they began. */
const patience = { headersMs: 300, requestMs: 600, lingerMs: 300, idleMs: 5_000, lingerBytes: 4_000_000 };

const long = {
  headersMs: 10_000,
  requestMs: 10_000,
  lingerMs: 10_000,
  idleMs: 5_000,
  lingerBytes: 4_000_000,
};

let server: Server | undefined;
let port: number;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  server?.close();
});

async function serve(work: (request: IncomingMessage, response: ServerResponse) => void, bounds = patience) {
  server = createLimitedServer(work, bounds).listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
}

async function send(...chunks: string[]): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  // A server may disconnect while the client is still sending.
  socket.on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  for (const chunk of chunks) socket.write(chunk);
  return socket;
}

const head = (headers: string) => `POST / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`;
const answerAtOnce = (_: IncomingMessage, response: ServerResponse) => response.end("answered");

test.each([
  ["nothing", []],
  ["half of the headers", ["POST / HTTP/1.1\r\nHost: loc"]],
  ["half of the body", [head("Content-Length: 10"), "12345"]],
  ["chunks that do not end", [head("Transfer-Encoding: chunked"), "5\r\n12345\r\n"]],
])("a client that sends %s is disconnected", async (_, chunks) => {
  await serve((request, response) => request.resume().on("end", () => response.end("answered")));
  const socket = await send(...chunks);
  const said = await text(socket);
  expect(said).not.toContain("answered");
  if (chunks.length > 0) expect(said).toMatch(/^HTTP\/1\.1 408 /);
});

test("a client that is answered while still sending gets the response, then is disconnected", async () => {
  await serve(answerAtOnce);
  const socket = await send(head("Transfer-Encoding: chunked"));
  const chunk = `1000\r\n${"x".repeat(4096)}\r\n`;
  const sending = setInterval(() => socket.write(chunk), 10);
  let said = "";
  socket.setEncoding("utf8").on("data", (part) => {
    said += part;
  });
  // What is still being sent when the server disconnects may reset the connection, after the response.
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(sending);
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(said).toContain("answered");
});

/** As in production: a web request over the node one, reading only as much as allowed. */
function rejectLarge(request: IncomingMessage, response: ServerResponse) {
  const init = { method: "POST", body: request, duplex: "half" } as unknown as RequestInit;
  readBody(new Request("http://localhost/", init), 100_000).then(
    () => response.end("read"),
    () => response.writeHead(413).end("too large"),
  );
}

test("a client that sends a large body in full before reading anything still gets the response", async () => {
  await serve(rejectLarge, long);
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  const socket = await send(head("Transfer-Encoding: chunked"), chunk.repeat(40), "0\r\n\r\n");
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  expect(String(answer)).toContain("too large");
});

test("a client that keeps sending a request that was given up half-read is disconnected", async () => {
  await serve((request, response) => {
    request.once("readable", async () => {
      for await (const _ of request) break;
      response.writeHead(413).end("too large");
    });
  });
  const socket = await send(head("Transfer-Encoding: chunked"), "5\r\n12345\r\n");
  const said = await text(socket);
  expect(said).toMatch(/^HTTP\/1\.1 413 /);
});

test("a client that sends endlessly is disconnected after a few megabytes", async () => {
  await serve(rejectLarge, long);
  const socket = await send(head("Transfer-Encoding: chunked"));
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  let isOpen = true;
  socket.once("close", () => {
    isOpen = false;
  });
  const said = text(socket).catch(() => "");
  const ready = () => new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
  while (isOpen) if (!socket.write(chunk)) await ready();
  expect(socket.bytesWritten).toBeGreaterThan(100_000);
  // Buffers on both sides hold part of what was written.
  expect(socket.bytesWritten).toBeLessThan(64_000_000);
  await said;
});

test("a connection is kept if its request was complete", async () => {
  await serve(answerAtOnce);
  const socket = await send(head("Content-Length: 5"), "12345");
  await once(socket, "data");
  socket.write(head("Content-Length: 5"));
  socket.write("12345");
  const [again] = await once(socket, "data");
  expect(String(again)).toMatch(/^HTTP\/1\.1 200 /);
});

test("a network may have a hundred unfinished requests, and no more", async () => {
  const byPort = new Map<number, string>();
  const mayStart = limitUnfinished((request) => ({
    network: byPort.get(request.socket.remotePort ?? 0) ?? "one",
    isBehindUnnamedProxy: false,
  }));
  let begun = 0;
  await serve((request, response) => {
    if (!mayStart(request)) return void response.writeHead(429).end();
    begun += 1;
    request.resume().on("end", () => response.end("answered"));
  }, long);
  const held: Socket[] = [];
  for (let n = 0; n < 100; n++) held.push(await send(head("Content-Length: 5"), "123"));
  await expect.poll(() => begun).toBe(100);

  const refused = await send(head("Content-Length: 5"), "123");
  expect(String((await once(refused, "data"))[0])).toMatch(/^HTTP\/1\.1 429 /);
  // A request without a body is complete.
  const empty = await send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(String((await once(empty, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
  const other = await send();
  byPort.set(other.localPort ?? 0, "another");
  other.write(`${head("Content-Length: 5")}12345`);
  expect(String((await once(other, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);

  // Completing one makes room for another.
  const [first] = held;
  first?.write("45");
  expect(String((await once(first as Socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
  const next = await send(head("Content-Length: 5"), "12345");
  expect(String((await once(next, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
});

test("complete requests do not count, however long their responses take", async () => {
  const mayStart = limitUnfinished(() => ({ network: "one", isBehindUnnamedProxy: false }));
  const waiting: ServerResponse[] = [];
  const seen: boolean[] = [];
  await serve((request, response) => {
    seen.push(mayStart(request));
    // The body is not read before the response, like in a busy handler.
    waiting.push(response);
  });
  for (let n = 0; n < 300; n++) await send(`${head("Content-Length: 5")}12345`);
  await expect.poll(() => seen.length).toBe(300);
  expect(seen.every(Boolean)).toBe(true);
  for (const response of waiting) response.end();
});

test("an idle connection outlives those of common load balancers, and the response says how long", async () => {
  server = createLimitedServer((_request, response) => void response.end("fine")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await response.text()).toBe("fine");
  expect(response.headers.get("keep-alive")).toBe("timeout=65");
});
