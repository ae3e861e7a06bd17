import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { callerAddress } from "./caller-address.ts";

/** A request whose connection comes from `peer`. */
const request = (peer: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage;

test.each([
  // Nobody is trusted: the header is anybody's to write.
  [undefined, "192.0.2.1", undefined, "192.0.2.1"],
  [undefined, "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  [undefined, "::ffff:192.0.2.1", undefined, "192.0.2.1"],
  [undefined, "2001:db8::1", "198.51.100.7", "2001:db8::1"],
  // One proxy: the last entry is its own, whatever its caller wrote before it.
  ["1", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["1", "10.0.0.1", "127.0.0.1, 198.51.100.7", "198.51.100.7"],
  ["1", "10.0.0.1", undefined, "10.0.0.1"],
  // Two of them: the last but one.
  ["2", "10.0.0.1", "127.0.0.1, 198.51.100.7, 10.0.0.2", "198.51.100.7"],
  ["2", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
  // By address: a caller who comes past the proxies is not believed.
  ["10.0.0.0/8", "10.0.0.1", "127.0.0.1, 198.51.100.7, 10.0.0.2", "198.51.100.7"],
  ["10.0.0.0/8", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  ["10.0.0.1, 2001:db8::/32", "2001:db8::5", "198.51.100.7", "198.51.100.7"],
  ["127.0.0.1", "::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"],
  // As some proxies write it.
  ["1", "10.0.0.1", "198.51.100.7:4711", "198.51.100.7"],
  ["1", "10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
  // No address at all.
  ["1", "10.0.0.1", "unknown", "10.0.0.1"],
  ["1", "10.0.0.1", "<script>", "10.0.0.1"],
  ["1", "10.0.0.1", "", "10.0.0.1"],
])("TRUST_PROXY %j: from %s with %j is %s", (trusted, peer, forwarded, expected) => {
  expect(callerAddress(trusted)(request(peer, forwarded))).toBe(expected);
});
