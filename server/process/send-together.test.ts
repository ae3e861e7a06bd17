import { once } from "node:events";
import {
  createServer,
  get,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendTogether } from "./send-together.ts";

/** Answers one request by `answer`, and notes each part that reaches the network. */
async function answeredBy(answer: (response: ServerResponse, sent: string[]) => void) {
  const sent: string[] = [];
  const listener: RequestListener = (_, response) => {
    const write = response.write.bind(response) as (part: Buffer) => boolean;
    response.write = ((part: Buffer) => {
      sent.push(part.toString());
      return write(part);
    }) as typeof response.write;
    sendTogether(response);
    answer(response, sent);
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [received] = (await once(request, "response")) as [IncomingMessage];
  const body = await text(received);
  server.close();
  return { sent, body, status: received.statusCode };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("what is written within a tenth of a second is sent together", async () => {
  const answer = await answeredBy((response) => {
    response.write("a ");
    vi.advanceTimersByTime(99);
    response.write(Buffer.from("sketch "));
    response.write("7061676520", "hex");
    response.end("ends");
  });
  expect(answer).toEqual({ sent: ["a sketch page "], body: "a sketch page ends", status: 200 });
});

test("what takes longer is sent as it comes", async () => {
  const answer = await answeredBy((response, sent) => {
    response.write("sketch ");
    expect([sent, response.headersSent]).toEqual([[], true]);
    vi.advanceTimersByTime(100);
    expect(sent).toEqual(["sketch "]);
    response.write("content ");
    expect(sent).toEqual(["sketch ", "content "]);
    response.end();
  });
  expect(answer.body).toBe("sketch content ");
});

test("more than 64 kB is sent at once, and a large answer arrives whole", async () => {
  const large = "x".repeat(40_000);
  const { sent, body } = await answeredBy((response, sent) => {
    response.write(large);
    response.write(large);
    expect(sent.map(({ length }) => length)).toEqual([80_000]);
    Readable.from(Array.from({ length: 200 }, () => Buffer.from(large))).pipe(response);
  });
  expect([sent.length, body.length]).toEqual([201, 202 * 40_000]);
});

test("what replaces its methods later, such as compression, stays in place", async () => {
  const { body } = await answeredBy((response) => {
    const write = response.write.bind(response) as (part: string) => boolean;
    response.write = ((part: string) => write(part.toUpperCase())) as typeof response.write;
    response.write("one ");
    vi.advanceTimersByTime(100);
    response.write("two ");
    response.end();
  });
  expect(body).toBe("ONE TWO ");
});

test("an answer without parts is as it was", async () => {
  const answer = await answeredBy((response) => {
    response.writeHead(404);
    response.end("nothing");
  });
  expect(answer).toEqual({ sent: [], body: "nothing", status: 404 });
});

test("nothing is written to who has gone", async () => {
  const closed = Promise.withResolvers<void>();
  const sent: string[] = [];
  const server = createServer((_, response) => {
    response.write = ((part: Buffer) => sent.push(String(part)) > 0) as typeof response.write;
    sendTogether(response);
    response.write("sketch");
    response.once("close", closed.resolve);
    response.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  request.on("error", () => {});
  request.on("response", (response) => response.on("error", () => {}).resume());
  await closed.promise;
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([]);
  server.close();
});
