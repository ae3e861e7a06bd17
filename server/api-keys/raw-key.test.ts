import { expect, test } from "vitest";
import { hashOf, makeRawKey, prefixOf, presentedKey } from "./raw-key.ts";

test("a raw key is sk-svc_ plus 43 characters that encode 32 bytes, never the same twice", () => {
  const keys = Array.from({ length: 100 }, makeRawKey);
  for (const key of keys) {
    expect(key).toMatch(/^sk-svc_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(key.slice(7), "base64url")).toHaveLength(32);
  }
  expect(new Set(keys).size).toBe(100);
});

test("its hash is SHA-256 of the whole key; its prefix has 16 characters", () => {
  // The published test vector: SHA-256 of "abc".
  expect(hashOf("abc").toString("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  expect(prefixOf("sk-svc_abcdefghijklmnop")).toBe("sk-svc_abcdefghi");
});

test.each([
  ["Bearer sk-svc_abc", "sk-svc_abc"],
  ["Bearer sk-svc_", "sk-svc_"],
  ["bearer sk-svc_abc", null],
  ["BEARER sk-svc_abc", null],
  ["Bearer  sk-svc_abc", null],
  ["Bearer\tsk-svc_abc", null],
  ["Bearer SK-SVC_abc", null],
  ["Bearer sk-svc-abc", null],
  ["sk-svc_abc", null],
  ["Basic sk-svc_abc", null],
  ["Token Bearer sk-svc_abc", null],
])("Authorization: %j presents %j", (authorization, expected) => {
  expect(presentedKey(new Headers({ authorization }))).toBe(expected);
});

test("other headers contain no key", () => {
  expect(presentedKey(new Headers({ "x-api-key": "sk-svc_abc" }))).toBeNull();
  expect(presentedKey(new Headers())).toBeNull();
});
