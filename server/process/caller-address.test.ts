import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { callerAddress, claimedAddress, isLocalCall } from "./caller-address.ts";

/** A request whose connection comes from `peer`. */
const request = (peer: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage;

test.each([
  // No trusted proxy: anyone can send the header.
  [undefined, "192.0.2.1", undefined, "192.0.2.1"],
  [undefined, "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  [undefined, "::ffff:192.0.2.1", undefined, "192.0.2.1"],
  [undefined, "2001:db8::1", "198.51.100.7", "2001:db8::1"],
  // One proxy: the last entry is its own; the caller may have sent the others.
  ["1", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["1", "10.0.0.1", "127.0.0.1, 198.51.100.7", "198.51.100.7"],
  ["1", "10.0.0.1", undefined, "10.0.0.1"],
  // Two proxies: the last but one.
  ["2", "10.0.0.1", "127.0.0.1, 198.51.100.7, 10.0.0.2", "198.51.100.7"],
  ["2", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
  // By address: callers that bypass the proxies are not believed.
  ["10.0.0.0/8", "10.0.0.1", "127.0.0.1, 198.51.100.7, 10.0.0.2", "198.51.100.7"],
  ["10.0.0.0/8", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  ["10.0.0.1, 2001:db8::/32", "2001:db8::5", "198.51.100.7", "198.51.100.7"],
  ["127.0.0.1", "::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"],
  // In the notation of some proxies.
  ["1", "10.0.0.1", "198.51.100.7:4711", "198.51.100.7"],
  ["1", "10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
  // Not an address.
  ["1", "10.0.0.1", "unknown", "10.0.0.1"],
  ["1", "10.0.0.1", "<script>", "10.0.0.1"],
  ["1", "10.0.0.1", "", "10.0.0.1"],
])("TRUST_PROXY %j: from %s with %j is %s", (trusted, peer, forwarded, expected) => {
  expect(callerAddress(trusted)(request(peer, forwarded))).toBe(expected);
});

test.each([
  [undefined, { "x-forwarded-for": "198.51.100.7" }, "198.51.100.7"],
  [undefined, { "x-forwarded-for": "127.0.0.1, 198.51.100.7:4711" }, "198.51.100.7"],
  [undefined, { "x-real-ip": "2001:db8::7" }, "2001:db8::7"],
  [undefined, { "x-forwarded-for": "unknown" }, undefined],
  [undefined, {}, undefined],
  // If proxies are listed, an unlisted one is not believed.
  ["10.0.0.0/8", { "x-forwarded-for": "198.51.100.7" }, undefined],
  ["1", { "x-forwarded-for": "198.51.100.7" }, undefined],
])("TRUST_PROXY %j: with %j a proxy claims to forward for %s", (trusted, headers, expected) => {
  expect(claimedAddress(trusted)({ headers } as unknown as IncomingMessage)).toBe(expected);
});

describe("a call from the service's own machine", () => {
  const isLocal = (peer: string, headers: Record<string, string>, minor = 1) =>
    isLocalCall({
      ...{ socket: { remoteAddress: peer }, headers, httpVersionMajor: 1, httpVersionMinor: minor },
    } as unknown as IncomingMessage);

  test.each(["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "localhost"])("for %s is one", (host) => {
    for (const peer of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) expect(isLocal(peer, { host })).toBe(true);
    expect(isLocal("127.0.0.1", { host, origin: `http://${host}` })).toBe(true);
    for (const peer of ["192.0.2.1", "::ffff:10.0.0.1", "2001:db8::1", ""])
      expect(isLocal(peer, { host })).toBe(false);
  });

  test.each(["attacker.example", "localhost.attacker.example", "192.168.1.20:3000", "0.0.0.0:3000", ""])(
    "not for %j: the name may have been rebound",
    (host) => expect(isLocal("127.0.0.1", { host })).toBe(false),
  );

  test.each([
    ["x-forwarded-for", "127.0.0.1"],
    ["x-forwarded-proto", "https"],
    ["x-real-ip", "127.0.0.1"],
    ["forwarded", "for=127.0.0.1"],
    ["via", "1.1 proxy"],
    ["origin", "https://attacker.example"],
    ["origin", "null"],
    ["origin", "http://localhost:8080"],
  ])("with %s: %s is not local", (name, value) => {
    expect(isLocal("127.0.0.1", { host: "localhost:3000", [name]: value })).toBe(false);
  });

  test("HTTP/1.0 is not local: nginx uses it for forwarding by default", () => {
    expect(isLocal("127.0.0.1", { host: "127.0.0.1:3000" }, 0)).toBe(false);
  });
});
