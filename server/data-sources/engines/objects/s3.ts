import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { AwsV4Signer } from "aws4fetch";
import { bodyOf } from "../../../outbound/request.ts";
import { plural, sizeText } from "../../../text.ts";
import type { S3ConnectionWithSecret } from "../engine.ts";
import { commonStart, deltaFolderOf, folderOf, matchesAny, pathOfKey, usablePaths } from "./object-paths.ts";
import { type Fetched, type ObjectStore, type Target, unreachable, unusable } from "./object-store.ts";
import { encodingOf, receiveFile } from "./receive-file.ts";
import { get, Passing, patiently } from "./requests.ts";
import { changed, type ListedKey, pageIn, refusalOf } from "./s3-answers.ts";

/** Objects of S3-compatible storage, with requests signed by AWS Signature Version 4. */

export const max = { keys: 100_000, pageBytes: 16 * 1024 * 1024, errorBytes: 64 * 1024 };
const freshMs = 10_000;
const emptyHash = createHash("sha256").update("").digest("hex");

type Listed = ListedKey & { path: string };

export function s3Store(connection: S3ConnectionWithSecret): ObjectStore {
  const { bucket, region, endpoint, patterns, caCertificate } = connection;
  const folder = folderOf(connection.prefix);
  const base = addressOf({ bucket, region, endpoint });
  let listed = new Map<string, Listed>();

  /** One signed request; whatever is no success is thrown. */
  const ask = async <T>(
    { path, query = "", headers = {}, what, signal }: Ask,
    receive: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> => {
    const url = new URL(`${base}${path}${query}`);
    const signed = await signedHeaders(url, headers, connection);
    return get({ url, headers: signed, caCertificate, signal }, async (response) => {
      const status = response.statusCode ?? 0;
      if (status === 200 || status === 206) return receive(response);
      const body = await bodyOf(response, max.errorBytes).catch(() => Buffer.alloc(0));
      const named = response.headers["x-amz-bucket-region"];
      const answer = { status, body: body.toString(), region: typeof named === "string" ? named : undefined };
      const refusal = refusalOf(answer, what);
      throw status >= 500 || status === 429 ? new Passing(refusal) : refusal;
    });
  };

  const pageAfter = (token: string | null, signal: AbortSignal) => {
    const parameters: Record<string, string> = {
      ...(token !== null && { "continuation-token": token }),
      "encoding-type": "url",
      "list-type": "2",
      ...{ prefix: folder + commonStart(patterns) },
    };
    const query = Object.entries(parameters).map(([name, value]) => `${name}=${encoded(value)}`);
    const asked = { path: "", query: `?${query.join("&")}`, what: "the list of objects", signal };
    return patiently(signal, () =>
      ask(asked, async (response) => pageIn((await bodyOf(response, max.pageBytes)).toString())),
    );
  };

  const list = async (signal: AbortSignal): Promise<Listed[]> => {
    const keys: ListedKey[] = [];
    for (let token: string | null = null, isFirst = true; isFirst || token !== null; isFirst = false) {
      const page = await pageAfter(token, signal);
      keys.push(...page.keys);
      if (keys.length > max.keys)
        throw unusable("There are more than 100,000 objects: choose a narrower prefix or patterns");
      token = page.next;
    }
    const delta = new Set(keys.flatMap(({ key }) => deltaFolderOf(key, folder) ?? []));
    const found = keys.flatMap(({ key, ...facts }): Listed[] => {
      const path = pathOfKey(key, folder);
      const isRead = path !== null && (patterns.length === 0 || matchesAny(path, patterns));
      return isRead ? [{ ...facts, key, path }] : [];
    });
    const usable = usablePaths(found, delta);
    listed = new Map(usable.map((object) => [object.path, object]));
    return usable;
  };

  const read = <T>(
    { key, path, etag }: Listed,
    range: string | null,
    signal: AbortSignal,
    receive: (response: IncomingMessage) => Promise<T>,
  ) => {
    const headers = { ...(etag && { "if-match": etag }), ...(range && { range }) };
    return ask({ path: `/${key.split("/").map(encoded).join("/")}`, headers, what: path, signal }, receive);
  };

  /** Fetches it from this byte on; null if that makes no sense, as it is compressed on the way. */
  const fetchFrom = (startsAt: number, object: Listed, target: Target, signal: AbortSignal) =>
    read(object, startsAt > 0 ? `bytes=${startsAt}-` : null, signal, async (response) => {
      const isCompressed = encodingOf(response, object.path) !== null;
      const isPart = response.statusCode === 206;
      if (isPart && isCompressed) return null;
      const how = { what: object.path, startsAt: isPart ? startsAt : 0 };
      const { size } = await receiveFile(response, target, how);
      if (!isCompressed && size !== object.size) throw unreachable(`${object.path} ${changed}`);
      return { size, version: object.version };
    });

  /** Continues what an earlier attempt for the same version has left. */
  const fetchObject = async (object: Listed, target: Target, signal: AbortSignal): Promise<Fetched> => {
    const left = statSync(target.file, { throwIfNoEntry: false })?.size ?? 0;
    const continued = left > 0 && left < object.size ? await fetchFrom(left, object, target, signal) : null;
    const fetched = continued ?? (await fetchFrom(0, object, target, signal));
    if (fetched === null) throw unreachable(`The storage did not send ${object.path}`);
    return fetched;
  };

  return {
    name: folder.split("/").at(-2) ?? bucket,
    identity: JSON.stringify(["s3", endpoint ?? null, region, bucket, folder]),
    freshMs,
    list,
    async fetch(object, target, signal) {
      const known = listed.get(object.path);
      if (known?.version !== object.version) throw unreachable(`${object.path} ${changed}`);
      return patiently(signal, () => fetchObject(known, target, signal));
    },
    async test(signal) {
      const found = await list(signal);
      const bytes = found.reduce((sum, { size }) => sum + size, 0);
      const sample = found.find(({ size }) => size !== 0);
      if (sample) await patiently(signal, () => read(sample, "bytes=0-0", signal, async () => {}));
      return found.length === 0
        ? "There are no objects of a format that can be read"
        : `Found ${plural(found.length, "object")} with ${sizeText(bytes)}`;
    },
  };
}

type Ask = {
  path: string;
  query?: string;
  headers?: Record<string, string>;
  what: string;
  signal: AbortSignal;
};

/** By the name of the bucket at Amazon, where its certificates allow it; by a path everywhere else. */
function addressOf({
  bucket,
  region,
  endpoint,
}: Pick<S3ConnectionWithSecret, "bucket" | "region" | "endpoint">): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const zone = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const isHost = /^[a-z0-9-]+$/.test(bucket);
  return isHost ? `https://${bucket}.s3.${region}.${zone}` : `https://s3.${region}.${zone}/${bucket}`;
}

/** What encodeURIComponent leaves as it is, and a signature does not. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

async function signedHeaders(
  url: URL,
  headers: Record<string, string>,
  {
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken,
  }: Pick<S3ConnectionWithSecret, "region" | "accessKeyId" | "secretAccessKey" | "sessionToken">,
): Promise<Record<string, string>> {
  const own = { ...headers, "accept-encoding": "identity", "user-agent": "plumbline" };
  if (accessKeyId === undefined) return own;
  const signer = new AwsV4Signer({
    ...{ method: "GET", url: url.href, accessKeyId, secretAccessKey, service: "s3", region },
    // Becomes X-Amz-Security-Token, which is signed with the rest.
    ...(sessionToken && { sessionToken }),
    headers: { ...headers, "x-amz-content-sha256": emptyHash },
  });
  return { ...own, ...Object.fromEntries((await signer.sign()).headers) };
}
