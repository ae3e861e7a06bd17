import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddress from "proxy-addr";

/**
 * Who has sent a request, by address: what the connection says or, where it comes from a proxy that TRUST_PROXY
 * names, what that proxy says in X-Forwarded-For. From anybody else the header counts for nothing.
 */
export function callerAddress(trustProxy: string | undefined): (request: IncomingMessage) => string {
  const isTrusted = trustOf(trustProxy);
  return (request) => {
    const direct = plain(request.socket.remoteAddress ?? "");
    const told = plain(proxyAddress(request, isTrusted) ?? "");
    return isIP(told) ? told : direct;
  };
}

type Trust = (address: string, hop: number) => boolean;

function trustOf(setting: string | undefined): Trust {
  if (!setting) return () => false;
  const count = Number(setting);
  if (Number.isInteger(count)) return (_address, hop) => hop < count;
  return proxyAddress.compile(setting.split(",").map((each) => each.trim()));
}

/** Some proxies add the port, and a socket for both kinds of addresses writes IPv4 ones as IPv6. */
function plain(address: string): string {
  const [, ipv4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(address) ?? [];
  const [, ipv6] = /^\[(.*)\](?::\d+)?$/.exec(address) ?? [];
  return ipv4 ?? ipv6 ?? address;
}
