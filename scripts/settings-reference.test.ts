import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsPage, settingsReference } from "./settings-reference.ts";

test("docs/settings.md is up to date (else: npm run docs:settings)", () => {
  expect(readFileSync(settingsPage, "utf8"), "run npm run docs:settings").toBe(settingsReference().text);
});

test("every setting has a description and a group", () => {
  expect(settingsReference().lacking).toEqual([]);
});

test.each([
  ["PORT", "a number from 1 to 65535", "`3000`"],
  ["LLM_TIMEOUT_S", "a number from 1 to 290", "`120`"],
  ["RATE_LIMIT_ADDRESS", "a number, or `off`", "`60000`"],
  ["APPROVAL_WORKFLOW", "`on`, `off`", "`off`"],
  ["NEXTAUTH_SECRET", "text of at least 32 characters", ""],
  ["LLM_PRICE_INPUT", "a number", ""],
  ["LLM_OUTPUT", "`schema`, `json`", "`schema`"],
])("%s is described by its values and its default", (name, values, byDefault) => {
  expect(settingsReference().text).toContain(`| \`${name}\` | ${values} | ${byDefault} |`);
});
