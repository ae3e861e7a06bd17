import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutProxyAnswers } from "./proxy-answers.ts";

/** Responds with the status and type in its path: `/502/text/html`. */
const server = createServer((request, response) => {
  const [, status, ...type] = (request.url ?? "").split("/");
  response.writeHead(Number(status), { "content-type": type.join("/") }).end("<h1>Bad gateway</h1>");
});
const ask = withoutProxyAnswers(fetch);
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const router = { headers: { rsc: "1" } };

test.each([502, 503, 504])(
  "a page request answered by a proxy with %i counts as no response",
  async (status) => {
    await expect(ask(`${url}/${status}/text/html`, router)).rejects.toThrow(TypeError);
  },
);

test("the service's own responses are left alone", async () => {
  expect((await ask(`${url}/503/text/x-component`, router)).status).toBe(503);
  expect((await ask(`${url}/404/text/html`, router)).status).toBe(404);
  expect((await ask(`${url}/200/text/x-component`, router)).status).toBe(200);
});

test("other requests see every response", async () => {
  expect((await ask(`${url}/502/text/html`)).status).toBe(502);
});
