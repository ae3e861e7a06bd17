import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { plural } from "../../../text.ts";
import { fileNameOf } from "../../connections/files.ts";
import type { HttpsConnectionWithSecret } from "../engine.ts";
import { type Fetched, type ObjectStore, type Target, unreachable } from "./object-store.ts";
import { receiveFile } from "./receive-file.ts";
import { get, Passing, patiently } from "./requests.ts";

/** Files at addresses on the web, each fetched anew only when its server says that it has changed. */

const maxRedirects = 5;
const freshMs = 30_000;
/** At most so many servers are asked at once. */
const atOnce = 4;

const validators = z.object({
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  hash: z.string(),
});

export function httpsStore(connection: HttpsConnectionWithSecret): ObjectStore {
  const { addresses, secretHeaders, caCertificate } = connection;
  const addressOf = new Map(addresses.map((address) => [fileNameOf(address), address]));

  /** Follows redirects, each under the policy for outbound requests; secret headers stay with their server. */
  const visit = async <T>(
    address: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    receive: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> => {
    const first = new URL(address);
    for (let url = first, hops = 0; ; hops++) {
      const secret = url.origin === first.origin ? secretHeaders : {};
      const own = { "accept-encoding": "identity", "user-agent": "plumbline", ...secret, ...headers };
      const receiveOrFollow = async (response: IncomingMessage): Promise<{ result: T } | { to: URL }> => {
        const to = locationIn(response, url);
        return to === null ? { result: await receive(response) } : { to };
      };
      const next = await get({ url, headers: own, caCertificate, signal }, receiveOrFollow);
      if ("result" in next) return next.result;
      if (hops >= maxRedirects) throw unreachable(`${fileNameOf(address)} is redirected too often`);
      if (next.to.protocol !== "https:")
        throw unreachable(`${fileNameOf(address)} is redirected to an address that is not https`);
      url = next.to;
    }
  };

  const fetch = async (name: string, target: Target, signal: AbortSignal): Promise<Fetched | null> => {
    const known = target.known === null ? null : validators.parse(JSON.parse(target.known));
    const conditions = {
      ...(known?.etag && { "if-none-match": known.etag }),
      ...(known?.lastModified && { "if-modified-since": known.lastModified }),
    };
    return visit(addressOf.get(name) ?? "", conditions, signal, async (response) => {
      if (response.statusCode === 304 && known) return null;
      rejectOtherAnswer(response, name);
      const { size, hash } = await receiveFile(response, target, { what: name });
      const { etag, "last-modified": lastModified } = response.headers;
      // Some servers say of a file that is the same that it is another one.
      if (hash === known?.hash && etag === known.etag && lastModified === known.lastModified) return null;
      return {
        size,
        version: JSON.stringify({ ...(etag && { etag }), ...(lastModified && { lastModified }), hash }),
      };
    });
  };

  return {
    name: "files",
    identity: JSON.stringify(["https", ...addressOf.values()]),
    freshMs,
    list: async () => [...addressOf.keys()].map((path) => ({ path, size: null, version: null })),
    fetch: ({ path }, target, signal) => patiently(signal, () => fetch(path, target, signal)),
    async test(signal) {
      const names = [...addressOf.keys()];
      for (let from = 0; from < names.length; from += atOnce)
        await Promise.all(
          names
            .slice(from, from + atOnce)
            .map((name) =>
              visit(addressOf.get(name) ?? "", { range: "bytes=0-0" }, signal, async (response) =>
                rejectOtherAnswer(response, name),
              ),
            ),
        );
      return `Found ${plural(names.length, "file")}`;
    },
  };
}

function locationIn({ statusCode = 0, headers: { location } }: IncomingMessage, url: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return null;
  return URL.canParse(location, url.href) ? new URL(location, url.href) : null;
}

/** Throws SourceError for an answer that is not the file. */
function rejectOtherAnswer({ statusCode: status = 0, headers }: IncomingMessage, name: string): void {
  const isEmpty = status === 416;
  if (status >= 500 || status === 429)
    throw new Passing(unreachable(`The server could not send ${name} at the moment (HTTP ${status})`));
  if (status === 401 || status === 403)
    throw unreachable(`The server denies access to ${name} (HTTP ${status})`);
  if (status === 404 || status === 410)
    throw unreachable(`${name} does not exist on the server (HTTP ${status})`);
  if (status !== 200 && status !== 206 && !isEmpty)
    throw unreachable(`The server did not send ${name} (HTTP ${status})`);
  if (/^\s*text\/html\b/i.test(headers["content-type"] ?? ""))
    throw unreachable(`The server sent a web page instead of ${name}`);
}
