import { expect, test } from "vitest";
import { fill, hasReference, referencesIn, refusalOf } from "./secret-reference.ts";

const allowance = {
  SECRETS_ENV_PREFIX: "WAREHOUSE_",
  SECRETS_FOLDERS: ["/run/secrets", "/srv/project-{project}"],
  SECRETS_VAULT_ADDRESS: "https://vault.example.com",
  SECRETS_VAULT_PATHS: ["kv/plumbline/", "teams/{project}/"],
};
const refusal = (text: string, projectId: number | null = 7) =>
  referencesIn(text).map((each) => refusalOf(each, allowance, projectId))[0];

test("a reference is found in a text, and replaced by what it stands for", () => {
  const text = "Bearer {{vault:kv/plumbline/sales#token}}";
  expect(referencesIn(text)).toEqual([
    {
      ...{ written: "{{vault:kv/plumbline/sales#token}}", kind: "vault" },
      ...{ mount: "kv", path: "plumbline/sales", field: "token" },
    },
  ]);
  // A value with $& in it is not a pattern.
  expect(fill(text, () => "a$&b")).toBe("Bearer a$&b");
  expect(hasReference("{{other:x}} and {env:X} and p{{ssw}}rd")).toBe(false);
});

test.each([
  ["{{env:}}", "{{env:NAME}}"],
  ["{{env:A-B}}", "{{env:NAME}}"],
  ["{{file:run/secrets/a}}", "{{file:/absolute/path}}"],
  ["{{file:/run/secrets/../../etc/shadow}}", "{{file:/absolute/path}}"],
  ["{{vault:kv/plumbline/../sys#x}}", "{{vault:mount/path#field}}"],
  ["{{vault:kv/plumbline/%2e%2e/x#x}}", "{{vault:mount/path#field}}"],
  ["{{vault:kv/plumbline//x#x}}", "{{vault:mount/path#field}}"],
  ["{{vault:kv/plumbline/x}}", "{{vault:mount/path#field}}"],
  ["{{vault:kv#x}}", "{{vault:mount/path#field}}"],
])("%s is malformed, and the message shows the form", (text, form) => {
  expect(() => referencesIn(text)).toThrow(`${text} is not a reference: it must look like ${form}`);
});

test.each([
  "{{env:WAREHOUSE_SALES}}",
  "{{file:/run/secrets/sales}}",
  "{{file:/srv/project-7/sales}}",
  "{{vault:kv/plumbline/sales#password}}",
  "{{vault:teams/7/sales#password}}",
])("%s is allowed", (text) => {
  expect(refusal(text)).toBeNull();
});

test.each([
  // The service's own secrets, and anything else of its process.
  ["{{env:ENCRYPTION_KEY}}", "SECRETS_ENV_PREFIX"],
  ["{{env:PATH}}", "SECRETS_ENV_PREFIX"],
  ["{{env:XWAREHOUSE_SALES}}", "SECRETS_ENV_PREFIX"],
  ["{{file:/run/secrets-of-others/a}}", "SECRETS_FOLDERS"],
  ["{{file:/etc/shadow}}", "SECRETS_FOLDERS"],
  // Another project's.
  ["{{file:/srv/project-77/sales}}", "SECRETS_FOLDERS"],
  ["{{vault:teams/77/sales#password}}", "SECRETS_VAULT_PATHS"],
  ["{{vault:kv/plumbline-of-others/sales#password}}", "SECRETS_VAULT_PATHS"],
])("%s is refused, with the setting that would allow it", (text, setting) => {
  expect(refusal(text)).toBe(`${text} is not allowed by ${setting}`);
});

test("nothing is allowed without a setting, nor a setting of the service by any prefix", () => {
  const none = {
    SECRETS_FOLDERS: [],
    SECRETS_ENV_PREFIX: undefined,
    SECRETS_VAULT_ADDRESS: undefined,
    SECRETS_VAULT_PATHS: undefined,
  };
  for (const text of ["{{env:WAREHOUSE_A}}", "{{file:/run/secrets/a}}", "{{vault:kv/plumbline/a#b}}"])
    expect(referencesIn(text).map((each) => refusalOf(each, none, 7))).toEqual([
      expect.stringContaining("is not allowed by"),
    ]);
  const wide = { ...allowance, SECRETS_ENV_PREFIX: "ENCRYPTION_" };
  for (const text of ["{{env:ENCRYPTION_KEY}}", "{{env:ENCRYPTION_KEY_OLD}}", "{{env:ENCRYPTION_KEY_FILE}}"])
    expect(referencesIn(text).map((each) => refusalOf(each, wide, 7))).toEqual([
      `${text} is not allowed by SECRETS_ENV_PREFIX`,
    ]);
});

test("what is allowed by project is refused where there is no project", () => {
  expect(refusal("{{file:/srv/project-7/sales}}", null)).toBe(
    "{{file:/srv/project-7/sales}} is not allowed by SECRETS_FOLDERS",
  );
});
