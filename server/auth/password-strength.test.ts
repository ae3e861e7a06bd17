import { expect, test } from "vitest";
import { processorTimeOf } from "../test/processor-time.ts";
import { weaknessOf } from "./password-strength.ts";

const ada = { name: "Ada Lovelace", email: "countess@lovelace.example" };

test.each([
  ["aaaaaaaaaa", "must have at least four different characters"],
  ["ababababab", "must have at least four different characters"],
  ["1112221112", "must have at least four different characters"],
  ["1234567890", "is too common"],
  ["qwertyuiop", "is too common"],
  ["password123", "is too common"],
  ["1q2w3e4r5t", "is too common"],
  ["P@ssword123", "is too common"],
  ["abcdefghijkl", "is a common pattern"],
  ["9876543210", "is a common pattern"],
  ["abcdabcdabcd", "is a common pattern"],
  ["Ada Lovelace", "must not be the name or the email address"],
  ["adalovelace", "must not be the name or the email address"],
  ["Countess@Lovelace.example", "must not be the name or the email address"],
])("%s is rejected", async (password, weakness) => {
  expect(await weaknessOf(password, ada)).toContain(weakness);
});

test.each([
  "correct horse battery staple",
  "correct horse battery",
  "a long enough password",
  "a-good-password-1",
  "password-12345",
  "secret-password",
  "Sup3rSecret!",
  "jXk2-9qLm-vB7w",
  "пароль-на-каждый-день",
  "合言葉は誰にも言わないこと",
  "🐎🔋📎🌧️ staple",
])("%s is accepted", async (password) => {
  expect(await weaknessOf(password, ada)).toBeNull();
});

test("two hundred characters of any kind are judged quickly", async () => {
  const hostile = ["p4s$w0rd", "@4a{0o1i3e5s$7t+", "qwerty12345", "ab"].map((text) =>
    text.repeat(200).slice(0, 200),
  );
  const time = await processorTimeOf(async () => {
    for (const password of hostile) await weaknessOf(password, ada);
  });
  // Truncated to 64 characters, each takes about ten milliseconds; in full, hundreds.
  expect(time).toBeLessThan(2_000);
});
