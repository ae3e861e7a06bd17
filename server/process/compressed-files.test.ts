import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressedFiles } from "./compressed-files.ts";

const script = `console.log(${JSON.stringify("a".repeat(5000))});`;
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-pages-"));
  const chunks = join(folder, ".next/static/chunks/[id]");
  mkdirSync(chunks, { recursive: true });
  writeFileSync(join(chunks, "../page-1.js"), script);
  writeFileSync(join(chunks, "../page-1.js.br"), brotliCompressSync(script));
  writeFileSync(join(chunks, "../small.js"), "1");
  writeFileSync(join(folder, ".next/secret.js.br"), "secret");
  const sends = compressedFiles(folder);
  server = createServer((asked, response) => {
    if (!sends(asked, response)) response.writeHead(404, { "x-by": "next" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function get(path: string, encoding?: string, method = "GET") {
  const { port } = server.address() as AddressInfo;
  const headers = encoding === undefined ? {} : { "accept-encoding": encoding };
  const asked = request({ port, host: "127.0.0.1", path, method, headers }).end();
  const [response] = await once(asked, "response");
  return {
    status: response.statusCode as number,
    headers: response.headers as IncomingHttpHeaders,
    body: await buffer(response),
  };
}
const path = "/_next/static/chunks/page-1.js";

test("a script is sent as it was compressed, and kept for good", async () => {
  const { status, headers, body } = await get(`${path}?v=1`, "gzip, deflate, br");
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "application/javascript; charset=UTF-8",
    "content-encoding": "br",
    "content-length": String(body.length),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  expect(brotliDecompressSync(body).toString()).toBe(script);
  const head = await get(path, "br", "HEAD");
  expect([head.headers["content-length"], head.body.length]).toEqual([String(body.length), 0]);
});

test.each([
  ["who takes no Brotli", path, "gzip"],
  ["who says nothing", path, undefined],
  ["who refuses it", path, "gzip, br;q=0"],
  ["a file that was not compressed", "/_next/static/chunks/small.js", "br"],
  ["a file outside of the folder", "/_next/static/../secret.js", "br"],
  ["a folder", "/_next/static/chunks", "br"],
])("Next answers %s", async (_, asked, encoding) => {
  expect((await get(asked, encoding)).headers["x-by"]).toBe("next");
});

test("before the first build, there are none", () => {
  expect(() => compressedFiles(join(folder, "nowhere"))).not.toThrow();
});
