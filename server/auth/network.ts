import { isIPv6 } from "node:net";

/** The network that an address is counted by: an IPv6 subscriber has a whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const omitted = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const groups = [...before, ...omitted, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
