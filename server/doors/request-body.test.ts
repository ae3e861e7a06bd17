import { expect, test } from "vitest";
import { bodyLimits, readBody, withBody } from "./request-body.ts";
import { handleTrpc as trpcDoor } from "./trpc.ts";

const kilobyte = 1024;

/** An endless body without a declared length, and how much of it has been read. */
function endless() {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        taken += 64 * kilobyte;
        controller.enqueue(new Uint8Array(64 * kilobyte).fill(0x20));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken: () => taken };
}

const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(`http://localhost:3000${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    duplex: "half",
  } as RequestInit);

test("a body of exactly the limit is read, and one byte more is not", async () => {
  const exact = new Uint8Array(10 * kilobyte).fill(1);
  expect(await readBody(post("/", exact), 10 * kilobyte)).toEqual(Buffer.from(exact));
  await expect(readBody(post("/", new Uint8Array(10 * kilobyte + 1)), 10 * kilobyte)).rejects.toMatchObject({
    code: "too_large",
    detail: "The body is larger than 10 kB",
  });
});

test("a declared length over the limit is rejected before anything is read", async () => {
  const { body, taken } = endless();
  const request = post("/", body, { "content-length": String(300 * 1024 * kilobyte) });
  await expect(readBody(request, bodyLimits.json)).rejects.toMatchObject({ code: "too_large" });
  expect(taken()).toBe(0);
});

test("a body without a declared length is read up to the limit and no further", async () => {
  const { body, taken } = endless();
  await expect(withBody(post("/", body), bodyLimits.json)).rejects.toMatchObject({
    code: "too_large",
  });
  expect(taken()).toBeGreaterThan(bodyLimits.json);
  expect(taken()).toBeLessThanOrEqual(bodyLimits.json + 128 * kilobyte);
});

test("a request with its body read is the same request", async () => {
  const request = post("/svc/x?y=1", "[1]", { "x-one": "1" });
  const bounded = await withBody(request, 100);
  expect([bounded.method, bounded.url, bounded.headers.get("x-one")]).toEqual(["POST", request.url, "1"]);
  expect(await bounded.json()).toEqual([1]);
  const empty = new Request("http://localhost:3000/");
  expect(await withBody(empty, 100)).toBe(empty);
});

test("tRPC has the same limit as REST, with tRPC's error format", async () => {
  const { body, taken } = endless();
  const answer = await trpcDoor(post("/svc/trpc/session.setUp", body));
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({
    error: { message: "The body is larger than 1 MB", data: { httpStatus: 413 } },
  });
  expect(taken()).toBeLessThanOrEqual(bodyLimits.json + 128 * kilobyte);
});

test("tRPC accepts a document as large as REST does, from authorized callers", async () => {
  const call = async (kilobytes: number) => {
    const yaml = "x".repeat(kilobytes * kilobyte);
    return (await trpcDoor(post("/svc/trpc/dataQuality.importContracts", JSON.stringify({ yaml })))).status;
  };
  expect([await call(4 * 1024), await call(5 * 1024)]).toEqual([401, 413]);
});
