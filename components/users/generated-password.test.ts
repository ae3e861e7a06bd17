import { expect, test } from "vitest";
import { generatedPassword } from "./generated-password.ts";

test("a generated password is long enough, readable, and another each time", () => {
  expect(generatedPassword()).toMatch(/^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/);
  expect(generatedPassword()).not.toBe(generatedPassword());
});

test("bytes that would make some signs likelier are thrown away", () => {
  // 31 signs: 248 to 255 would stand for the first eight of them once more.
  const bytes = [...Array<number>(19).fill(0), 255, 247];
  const password = generatedPassword((count) => new Uint8Array(bytes.splice(0, count)));
  expect(password).toBe("aaaaa-aaaaa-aaaaa-aaaa9");
});
