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

/**
 * Whom a proxy says it speaks for, where TRUST_PROXY names none; undefined where it says nothing, and where proxies
 * are named. The last entry is the one that the nearest proxy has written. Anybody can send the header, so it only
 * tells people behind such a proxy apart.
 */
export function claimedAddress(
  trustProxy: string | undefined,
): (request: IncomingMessage) => string | undefined {
  if (trustProxy) return () => undefined;
  return ({ headers }) => {
    const given = String(headers["x-forwarded-for"] ?? headers["x-real-ip"] ?? "");
    const last = plain(given.split(",").at(-1)?.trim() ?? "");
    return isIP(last) ? last : undefined;
  };
}

/** What proxies say of the requests that they pass on. */
const forwarding = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether somebody on the service's own machine has sent the request, and to this machine: from a loopback address,
 * for a loopback name (another one may have been led here by somebody else's DNS), from no other site's page, and
 * past no proxy, as far as proxies tell. nginx tells nothing unless it is told to, but speaks HTTP/1.0.
 */
export function isLocalCall(request: IncomingMessage): boolean {
  const { headers, httpVersionMajor, httpVersionMinor, socket } = request;
  const { host = "", origin } = headers;
  return (
    isLoopback(plain(socket.remoteAddress ?? "")) &&
    isLoopbackHost(host) &&
    (origin === undefined || origin === `http://${host}`) &&
    (httpVersionMajor > 1 || httpVersionMinor > 0) &&
    !Object.keys(headers).some((name) => forwarding.test(name))
  );
}

const isLoopback = (address: string) =>
  address === "::1" || (isIP(address) === 4 && address.startsWith("127."));

function isLoopbackHost(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
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
