import { expect, test } from "vitest";
import { reasonToRequirePassword } from "./password-rule.ts";

const at = { host: "db.example.com", port: 5432, user: "reader" };
const plain = { ...at, ssl: false };
const unchecked = { ...at, ssl: true, trustServerCertificate: true };
const checked = { ...at, ssl: true };
const ofCa = "the CA certificate changes";

test.each([
  ["the same", checked, checked, null],
  ["another host", checked, { ...checked, host: "evil.example.com" }, "host, port, or user changes"],
  ["another port", checked, { ...checked, port: 5433 }, "host, port, or user changes"],
  ["another user", checked, { ...checked, user: "writer" }, "host, port, or user changes"],
  ["TLS off", checked, plain, "TLS or certificate verification is turned off"],
  ["TLS off that was not checked", unchecked, plain, "TLS or certificate verification is turned off"],
  ["any certificate", checked, unchecked, "TLS or certificate verification is turned off"],
  ["TLS on", plain, checked, null],
  ["TLS on, with any certificate", plain, unchecked, null],
  ["the certificate checked", unchecked, checked, null],
  [
    "another Entra tenant",
    { ...checked, sqlServer: { entraTenant: "a.example" } },
    { ...checked, sqlServer: { entraTenant: "b.example" } },
    "the Entra tenant changes",
  ],
  ["another domain", { ...checked, sqlServer: { domain: "CORP" } }, checked, "the domain changes"],
  [
    "the same domain",
    { ...checked, sqlServer: { domain: "A" } },
    { ...checked, sqlServer: { domain: "A" } },
    null,
  ],
  ["another CA", { ...checked, caCertificate: "A" }, { ...checked, caCertificate: "B" }, ofCa],
  ["a CA in place of the well-known ones", checked, { ...checked, caCertificate: "A" }, ofCa],
  ["the well-known CAs in place of one", { ...checked, caCertificate: "A" }, checked, ofCa],
  ["a CA where nothing was checked", unchecked, { ...checked, caCertificate: "A" }, null],
  [
    "a managed identity no more",
    { ...checked, sqlServer: { managedIdentity: true } },
    checked,
    "the managed identity is no longer used",
  ],
  ["the same CA", { ...checked, caCertificate: "A\nB" }, { ...checked, caCertificate: "A\r\nB " }, null],
  ["a trust that means nothing without TLS", plain, { ...plain, trustServerCertificate: true }, null],
])("%s", (_, stored, now, why) => {
  expect(reasonToRequirePassword(stored, now)).toBe(why);
});
