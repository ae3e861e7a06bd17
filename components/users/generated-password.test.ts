import { expect, test } from "vitest";
import { generatedPassword } from "./generated-password.ts";

test("a generated password is long, readable, and different each time", () => {
  expect(generatedPassword()).toMatch(/^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/);
  expect(generatedPassword()).not.toBe(generatedPassword());
});

test("bytes that would bias the characters are discarded", () => {
  // 31 characters: 248 to 255 would map to the first eight once more.
  const bytes = [...Array<number>(19).fill(0), 255, 247];
  const password = generatedPassword((count) => new Uint8Array(bytes.splice(0, count)));
  expect(password).toBe("aaaaa-aaaaa-aaaaa-aaaa9");
});
