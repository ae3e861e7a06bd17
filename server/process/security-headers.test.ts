import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { contentSecurityPolicy, makeNonce, securityHeaders, toastStyles } from "./security-headers.ts";

const policyOf = (isDev: boolean) =>
  new Map(
    contentSecurityPolicy({ isDev })("bm9uY2U=")
      .split("; ")
      .map((part) => [part.split(" ")[0], part.split(" ").slice(1)]),
  );

test("a script needs the request's nonce, and eval is never allowed", () => {
  const policy = policyOf(false);
  expect(policy.get("script-src")).toEqual(["'self'", "'nonce-bm9uY2U='", "'strict-dynamic'"]);
  expect(policy.get("default-src")).toEqual(["'none'"]);
  for (const directive of ["object-src", "base-uri", "frame-ancestors"])
    expect(policy.get(directive)).toEqual(["'none'"]);
  expect(policy.get("style-src-elem")).not.toContain("'unsafe-inline'");
  expect([...policy.values()].flat()).not.toContain("*");
});

test("only development may evaluate code", () => {
  expect(policyOf(true).get("script-src")).toContain("'unsafe-eval'");
  expect([...policyOf(false).values()].flat()).not.toContain("'unsafe-eval'");
});

test("nonces are unique and unpredictable", () => {
  const nonces = new Set(Array.from({ length: 1000 }, makeNonce));
  expect(nonces.size).toBe(1000);
  for (const nonce of nonces) expect(Buffer.from(nonce, "base64")).toHaveLength(16);
});

test("HSTS is sent if the service is reached by https, and only then", () => {
  expect(securityHeaders({ isHttps: true })["strict-transport-security"]).toBe("max-age=31536000");
  expect(securityHeaders({ isHttps: false })).not.toHaveProperty("strict-transport-security");
});

test("the policy allows the styles that the toasts add", () => {
  const sonner = readFileSync(
    createRequire(import.meta.url)
      .resolve("sonner")
      .replace(/\.js$/, ".mjs"),
    "utf8",
  );
  const [, styles = '""'] = /^__insertCSS\((".*")\);?$/m.exec(sonner) ?? [];
  const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(toastStyles).toEqual([hashOf(""), hashOf(JSON.parse(styles))]);
});
