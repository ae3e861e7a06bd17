import { expect, test } from "vitest";
import { WholeResponse } from "./whole-response.ts";

const text = JSON.stringify({ name: "Grüße" });
const headers = { "x-one": "1" };
const whole = () => new WholeResponse(text, { status: 201, headers });

test("is read by the usual methods, once", async () => {
  expect(await whole().text()).toBe(text);
  expect(await whole().json()).toEqual({ name: "Grüße" });
  expect(Buffer.from(await whole().arrayBuffer())).toEqual(Buffer.from(text));
  expect(Buffer.from(await whole().bytes())).toEqual(Buffer.from(text));
  expect(await (await whole().blob()).text()).toBe(text);
  const read = whole();
  expect(read.bodyUsed).toBe(false);
  expect(await new Response(read.body).text()).toBe(text);
  expect(read.bodyUsed).toBe(true);
  await expect(read.text()).rejects.toThrow(TypeError);
});

test("has its status and headers, and a clone of its own", async () => {
  const response = whole();
  const clone = response.clone();
  expect(await response.text()).toBe(text);
  expect([clone.status, clone.headers.get("x-one"), await clone.text()]).toEqual([201, "1", text]);
});

test("of JSON says so, unless another type is given", async () => {
  const typeOf = (init?: ResponseInit) => WholeResponse.json({ a: 1 }, init).headers.get("content-type");
  expect(typeOf()).toBe("application/json");
  expect(typeOf({ headers: { "content-type": "application/problem+json" } })).toBe(
    "application/problem+json",
  );
  expect(await WholeResponse.json({ a: 1 }).json()).toEqual({ a: 1 });
});
