import { expect, test } from "vitest";
import { DecryptionError, decrypt, encrypt } from "./encryption.ts";

test("what was sealed opens in its own place, in any script", () => {
  const password = "p'ä߷\"‮密碼🔑";
  expect(decrypt(encrypt(password, "data-source:12"), "data-source:12")).toBe(password);
  expect(decrypt(encrypt("", "data-source:12"), "data-source:12")).toBe("");
});

test("the sealed bytes hold a version, an IV, a tag and the ciphertext, and never the plaintext", () => {
  const sealed = encrypt("correct horse", "data-source:12");
  expect(sealed[0]).toBe(1);
  expect(sealed.length).toBe(1 + 12 + 16 + "correct horse".length);
  expect(sealed.includes("correct")).toBe(false);
});

test("the same secret is sealed differently every time", () => {
  expect(encrypt("secret", "data-source:12").equals(encrypt("secret", "data-source:12"))).toBe(false);
});

test("a secret moved to another row does not open", () => {
  const sealed = encrypt("secret", "data-source:12");
  expect(() => decrypt(sealed, "data-source:13")).toThrow(DecryptionError);
});

test("any changed byte, a cut and an empty value are refused", () => {
  const sealed = encrypt("secret", "data-source:12");
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => decrypt(changed, "data-source:12"), `byte ${at}`).toThrow(DecryptionError);
  }
  expect(() => decrypt(sealed.subarray(0, 20), "data-source:12")).toThrow(DecryptionError);
  expect(() => decrypt(Buffer.alloc(0), "data-source:12")).toThrow(DecryptionError);
});
