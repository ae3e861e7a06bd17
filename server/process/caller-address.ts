import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddress from "proxy-addr";

/**
 * The caller's address: the connection's, or what X-Forwarded-For says if the connection comes from a proxy in
 * TRUST_PROXY. From others the header is ignored.
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
 * The address in X-Forwarded-For when TRUST_PROXY is not set; undefined without the header, or when it is set. Uses
 * the last entry, written by the nearest proxy. Anyone can send the header, so it only distinguishes callers behind
 * such a proxy.
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

/** Headers that proxies add to forwarded requests. */
const forwarding = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether the request comes from the service's own machine: from a loopback address, for a loopback host name (any
 * other may be DNS rebinding), not from another site's page, and not through a proxy, as far as that can be known.
 * nginx adds no headers by default, but uses HTTP/1.0.
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

/** Some proxies add the port, and dual-stack sockets write IPv4 addresses as IPv6. */
function plain(address: string): string {
  const [, ipv4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(address) ?? [];
  const [, ipv6] = /^\[(.*)\](?::\d+)?$/.exec(address) ?? [];
  return ipv4 ?? ipv6 ?? address;
}
