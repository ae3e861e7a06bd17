import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { readBody } from "../doors/request-body.ts";
import { WholeResponse } from "../doors/whole-response.ts";
import { sendResponse, targetOf, webRequest } from "./web-bridge.ts";

/** A server with this handler, over real sockets. Returns its port, and the errors that occurred. */
async function serve(answer: (request: Request) => Response | Promise<Response>) {
  const failures: unknown[] = [];
  const server = createServer(async (request, response) => {
    try {
      await sendResponse(await answer(webRequest(request, targetOf(request))), request, response);
    } catch (error) {
      failures.push(error);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, failures };
}

/** The server's raw response to these bytes. */
async function responseTo(port: number, request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(request);
  return text(socket);
}

test("a handler gets the method, the target, the headers, and the body", async () => {
  const { url } = await serve(async (request) =>
    Response.json([request.method, request.url, request.headers.get("x-one"), await request.text()]),
  );
  const answer = await fetch(`${url}/svc/api/x?y=1`, {
    method: "PUT",
    headers: { "x-one": "1" },
    body: "[1]",
  });
  expect(await answer.json()).toEqual(["PUT", "http://localhost/svc/api/x?y=1", "1", "[1]"]);
});

test.each([
  ["GET /a?b=c HTTP/1.1", "http://localhost/a?b=c"],
  ["GET http://elsewhere.example/a?b=c HTTP/1.1", "http://localhost/a?b=c"],
  ["GET //elsewhere.example/a HTTP/1.1", "http://localhost//elsewhere.example/a"],
])("%s has an origin that the caller cannot choose", async (line, expected) => {
  const { port } = await serve((request) => new Response(request.url));
  const said = await responseTo(port, `${line}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
  expect(said).toContain(`\r\n\r\n${expected}`);
});

test("a response has its status, headers, each of its cookies, and its length", async () => {
  const headers = new Headers({ "x-one": "1" });
  for (const cookie of ["a=1; Path=/", "b=2; Path=/"]) headers.append("set-cookie", cookie);
  const { url } = await serve(() => new Response("gone", { status: 410, headers }));
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("x-one"), answer.headers.getSetCookie()]).toEqual([
    410,
    "1",
    ["a=1; Path=/", "b=2; Path=/"],
  ]);
  expect([answer.headers.get("content-length"), await answer.text()]).toEqual(["4", "gone"]);
});

test.each([204, 304])("a %i has no body", async (status) => {
  const { port } = await serve(() => new Response(null, { status }));
  const said = await responseTo(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(said.endsWith("\r\n\r\n")).toBe(true);
});

test("HEAD is answered without a body", async () => {
  const { port } = await serve(() => Response.json({ long: "x".repeat(5000) }));
  const said = await responseTo(port, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(said).toContain("content-type: application/json");
  expect(said.endsWith("\r\n\r\n")).toBe(true);
});

const long = JSON.stringify({ long: "x".repeat(5000) });

test.each([
  ["gzip, deflate, br", long, "application/problem+json", "gzip"],
  ["br;q=1, gzip;q=0.5", long, "application/json", "gzip"],
  ["gzip;q=0", long, "application/json", null],
  ["identity", long, "application/json", null],
  ["gzip", "short", "application/json", null],
  ["gzip", long, "application/octet-stream", null],
])("Accept-Encoding: %s compresses only what is worth it", async (accepted, body, type, expected) => {
  const { port } = await serve(() => new Response(body, { headers: { "content-type": type } }));
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`);
  const said = Buffer.concat(await socket.toArray());
  const end = said.indexOf("\r\n\r\n");
  const head = said.subarray(0, end).toString();
  expect(/content-encoding: (.+)/.exec(head)?.[1] ?? null).toBe(expected);
  expect(/vary: accept-encoding/.test(head)).toBe(type !== "application/octet-stream");
  const sent = said.subarray(end + 4);
  expect(String(expected ? gunzipSync(sent) : sent)).toBe(body);
});

test.each(["GET", "HEAD"])("a response of one text is sent as any other, to %s", async (method) => {
  const headers = { "content-type": "application/json", "x-one": "1" };
  const send = async (answer: Response) => {
    const { port } = await serve(() => answer);
    const socket = connect(port, "127.0.0.1");
    socket.write(`${method} / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`);
    return Buffer.concat(await socket.toArray())
      .toString("latin1")
      .replace(/date: .*/i, "");
  };
  for (const text of ["", "Grüße", long]) {
    const usual = await send(new Response(text, { status: 201, headers }));
    expect(usual).toMatch(/^HTTP\/1\.1 201 [\s\S]*x-one: 1/);
    expect(await send(new WholeResponse(text, { status: 201, headers }))).toBe(usual);
  }
});

test("a chunked response is produced as fast as the caller reads it, and stops when it disconnects", async () => {
  let produced = 0;
  const left = Promise.withResolvers<void>();
  const { port, failures } = await serve(() => {
    const body = new ReadableStream({
      pull(controller) {
        produced += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
      cancel: () => left.resolve(),
    });
    return new Response(body);
  });
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "data");
  socket.pause();
  // Sockets buffer some megabytes; without backpressure it would never end.
  const counts: number[] = [];
  await expect
    .poll(() => counts.push(produced) > 1 && counts.at(-1) === counts.at(-2), { interval: 200 })
    .toBe(true);
  socket.destroy();
  await left.promise;
  expect(failures).toEqual([]);
});

test("a body is read where it is, and what a refused one still sends is not", async () => {
  const { url, failures } = await serve(async (request) => {
    const error = await readBody(request, 10).catch(({ code }: { code: string }) => code);
    return new Response(String(error));
  });
  const post = async (body: string) => (await fetch(url, { method: "POST", body })).text();
  expect(await post("Grüße")).toBe("Grüße");
  expect(await post("x".repeat(10))).toBe("x".repeat(10));
  expect(await post("x".repeat(11))).toBe("too_large");
  const chunks = new ReadableStream({
    start(controller) {
      for (const bytes of [6, 5]) controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });
  const chunked = await fetch(url, { method: "POST", body: chunks, duplex: "half" } as RequestInit);
  expect(await chunked.text()).toBe("too_large");
  expect(failures).toEqual([]);
});

test("a body is read as it arrives, and only as far as the handler reads", async () => {
  const { url } = await serve(async (request) => {
    const { value } = (await request.body?.getReader().read()) ?? {};
    return new Response(String(value?.byteLength));
  });
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += 1;
      if (sent > 3) return new Promise(() => {});
      controller.enqueue(new TextEncoder().encode("four"));
    },
  });
  const answer = await fetch(url, { method: "POST", body, duplex: "half" } as RequestInit);
  expect(Number(await answer.text())).toBeGreaterThanOrEqual(4);
});
