import { expect, test } from "vitest";
import { allowedBy, isPublic } from "./addresses.ts";

test.each([
  "8.8.8.8",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "2606:4700::1111",
  "2a00:1450::1",
  "::ffff:8.8.8.8",
])("%s is public", (address) => expect(isPublic(address)).toBe(true));

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "239.255.255.255",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "0:0:0:0:0:ffff:a00:1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001:0:7f00:1::",
  "fe80::1",
  "fe80::1%lo",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "ff02::1",
  "2001:db8::1",
  "2130706433",
  "0177.0.0.1",
  "0x7f.1",
  "127.1",
  "localhost",
  "",
])("%s is not public", (address) => expect(isPublic(address)).toBe(false));

test("an operator allows hosts, addresses and networks, and nothing beside them", () => {
  const allowed = allowedBy("api.internal, 10.1.0.0/16,192.168.7.7 ,fd00::/8");
  expect(["api.internal", "API.Internal."].map(allowed.allowsHost)).toEqual([true, true]);
  expect(["internal", "x.api.internal", "10.1.0.1"].map(allowed.allowsHost)).toEqual([false, false, false]);
  const inside = ["10.1.2.3", "::ffff:10.1.2.3", "192.168.7.7", "fd12::1"];
  expect(inside.map(allowed.allowsAddress)).toEqual([true, true, true, true]);
  const outside = ["10.2.0.1", "192.168.7.8", "fe80::1", "127.0.0.1", "x"];
  expect(outside.map(allowed.allowsAddress)).toEqual([false, false, false, false, false]);
  expect(allowedBy(undefined).allowsAddress("127.0.0.1")).toBe(false);
});
