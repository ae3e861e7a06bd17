import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { readSettings, secretSettings } from "./env.ts";
import { externalHub } from "./realtime/credentials.ts";

const oidc = {
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "plumbline",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_ROLES: "Admin=plumbline-admins",
};
const without = (name: keyof typeof oidc) => ({ ...oidc, [name]: undefined });

describe("an incomplete OIDC provider stops startup with one line that names what is missing", () => {
  test.each([
    [without("OIDC_CLIENT_SECRET"), "OIDC_CLIENT_SECRET: is required by OIDC_ISSUER"],
    [without("OIDC_CLIENT_ID"), "OIDC_CLIENT_ID: is required by OIDC_ISSUER"],
    [without("OIDC_ISSUER"), "OIDC_ISSUER: is required by OIDC_CLIENT_ID"],
    [{ OIDC_NAME: "Example Corp" }, "OIDC_ISSUER: is required by OIDC_NAME"],
    [{ OIDC_DEFAULT_ROLE: "Viewer" }, "OIDC_ISSUER: is required by OIDC_DEFAULT_ROLE"],
    [{ OIDC_AUDIENCE: "plumbline" }, "OIDC_ISSUER: is required by OIDC_AUDIENCE"],
    [
      without("OIDC_ROLES"),
      "OIDC_ROLES: or OIDC_PROJECT_ROLES is required unless OIDC_DEFAULT_ROLE is Viewer: otherwise nobody can sign in",
    ],
    [{ ...oidc, OIDC_ROLES: "Boss=admins" }, "OIDC_ROLES: must look like Admin=one-group,Editor=another"],
    [{ ...oidc, OIDC_ROLES: "Admin=" }, "OIDC_ROLES: must look like Admin=one-group,Editor=another"],
    [
      { ...oidc, OIDC_ROLES: "Admin=a,,Editor=b" },
      "OIDC_ROLES: must look like Admin=one-group,Editor=another",
    ],
    ...["Sales=team", "Sales:Boss=team", ":Editor=team", "Sales:Editor=", "Sales:Editor=a,,HR:Viewer=b"].map(
      (text): [Record<string, string>, string] => [
        { ...oidc, OIDC_PROJECT_ROLES: text },
        "OIDC_PROJECT_ROLES: must look like Sales:Editor=sales-team,7:Viewer=guests, with projects by name or ID",
      ],
    ),
    [{ OIDC_PROJECT_ROLES: "Sales:Editor=team" }, "OIDC_ISSUER: is required by OIDC_PROJECT_ROLES"],
    [{ PASSWORD_SIGN_IN: "off" }, "PASSWORD_SIGN_IN: off requires OIDC_ISSUER: otherwise nobody can sign in"],
    [
      { ...oidc, OIDC_ROLES: "Editor=team", PASSWORD_SIGN_IN: "off" },
      "PASSWORD_SIGN_IN: off requires OIDC_ROLES with an Admin group: otherwise no Admin can sign in",
    ],
    [{ ...oidc, OIDC_SCOPE: "profile" }, "OIDC_SCOPE: must contain openid"],
    [
      { ...oidc, OIDC_ISSUER: "http://id.example.com" },
      "OIDC_ISSUER: must be an https address (http only on this machine)",
    ],
    [
      { ...oidc, OIDC_ISSUER: "http://localhost.example.com" },
      "OIDC_ISSUER: must be an https address (http only on this machine)",
    ],
  ])("%j", (settings, line) => {
    expect(() => readSettings(settings)).toThrow(line);
  });

  test("servers for the managed identity are hosts, with a database and a project if they are named", () => {
    const servers = (MANAGED_IDENTITY_SERVERS?: string) =>
      readSettings({ MANAGED_IDENTITY_SERVERS }).MANAGED_IDENTITY_SERVERS;
    expect(servers()).toEqual([]);
    expect(servers("shop.database.windows.net, 7:sales.database.windows.net/orders")).toEqual([
      { projectId: null, host: "shop.database.windows.net", database: null },
      { projectId: 7, host: "sales.database.windows.net", database: "orders" },
    ]);
    for (const text of ["*", "a.example,", "https://a.example", "a.example/b/c", "x:a.example", "-a.example"])
      expect(() => servers(text), text).toThrow("MANAGED_IDENTITY_SERVERS: must look like");
  });

  test("a complete one is accepted", () => {
    expect(readSettings(oidc)).toMatchObject({ OIDC_ROLES: [{ role: "Admin", value: "plumbline-admins" }] });
    expect(() => readSettings({ ...oidc, OIDC_ISSUER: "http://127.0.0.1:8080/realms/x" })).not.toThrow();
    expect(() => readSettings({ ...without("OIDC_ROLES"), OIDC_DEFAULT_ROLE: "Viewer" })).not.toThrow();
  });
});

test.each(["1", "9", "10.0.0.1", "10.0.0.0/8, 2001:db8::/32", "::1"])(
  "TRUST_PROXY may be %s",
  (TRUST_PROXY) => {
    expect(() => readSettings({ TRUST_PROXY })).not.toThrow();
  },
);

test.each(["0", "10", "true", "*", "10.0.0.0/33", "2001:db8::/129", "10.0.0", "10.0.0.1,", "10.0.0.1/8/8"])(
  "TRUST_PROXY may not be %s",
  (TRUST_PROXY) => {
    expect(() => readSettings({ TRUST_PROXY })).toThrow(/^TRUST_PROXY: must be a number of proxies/);
  },
);

test("request limits are numbers or off", () => {
  const usual = { RATE_LIMIT_PRINCIPAL: 60_000, RATE_LIMIT_ADDRESS: 60_000, RATE_LIMIT_REFUSED: 6_000 };
  expect(readSettings({})).toMatchObject(usual);
  const { RATE_LIMIT_PRINCIPAL, RATE_LIMIT_ADDRESS } = readSettings({
    RATE_LIMIT_PRINCIPAL: "off",
    RATE_LIMIT_ADDRESS: "100",
  });
  expect([RATE_LIMIT_PRINCIPAL, RATE_LIMIT_ADDRESS]).toEqual([null, 100]);
  for (const wrong of ["0", "-1", "1.5", "none", "OFF"])
    expect(() => readSettings({ RATE_LIMIT_ADDRESS: wrong })).toThrow(/^RATE_LIMIT_ADDRESS: must be a whole/);
});

test("old data is removed after a number of days, or never", () => {
  const usual = { EXECUTIONS_KEPT_DAYS: 400, EVALUATIONS_KEPT_DAYS: 400, RULE_RESULTS_KEPT_DAYS: 90 };
  expect(readSettings({})).toMatchObject({ ...usual, SAMPLES_KEPT_DAYS: 30, AUDIT_KEPT_DAYS: null });
  expect(readSettings({ EXECUTIONS_KEPT_DAYS: "off", AUDIT_KEPT_DAYS: "365" })).toMatchObject({
    EXECUTIONS_KEPT_DAYS: null,
    AUDIT_KEPT_DAYS: 365,
  });
  for (const wrong of ["0", "90", "-91", "91.5", "1e3", "never"])
    expect(() => readSettings({ EXECUTIONS_KEPT_DAYS: wrong })).toThrow(/^EXECUTIONS_KEPT_DAYS: must be a/);
  expect(() => readSettings({ AUDIT_KEPT_DAYS: "364" })).toThrow(/^AUDIT_KEPT_DAYS: must be at least 365/);
  expect(() => readSettings({ SAMPLES_KEPT_DAYS: "off" })).toThrow(/^SAMPLES_KEPT_DAYS: must be a whole/);
});

describe("a mail server", () => {
  const mail = { SMTP_URL: "smtp://me:p%40ss@mail.example.com:587", MAIL_FROM: "alerts@example.com" };

  test.each([
    [{ ...mail, MAIL_FROM: undefined }, "MAIL_FROM: is required by SMTP_URL"],
    [{ ...mail, SMTP_URL: "" }, "SMTP_URL: is required by MAIL_FROM"],
    [{ ...mail, SMTP_URL: "https://mail.example.com" }, "SMTP_URL: must be an smtp:// or smtps:// address"],
    [{ ...mail, SMTP_URL: "smtp:mail.example.com" }, "SMTP_URL: must name a host"],
    [{ ...mail, MAIL_FROM: "Plumbline" }, "MAIL_FROM: must be an email address"],
    [{ ...mail, MAIL_FROM: "Plumbline <alerts>" }, "MAIL_FROM: must be an email address"],
  ])("half of one, or one that cannot be, ends the start: %#", (settings, line) => {
    expect(() => readSettings(settings)).toThrow(line);
  });

  test("is configured completely or not at all", () => {
    expect(() => readSettings({})).not.toThrow();
    expect(readSettings(mail)).toMatchObject(mail);
    const named = { SMTP_URL: "smtps://localhost", MAIL_FROM: "Plumbline alerts <alerts@example.com>" };
    expect(readSettings(named)).toMatchObject(named);
  });
});

describe("a Pusher-compatible service is configured completely or not at all", () => {
  const app = { PUSHER_APP_ID: "17", PUSHER_KEY: "key", PUSHER_SECRET: "secret" };
  test.each([
    [{ PUSHER_KEY: "key" }, "PUSHER_APP_ID: is required by PUSHER_KEY"],
    [{ PUSHER_HOST: "push.example.com" }, "PUSHER_APP_ID: is required by PUSHER_HOST"],
    [{ PUSHER_CLUSTER: "eu" }, "PUSHER_APP_ID: is required by PUSHER_CLUSTER"],
    [{ ...app, PUSHER_SECRET: "", PUSHER_CLUSTER: "eu" }, "PUSHER_SECRET: is required by PUSHER_APP_ID"],
    [app, "PUSHER_HOST: or PUSHER_CLUSTER is required by PUSHER_APP_ID"],
    [
      { ...app, PUSHER_CLUSTER: "eu", PUSHER_HOST: "push.example.com" },
      "PUSHER_HOST: and PUSHER_CLUSTER are mutually exclusive",
    ],
    [{ ...app, PUSHER_HOST: "push.example.com/path" }, "PUSHER_HOST: must be a host"],
    [{ ...app, PUSHER_HOST: "user@push.example.com" }, "PUSHER_HOST: must be a host"],
    [{ ...app, PUSHER_HOST: "wss://push.example.com" }, "PUSHER_HOST: must be a host"],
    [{ ...app, PUSHER_HOST: "not a host" }, "PUSHER_HOST: must be a host"],
    [{ ...app, PUSHER_CLUSTER: "eu.evil.example/" }, "PUSHER_CLUSTER: must be a Pusher cluster"],
  ])("%j is refused", (settings, line) => {
    expect(() => readSettings(settings)).toThrow(line);
  });

  test.each([
    [{ PUSHER_HOST: "push.example.com" }, "push.example.com", 443, true],
    [{ PUSHER_HOST: "push.example.com:6001" }, "push.example.com", 6001, true],
    [{ PUSHER_HOST: "http://soketi:6001/" }, "soketi", 6001, false],
    [{ PUSHER_HOST: "http://soketi" }, "soketi", 80, false],
    [{ PUSHER_CLUSTER: "eu" }, "ws-eu.pusher.com", 443, true],
  ])("%j leads to %s:%i", (where, host, port, tls) => {
    expect(externalHub(readSettings({ ...app, ...where }))).toMatchObject({ host, port, tls });
  });

  test("without one, the hub runs in this process", () => {
    expect(externalHub(readSettings({}))).toBeNull();
  });
});

describe("a language model", () => {
  test.each([
    [{ OPENAI_BASE_URL: "http://localhost:11434/v1" }, "LLM_MODEL: is required by OPENAI_BASE_URL"],
    [{ OPENAI_API_KEY: "sk-1\nsk-2" }, "OPENAI_API_KEY: must be one word of ASCII"],
    [{ LLM_MODEL: "qwen3:8b" }, "LLM_MODEL: requires OPENAI_API_KEY or OPENAI_BASE_URL"],
    [{ OPENAI_BASE_URL: "localhost:11434", LLM_MODEL: "a" }, "OPENAI_BASE_URL: must be an http or https"],
    [
      { OPENAI_BASE_URL: "https://me:secret@llm.example.com/v1", LLM_MODEL: "a" },
      "OPENAI_BASE_URL: must be a URL without user",
    ],
    [{ LLM_PRICE_INPUT: "1" }, "LLM_PRICE_INPUT: and LLM_PRICE_OUTPUT go together"],
    [{ LLM_PRICE_OUTPUT: "1" }, "LLM_PRICE_INPUT: and LLM_PRICE_OUTPUT go together"],
    [{ LLM_PRICE_INPUT: "-1", LLM_PRICE_OUTPUT: "1" }, "LLM_PRICE_INPUT: must be US dollars"],
    [{ LLM_PRICE_INPUT: "1", LLM_PRICE_OUTPUT: "1e3" }, "LLM_PRICE_OUTPUT: must be US dollars"],
    [{ LLM_OUTPUT: "text" }, "LLM_OUTPUT"],
    [{ LLM_TIMEOUT_S: "0" }, "LLM_TIMEOUT_S"],
    [{ LLM_TIMEOUT_S: "291" }, "LLM_TIMEOUT_S: must be at most 290"],
    [{ LLM_CONCURRENCY: "0" }, "LLM_CONCURRENCY"],
    [{ LLM_CONCURRENCY: "1.5" }, "LLM_CONCURRENCY: must be a whole number"],
    [{ LLM_REQUESTS_PER_MINUTE: "1e1" }, "LLM_REQUESTS_PER_MINUTE: must be a whole number"],
  ])("%j is refused", (settings, line) => {
    expect(() => readSettings(settings)).toThrow(line);
  });

  test("may be OpenAI's or a server that needs no key, and its limits have defaults", () => {
    expect(readSettings({ OPENAI_API_KEY: "sk-1" })).toMatchObject({
      OPENAI_API_KEY: "sk-1",
      LLM_OUTPUT: "schema",
      LLM_TIMEOUT_S: 120,
      LLM_CONCURRENCY: 4,
      LLM_REQUESTS_PER_MINUTE: 60,
    });
    const local = { OPENAI_BASE_URL: "http://localhost:11434/v1", LLM_MODEL: "qwen3:8b" };
    expect(readSettings(local)).toMatchObject(local);
    expect(readSettings({ LLM_PRICE_INPUT: "0", LLM_PRICE_OUTPUT: "2.50" })).toMatchObject({
      LLM_PRICE_INPUT: 0,
      LLM_PRICE_OUTPUT: 2.5,
    });
  });
});

describe("a secret in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-settings-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const key = "ab".repeat(32);

  test("is read without the end of its line", () => {
    const given = {
      ENCRYPTION_KEY_FILE: file("key", `${key}\n`),
      DATABASE_URL_FILE: file("url", "postgres://plumbline:secret@db.example.com/plumbline"),
      METRICS_TOKEN_FILE: file("token", "0123456789abcdef\r\n"),
    };
    expect(readSettings(given)).toMatchObject({
      ENCRYPTION_KEY: key,
      DATABASE_URL: "postgres://plumbline:secret@db.example.com/plumbline",
      METRICS_TOKEN: "0123456789abcdef",
    });
    expect(Object.keys(given)).toHaveLength(3);
  });

  test("reaches what reads the process's environment by itself, and can be read again", () => {
    vi.stubEnv("PUSHER_SECRET_FILE", file("pusher", "hush"));
    vi.stubEnv("PUSHER_SECRET", undefined);
    expect(() => readSettings()).toThrow("PUSHER_APP_ID: is required by PUSHER_SECRET");
    expect(process.env.PUSHER_SECRET).toBe("hush");
    expect(process.env.PUSHER_SECRET_FILE).toBeUndefined();
    expect(() => readSettings()).toThrow("PUSHER_APP_ID: is required by PUSHER_SECRET");
    vi.unstubAllEnvs();
  });

  test.each([
    [{ ENCRYPTION_KEY_FILE: "/nowhere/key" }, "ENCRYPTION_KEY_FILE: the file cannot be read (ENOENT)"],
    [{ ENCRYPTION_KEY_FILE: "/" }, "ENCRYPTION_KEY_FILE: the file cannot be read (EISDIR)"],
    [
      { ENCRYPTION_KEY_FILE: "/nowhere/key", ENCRYPTION_KEY: key },
      "ENCRYPTION_KEY_FILE: and ENCRYPTION_KEY are mutually exclusive: set one",
    ],
  ])("%j stops the start", (given, message) => {
    expect(() => readSettings(given)).toThrow(message);
  });

  test("that is empty or invalid stops the start without its content", () => {
    expect(() => readSettings({ SMTP_URL_FILE: file("empty", "\n") })).toThrow(
      "SMTP_URL_FILE: the file is empty",
    );
    const refused = () => readSettings({ ENCRYPTION_KEY_FILE: file("short", "hush-hush") });
    expect(refused).toThrow("ENCRYPTION_KEY: must be 32 bytes");
    expect(refused).not.toThrow("hush-hush");
  });

  test("is for secrets alone: a path that is a setting by itself stays one", () => {
    expect(secretSettings).toEqual(
      expect.arrayContaining([
        "DATABASE_URL",
        "SMTP_URL",
        "ENCRYPTION_KEY_OLD",
        "ADMIN_PASSWORD",
        "SCIM_TOKEN",
      ]),
    );
    expect(secretSettings).not.toContain("PORT");
    const vault = {
      SECRETS_VAULT_ADDRESS: "https://vault.example.com",
      SECRETS_VAULT_PATHS: "kv/plumbline/",
    };
    expect(readSettings({ ...vault, SECRETS_VAULT_TOKEN_FILE: "/nowhere/token" })).toMatchObject({
      SECRETS_VAULT_TOKEN_FILE: "/nowhere/token",
    });
    expect(() => readSettings(vault)).toThrow("SECRETS_VAULT_TOKEN: or SECRETS_VAULT_TOKEN_FILE is required");
    expect(() =>
      readSettings({ ...vault, SECRETS_VAULT_TOKEN: "t", SECRETS_VAULT_PATHS: "kv/plumbline" }),
    ).toThrow("SECRETS_VAULT_PATHS: must look like kv/plumbline/");
    expect(() => readSettings({ SECRETS_ENV_PREFIX: "WAREHOUSE" })).toThrow("SECRETS_ENV_PREFIX: must be");
  });
});
