import { BlockList, isIP } from "node:net";

/** What nobody outside reaches, or that leads somewhere else; mapped IPv6 addresses are judged by these, too. */
const notPublic = listOf([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Teredo and others that carry an address inside, documentation, 6to4.
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
]);
/** Of IPv6 only what is handed out for the internet counts: not loopback, local, multicast, translated. */
const globalUnicast = listOf(["2000::/3"]);
const ipv4Mapped = listOf(["::ffff:0:0/96"]);

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address is one of the internet's. What is no address is not. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  const isIpv4 = ipv4Mapped.check(address, "ipv6");
  return (isIpv4 || globalUnicast.check(address, "ipv6")) && !notPublic.check(address, "ipv6");
}

/** What an operator allows although it is not public, from OUTBOUND_ALLOW. */
export type Allowed = {
  /** `host` as a URL says it. */
  allowsHost(host: string): boolean;
  allowsAddress(address: string): boolean;
};

export function allowedBy(setting: string | undefined): Allowed {
  const entries = (setting ?? "").split(",").flatMap((entry) => entry.trim().toLowerCase() || []);
  const isNetwork = (entry: string) => isIP(entry.split("/")[0] ?? "") > 0;
  const hosts = new Set(entries.filter((entry) => !isNetwork(entry)));
  const networks = listOf(entries.filter(isNetwork));
  return {
    allowsHost: (host) => hosts.has(host.toLowerCase().replace(/\.$/, "")),
    allowsAddress(address) {
      const family = isIP(address);
      return family > 0 && !address.includes("%") && networks.check(address, family === 6 ? "ipv6" : "ipv4");
    },
  };
}
