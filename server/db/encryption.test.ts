import { createCipheriv } from "node:crypto";
import { expect, test } from "vitest";
import { DecryptionError, decrypt, encrypt, resealing, secretKey } from "./encryption.ts";

test("a secret decrypts when bound to the same place, in any script", () => {
  const password = "p'ä߷\"‮密碼🔑";
  expect(decrypt(encrypt(password, "data-source:12"), "data-source:12")).toBe(password);
  expect(decrypt(encrypt("", "data-source:12"), "data-source:12")).toBe("");
});

test("the encrypted bytes contain a version, the key's id, an IV, a tag, and the ciphertext, and never the plaintext", () => {
  const sealed = encrypt("correct horse", "data-source:12");
  expect(sealed[0]).toBe(2);
  expect(sealed.length).toBe(1 + 4 + 12 + 16 + "correct horse".length);
  expect(sealed.includes("correct")).toBe(false);
});

test("the same secret is encrypted differently every time", () => {
  expect(encrypt("secret", "data-source:12").equals(encrypt("secret", "data-source:12"))).toBe(false);
});

test("a secret moved to another row does not decrypt", () => {
  const sealed = encrypt("secret", "data-source:12");
  expect(() => decrypt(sealed, "data-source:13")).toThrow(DecryptionError);
});

test("any changed byte, a truncated value, and an empty value are rejected", () => {
  const sealed = encrypt("secret", "data-source:12");
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => decrypt(changed, "data-source:12"), `byte ${at}`).toThrow(DecryptionError);
  }
  expect(() => decrypt(sealed.subarray(0, 20), "data-source:12")).toThrow(DecryptionError);
  expect(() => decrypt(Buffer.alloc(0), "data-source:12")).toThrow(DecryptionError);
});

const own = "11".repeat(32);
const other = "22".repeat(32);

/** As encrypted by the first version: without the key's id. */
function sealedBefore(plaintext: string, bound: string, key: string): Buffer {
  const iv = Buffer.alloc(12, 7);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key, "hex"), iv);
  cipher.setAAD(Buffer.concat([Buffer.of(1), Buffer.from(bound)]));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(1), iv, cipher.getAuthTag(), ciphertext]);
}

test("values encrypted before keys had ids still decrypt", () => {
  expect(decrypt(sealedBefore("secret", "recipient:1", own), "recipient:1")).toBe("secret");
  expect(() => decrypt(sealedBefore("secret", "recipient:1", other), "recipient:1")).toThrow(DecryptionError);
});

test("a re-encrypted secret decrypts only with the new key, and only in its own place", () => {
  const reseal = resealing(other, own);
  const sealed = encrypt("secret", "recipient:1", secretKey(other));
  expect(() => decrypt(sealed, "recipient:1")).toThrow("encrypted with another ENCRYPTION_KEY");
  expect(decrypt(reseal(sealed, "recipient:1"), "recipient:1")).toBe("secret");
  expect(decrypt(reseal(sealedBefore("old", "recipient:1", other), "recipient:1"), "recipient:1")).toBe(
    "old",
  );
  expect(() => reseal(sealed, "recipient:2")).toThrow(DecryptionError);
  // Doing it twice is harmless, and a third key decrypts nothing.
  expect(decrypt(reseal(reseal(sealed, "recipient:1"), "recipient:1"), "recipient:1")).toBe("secret");
  expect(() => resealing("33".repeat(32), own)(sealed, "recipient:1")).toThrow(DecryptionError);
});
